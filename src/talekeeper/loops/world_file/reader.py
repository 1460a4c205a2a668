"""Reading a world file line by line: bounded, hashed, section by section, the footer last."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import BinaryIO, TypeVar

import msgspec

from talekeeper.errors import CorruptWorld
from talekeeper.loops.world_file.files import COPY_AGAIN, reading
from talekeeper.loops.world_file.lines import (
    FORMAT,
    MOST_LINE_BYTES,
    VERSION,
    AnyLine,
    EventLine,
    Footer,
    Header,
    Preamble,
    SnapshotLine,
    TimelineLine,
    TurnLine,
)

L = TypeVar("L", TimelineLine, EventLine, SnapshotLine, TurnLine)

_decode: Callable[[bytes], AnyLine] = msgspec.json.Decoder(AnyLine).decode
_decode_preamble = msgspec.json.Decoder(Preamble).decode
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


class Unsound(Exception):
    """The line just read cannot be true; the import says where it stands."""


class WorldFileReader:
    def __init__(self, source: BinaryIO) -> None:
        self._lines = reading(source)
        self._hash = hashlib.sha256()
        self._seen: Counter[type] = Counter()
        self._ahead: AnyLine | None = None
        self.number = 0
        """Of the line read last."""

    def header(self) -> Header:
        data = self._read()
        try:
            what = _decode_preamble(data)
        except (ValueError, RecursionError):
            what = Preamble()
        if what.format != FORMAT:
            raise CorruptWorld("This is not a world file.", "World files are made by `talekeeper world export`.")
        if what.version != VERSION:
            raise CorruptWorld(
                f"This world file has format {what.version}; this Talekeeper reads format {VERSION}.",
                "Upgrade Talekeeper." if what.version > VERSION else "Export the world anew.",
            )
        header = self._line(data)
        if not isinstance(header, Header):
            raise Unsound("it is not a header")
        return header

    def section(self, kind: type[L]) -> Iterator[L]:
        """The lines of one kind that come next."""
        while isinstance(line := self._peek(), kind):
            self._ahead = None
            self._seen[kind] += 1
            yield line

    def end(self) -> Footer:
        """Nothing but a footer that fits, and nothing after it."""
        footer = self._peek()
        if not isinstance(footer, Footer):
            raise Unsound(f"it is a {type(footer).__name__}, out of order")
        seen = Footer(
            timelines=self._seen[TimelineLine], events=self._seen[EventLine], snapshots=self._seen[SnapshotLine],
            turns=self._seen[TurnLine], sha256=self._hash.hexdigest(),
        )  # fmt: skip
        if footer != seen:
            raise CorruptWorld("The world file was changed after it was made: its footer does not fit.", COPY_AGAIN)
        if self._lines.next(1):
            raise CorruptWorld("Something follows the end of the world file.", COPY_AGAIN)
        return footer

    def _peek(self) -> AnyLine:
        if self._ahead is None:
            self._ahead = self._line(self._read())
        return self._ahead

    def _read(self) -> bytes:
        self.number += 1
        data = self._lines.next(MOST_LINE_BYTES)
        if len(data) > MOST_LINE_BYTES:
            raise Unsound(f"it is longer than {MOST_LINE_BYTES >> 20} MiB")
        if not data:
            empty = self.number == 1
            raise CorruptWorld(
                "The file is empty." if empty else "The world file breaks off before its end.", COPY_AGAIN
            )
        return data

    def _line(self, data: bytes) -> AnyLine:
        try:
            line = _decode(data)
        except RecursionError as error:
            raise Unsound("it is nested too deeply") from error
        except ValueError as error:
            raise Unsound(f"it does not read: {error}") from error
        if b"\\u0000" in data and _NUL.search(data):
            raise Unsound("it contains a NUL character")
        if not isinstance(line, Footer):
            self._hash.update(data)
        return line
