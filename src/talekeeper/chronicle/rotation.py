"""Which phrasing an event gets: a count that restarts at every block of the file.

Counting from the start of the log would make a window cost the whole log; counting from the start of the
window would change the words of an event when the window moves. Blocks of the file give neither fault.
"""

from __future__ import annotations

BLOCK = 1 << 16


def block_start(offset: int) -> int:
    return offset - offset % BLOCK


class Rotation:
    """Feed it every event in file order, from a block boundary on."""

    __slots__ = ("_block", "_counts")

    def __init__(self) -> None:
        self._block = -1
        self._counts: dict[str, int] = {}

    def turn(self, offset: int, kind: str) -> int:
        block = offset // BLOCK
        if block != self._block:
            self._block = block
            self._counts = {}
        turn = self._counts.get(kind, 0)
        self._counts[kind] = turn + 1
        return turn
