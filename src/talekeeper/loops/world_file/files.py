"""World files on disk: gzip or plain, written beside their place and moved there when whole, read within bounds."""

from __future__ import annotations

import gzip
import io
import os
import secrets
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from talekeeper.errors import Conflict, CorruptWorld, NotFound

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

COPY_AGAIN = "Copy it again from where it came, or export the world anew."
_GZIP = b"\x1f\x8b"
_MOST_SWELLING = 400
_FREE_BYTES = 64 << 20


@contextmanager
def writing(path: Path, *, overwrite: bool = False) -> Iterator[BinaryIO]:
    """Gzip if the name ends so. The file appears whole or not at all."""
    if path.exists() and not overwrite:
        raise Conflict(f"{path} is already there.", "Choose another name, or add --force to replace it.")
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as raw:
            if path.suffix == ".gz":
                with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0) as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield raw
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def open_world_file(path: Path) -> Iterator[BinaryIO]:
    try:
        raw = path.open("rb")
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {path}.", "Check the path.") from error
    with raw:
        yield raw


def reading(raw: BinaryIO) -> BoundedLines:
    """What is inside, whether it is packed or not: its first bytes say."""
    counted = _Counted(raw)
    plain = io.BufferedReader(counted, 1 << 20)
    if plain.peek(len(_GZIP)).startswith(_GZIP):
        return BoundedLines(gzip.GzipFile(fileobj=plain, mode="rb"), counted)
    return BoundedLines(plain, counted)


class BoundedLines:
    """No line longer than asked for, and no swelling beyond what an honest file has."""

    def __init__(self, stream: io.BufferedReader[_Counted] | gzip.GzipFile, source: _Counted) -> None:
        self._stream = stream
        self._source = source
        self._read = 0

    def next(self, most: int) -> bytes:
        """The next line, empty at the end; one byte more than `most` if it is longer than that."""
        try:
            line = self._stream.readline(most + 1)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise CorruptWorld(f"The packed file breaks off or is damaged: {error}.", COPY_AGAIN) from error
        self._read += len(line)
        if self._read > _FREE_BYTES and self._read > _MOST_SWELLING * self._source.taken:
            raise CorruptWorld(
                f"The packed file swells to more than {_MOST_SWELLING} times its size.", "No world does."
            )
        return line


class _Counted(io.RawIOBase):
    """Counts what is taken from a stream."""

    def __init__(self, raw: BinaryIO) -> None:
        self._raw = raw
        self.taken = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        data = self._raw.read(len(view))
        view[: len(data)] = data
        self.taken += len(data)
        return len(data)
