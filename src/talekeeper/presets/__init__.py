"""Story templates: worlds ready to begin, as data."""
