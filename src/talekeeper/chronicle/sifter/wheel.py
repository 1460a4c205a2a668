"""What began when, in coarse slots: adding a key costs an append, and a slot is looked at once when it is over."""

from __future__ import annotations

from collections.abc import Iterator

from .change import Key

_SLOTS = 16
"""How finely the span of an arc is divided. Whoever touches a partial checks its deadline exactly."""

NEVER = float("inf")


class Wheel:
    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._width = seconds / _SLOTS
        self._slots: dict[int, list[Key]] = {}
        self._current: list[Key] = []
        self._begin = self._end = 0.0
        self.due = NEVER
        """When everything in the oldest slot is past its deadline."""

    def add(self, key: Key, at: float) -> None:
        if self._begin <= at < self._end:
            self._current.append(key)
        elif self._width != NEVER:
            slot = int(at // self._width)
            self._begin, self._end = slot * self._width, (slot + 1) * self._width
            self.due = min(self.due, self._end + self._seconds)
            self._current = self._slots.setdefault(slot, [])
            self._current.append(key)

    def passed(self, now: float) -> Iterator[list[Key]]:
        """The keys of every slot that is due, each slot once."""
        while self.due < now:
            keys = self._slots.pop(min(self._slots))
            if keys is self._current:
                self._begin = self._end = 0.0
            self.due = (min(self._slots) + 1) * self._width + self._seconds if self._slots else NEVER
            yield keys
