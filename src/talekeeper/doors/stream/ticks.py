"""The loop that looks at every open session again and again, at an interval the operator may change while it runs."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable

import structlog

from talekeeper.errors import BadInput

log = structlog.get_logger("talekeeper.stream")

LONGEST = 86400.0


def checked_interval(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds) or not 1 <= seconds <= LONGEST:
        raise BadInput(
            "The interval must be a number of seconds, one or more.", f"At most {LONGEST:.0f}, which is a day."
        )
    return seconds


class TickLoop:
    def __init__(self, tick: Callable[[], Awaitable[object]], interval: float) -> None:
        self.interval = interval
        self.running = False
        self._tick = tick
        self._changed = asyncio.Event()

    def set_interval(self, seconds: float) -> None:
        self.interval = seconds
        self._changed.set()

    async def run(self) -> None:
        self.running = True
        try:
            while True:
                await self._pause()
                try:
                    await self._tick()
                except Exception as error:
                    log.error("tick_failed", error=repr(error), exc_info=error)
        finally:
            self.running = False

    async def _pause(self) -> None:
        """A changed interval counts at once, from now."""
        while True:
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), self.interval)
            except TimeoutError:
                return
