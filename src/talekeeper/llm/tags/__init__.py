"""The tag stream: a model's tagged text, read piece by piece as it comes."""

from talekeeper.llm.tags.events import CloseReason, TagChunk, TagClose, TagEvent, TagOpen, Untagged
from talekeeper.llm.tags.open_tags import TagLimits, UntaggedText
from talekeeper.llm.tags.parser import TagParser

__all__ = [
    "CloseReason",
    "TagChunk",
    "TagClose",
    "TagEvent",
    "TagLimits",
    "TagOpen",
    "TagParser",
    "Untagged",
    "UntaggedText",
]
