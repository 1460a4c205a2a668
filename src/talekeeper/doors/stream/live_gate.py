"""May anything be posted now? Only to a live channel, unless the operator has said otherwise; when in doubt, no."""

from __future__ import annotations

from typing import Protocol

from talekeeper.doors.stream.live_status import Live
from talekeeper.observe.clock import Clock

WARNING = "Offline test mode is on: the companion may post though the channel is not live."


class KnowsLive(Protocol):
    async def get(self, force: bool = False) -> Live: ...


class LiveGate:
    """`test_mode` set by the environment does not end; switched on by the operator it does."""

    def __init__(self, clock: Clock, *, required: bool = True, test_mode: bool = False, test_seconds: float = 3600.0):
        self.required = required
        self._clock = clock
        self._for_good = test_mode
        self._seconds = test_seconds
        self._until: float | None = None

    @property
    def test_mode(self) -> bool:
        if self._until is not None and self._clock() >= self._until:
            self._until = None
        return self._for_good or self._until is not None

    @property
    def expires_at(self) -> float | None:
        return self._until if self.test_mode and not self._for_good else None

    @property
    def warning(self) -> str | None:
        if not self.test_mode:
            return None
        return WARNING if self.expires_at is not None else f"{WARNING} The setting does not end by itself."

    def switch(self, *, on: bool) -> None:
        """Switched off, it is off, even where the environment had set it."""
        self._for_good = self._for_good and on
        self._until = self._clock() + self._seconds if on and not self._for_good else None

    @property
    def open_to_all(self) -> bool:
        """Nobody asks whether the channel is live."""
        return not self.required or self.test_mode

    async def lets_pass(self, status: KnowsLive) -> bool:
        return self.open_to_all or (await status.get()).is_live
