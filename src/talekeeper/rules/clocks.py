"""How far the clocks of the world move on their own while story time passes."""

from __future__ import annotations

import zlib

_HOUR = 60


def segments_passed(clock: str, *, now: int, minutes: int, hours_per_segment: int) -> int:
    """Segments a clock fills between `now` and `now + minutes`.

    Each clock strikes at hours of its own, so that not all factions move in the same minute. It needs no memory:
    any way of cutting the time into turns fills the same segments.
    """
    length = hours_per_segment * _HOUR
    offset = zlib.crc32(clock.encode()) % length
    return (now + minutes + offset) // length - (now + offset) // length


def ticked(filled: int, size: int, segments: int) -> int:
    """The clock after `segments` more; a full clock stays full."""
    return max(filled, min(size, filled + segments))
