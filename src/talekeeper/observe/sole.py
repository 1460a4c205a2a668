"""Am I the only Talekeeper in this home? Held by the operating system, so a crash lets go of it."""

from __future__ import annotations

from pathlib import Path
from typing import IO


class SoleUse:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._held: IO[bytes] | None = None

    def take(self) -> bool:
        """Whether nobody else holds it; where the system knows no such locks, one is never sure."""
        try:
            import fcntl  # noqa: PLC0415 - not on every system
        except ImportError:
            return False
        held = self._file.open("ab")
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            held.close()
            return False
        self._held = held
        return True

    def release(self) -> None:
        if self._held is not None:
            self._held.close()
            self._held = None
