"""How long to wait before the next attempt: longer each time, and never all at once with everybody else."""

from __future__ import annotations

import random


class Backoff:
    def __init__(self, first: float = 1.0, longest: float = 120.0, chance: random.Random | None = None) -> None:
        self._first = first
        self._longest = longest
        self._chance = chance or random.Random()
        self._attempts = 0

    def next(self) -> float:
        """Between half and all of a pause that doubles up to the longest."""
        pause = min(self._longest, self._first * 2.0 ** min(self._attempts, 30))
        self._attempts += 1
        return pause * self._chance.uniform(0.5, 1.0)

    def reset(self) -> None:
        self._attempts = 0
