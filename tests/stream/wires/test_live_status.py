"""Live or not: cached, asked once, and closed in doubt."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from talekeeper.doors.stream.live_status import ERROR_SECONDS, LiveStatus
from talekeeper.testing.clock import FakeClock
from talekeeper.testing.twitch.helix_side import Failure


@pytest.fixture
def status(twitch: Any, helix: Any, clock: FakeClock) -> LiveStatus:
    return LiveStatus("hearth", helix(timeout=0.3), clock=clock, steady=FakeClock(0.0))


def asked(twitch: Any) -> int:
    return sum(path == "streams" for _method, path in twitch.helix.asked)


async def test_live_with_everything_there_is_to_know(twitch: Any, status: LiveStatus, clock: FakeClock) -> None:
    await twitch.goes_live("Rain on glass", "Myst")
    live = await status.get()
    assert (live.channel, live.is_live, live.checked_at, live.reason) == ("hearth", True, clock.now, None)
    assert (live.title, live.game_name, live.viewer_count) == ("Rain on glass", "Myst", 7)
    assert live.started_at == pytest.approx(twitch.room.on_air.since, abs=0.001)


async def test_offline_is_a_reason(status: LiveStatus) -> None:
    live = await status.get()
    assert (live.is_live, live.reason) == (False, "stream_offline")


async def test_without_an_api_it_is_not_live() -> None:
    live = await LiveStatus("hearth", None).get()
    assert (live.is_live, live.reason) == (False, "twitch_api_not_configured")


async def test_answers_are_kept_for_a_while_and_can_be_asked_for(twitch: Any, helix: Any) -> None:
    time, clock = FakeClock(0.0), FakeClock()
    status = LiveStatus("hearth", helix(), clock=clock, steady=time)
    await status.get()
    await twitch.goes_live()
    time.advance(59.0)
    assert not (await status.get()).is_live
    assert (await status.get(force=True)).is_live
    await twitch.goes_offline()
    time.advance(60.0)
    assert not (await status.get()).is_live
    assert asked(twitch) == 3
    clock.advance(-1e6)
    await status.get()
    clock.advance(1e9)
    await status.get()
    assert asked(twitch) == 3, "a clock that jumps makes nothing older"


@pytest.mark.parametrize("failure", [Failure(500), Failure(429), Failure(hang=True), Failure(200, b"?"), Failure(403)])
async def test_errors_close_the_gate_and_are_soon_asked_again(twitch: Any, helix: Any, failure: Failure) -> None:
    time = FakeClock(0.0)
    status = LiveStatus("hearth", helix(timeout=0.3), steady=time)
    await twitch.goes_live()
    assert (await status.get()).is_live
    twitch.helix.will("streams", failure, failure)
    assert not (await status.get(force=True)).is_live
    time.advance(ERROR_SECONDS if failure.status != 403 else 60.0)
    twitch.helix._failures.clear()
    assert (await status.get()).is_live


async def test_many_at_once_ask_once(twitch: Any, status: LiveStatus) -> None:
    await asyncio.gather(*(status.get() for _ in range(20)))
    assert asked(twitch) == 1
