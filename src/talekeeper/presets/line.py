"""One written line of a preset: its words, when they fit, which slots they need, and an id that follows the text."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

import msgspec

_TAGS = re.compile(r"\[([^\]]*)\]\s*")
_SLOT = re.compile(r"\{(\w+)\}")


class Line(msgspec.Struct, frozen=True):
    id: str
    """A hash of the text: reordering a file changes nothing, and the same words never count as new."""
    text: str
    tags: tuple[str, ...] = ()
    """Dayparts, weathers, senses, entity ids that must be present, and with `!` those that must not."""
    slots: tuple[str, ...] = ()


def line_id(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=5).hexdigest()


@lru_cache(maxsize=16384)
def read_line(raw: str) -> Line:
    """`[night place/mill] The wheel had stopped.` becomes the text with its tags."""
    found = _TAGS.match(raw)
    text = raw[found.end() :] if found else raw
    tags = tuple(found[1].split()) if found else ()
    return Line(line_id(text), text, tags, tuple(dict.fromkeys(_SLOT.findall(text))))


@lru_cache(maxsize=4096)
def read_lines(raw: tuple[str, ...]) -> tuple[Line, ...]:
    return tuple(read_line(line) for line in raw)
