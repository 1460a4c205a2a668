"""The file behind the writer: one O_APPEND descriptor, whole lines, torn tails mended, fsync in groups."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Literal

Sync = Literal["batch", "each"] | None
"""None: in the file on return. "each": on the medium on return. "batch": on the medium a moment later, or after flush."""

GROUP_SECONDS = 0.01
_LOOKS, _LOOK_SECONDS = 50, 0.001

# Not every system has the cheaper call.
_to_medium: Callable[[int], None] = getattr(os, "fdatasync", os.fsync)


class Log:
    """Appends whole lines, each with a single write(2), so threads and processes may share the file without a lock."""

    def __init__(self, path: Path, sync: Sync = None) -> None:
        self.path = path
        self._sync = sync
        self._fd = -1
        self._end = 0
        self._opening = threading.Lock()
        self._group: _GroupCommit | None = None

    def append(self, lines: bytes) -> None:
        if self._fd < 0:
            self._open()
        if self._group is not None:
            self._group.raise_failure()
        fd = self._fd
        end = os.lseek(fd, 0, os.SEEK_END)
        if end != self._end and _is_torn(fd):
            lines = b"\n" + lines
        written = os.write(fd, lines)
        if written != len(lines):
            self._end = -1
            while written < len(lines):
                written += os.write(fd, lines[written:])
        self._end = end + written
        if self._sync is not None:
            self._make_durable()

    def flush(self) -> None:
        """Return once everything appended so far is on the medium."""
        if self._fd >= 0:
            _to_medium(self._fd)
        if self._group is not None:
            self._group.raise_failure()

    def follow(self, inode: tuple[int, int]) -> None:
        """The file at our path is this one now: if somebody moved ours away, the next append opens the new one."""
        if self._fd >= 0:
            state = os.fstat(self._fd)
            if inode != (state.st_dev, state.st_ino):
                self.close()

    def close(self) -> None:
        fd, self._fd = self._fd, -1
        group, self._group = self._group, None
        if fd >= 0:
            try:
                if group is not None:
                    group.stop()
                if self._sync is not None:
                    _to_medium(fd)
            finally:
                os.close(fd)

    def _open(self) -> None:
        with self._opening:
            if self._fd < 0:
                fd = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
                self._end = -1
                self._group = _GroupCommit(fd) if self._sync == "batch" else None
                self._fd = fd

    def _make_durable(self) -> None:
        if self._group is None:
            _to_medium(self._fd)
        else:
            self._group.mark()

    def __del__(self) -> None:
        with suppress(OSError):  # nobody is left to be told
            self.close()


def _is_torn(fd: int) -> bool:
    """Whether somebody died within the last line. Another process may just be writing it, so look more than once."""
    for _ in range(_LOOKS):
        end = os.lseek(fd, 0, os.SEEK_END)
        if end == 0 or os.pread(fd, 1, end - 1) == b"\n":
            return False
        time.sleep(_LOOK_SECONDS)
    return True


class _GroupCommit:
    """One fdatasync for all lines of the last moment, on a thread of its own so that nobody waits for it."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._dirty = threading.Event()
        self._stopped = threading.Event()
        self._failure: OSError | None = None
        self._thread = threading.Thread(target=self._run, name="chronicle-commit", daemon=True)
        self._thread.start()

    def mark(self) -> None:
        if not self._dirty.is_set():
            self._dirty.set()

    def raise_failure(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def stop(self) -> None:
        self._stopped.set()
        self._dirty.set()
        self._thread.join()
        self.raise_failure()

    def _run(self) -> None:
        while True:
            self._dirty.wait()
            if self._stopped.wait(GROUP_SECONDS):
                return
            self._dirty.clear()
            try:
                _to_medium(self._fd)
            except OSError as failure:
                self._failure = failure
