"""The minds of the companion of a live channel: what it says, when, and what it keeps."""
