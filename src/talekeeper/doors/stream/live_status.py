"""Whether the channel is live, as far as anybody can tell; in doubt it is not."""

from __future__ import annotations

import asyncio
import time
from typing import Literal, Protocol

import msgspec
import structlog

from talekeeper.doors.stream.transport.helix import OnAir
from talekeeper.errors import TalekeeperError
from talekeeper.observe.clock import Clock, system_clock

log = structlog.get_logger("talekeeper.stream")

Reason = Literal["twitch_api_not_configured", "twitch_api_error", "stream_offline"]

ERROR_SECONDS = 10.0
"""How long an error is believed, unless the cache is shorter still."""


class Live(msgspec.Struct, frozen=True):
    channel: str
    is_live: bool
    checked_at: float
    title: str = ""
    game_name: str = ""
    started_at: float | None = None
    viewer_count: int | None = None
    reason: Reason | None = None


class Streams(Protocol):
    async def on_air(self, login: str) -> OnAir | None:
        """None when the channel is offline; any `TalekeeperError` when that cannot be known."""


class LiveStatus:
    """`steady` measures the age of what is known, so that a clock that jumps makes nothing older or younger."""

    def __init__(
        self,
        channel: str,
        streams: Streams | None,
        *,
        clock: Clock = system_clock,
        cache_seconds: float = 60.0,
        steady: Clock = time.monotonic,
    ) -> None:
        self._channel = channel
        self._streams = streams
        self._clock = clock
        self._cache_seconds = cache_seconds
        self._steady = steady
        self._known: Live | None = None
        self._known_at = 0.0
        self._asking = asyncio.Lock()

    async def get(self, force: bool = False) -> Live:
        asked_at = self._steady()
        async with self._asking:
            # Whoever waited for somebody else's question takes that answer.
            if self._known is not None and (self._fresh() if not force else self._known_at > asked_at):
                return self._known
            self._known = await self._ask()
            self._known_at = self._steady()
            return self._known

    def _fresh(self) -> bool:
        assert self._known is not None
        lasts = self._cache_seconds
        if self._known.reason == "twitch_api_error":
            lasts = min(lasts, ERROR_SECONDS)
        return self._steady() - self._known_at < lasts

    async def _ask(self) -> Live:
        if self._streams is None:
            return self._not_live("twitch_api_not_configured")
        try:
            found = await self._streams.on_air(self._channel)
        except TalekeeperError as error:
            log.warning("live_status_unknown", channel=self._channel, error=str(error))
            return self._not_live("twitch_api_error")
        if found is None:
            return self._not_live("stream_offline")
        return Live(
            channel=self._channel, is_live=True, checked_at=self._clock(), title=found.title, game_name=found.game,
            started_at=found.started_at, viewer_count=found.viewers,
        )  # fmt: skip

    def _not_live(self, reason: Reason) -> Live:
        return Live(self._channel, is_live=False, checked_at=self._clock(), reason=reason)
