"""How often something may happen: a bucket that fills at a steady rate."""

from __future__ import annotations

from collections.abc import Callable


class Rate:
    def __init__(self, per_second: float, at_once: int, now: Callable[[], float]) -> None:
        self._per_second = per_second
        self._most = float(at_once)
        self._left = self._most
        self._now = now
        self._at = now()

    def allows(self) -> bool:
        now = self._now()
        self._left = min(self._most, self._left + (now - self._at) * self._per_second)
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
