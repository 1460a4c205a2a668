"""Staying connected, and being heard out in the end."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.doors.stream.transport import ear as ear_module
from talekeeper.doors.stream.transport.backoff import Backoff
from talekeeper.doors.stream.transport.ear import Ear
from talekeeper.doors.stream.transport.lost import Lost
from talekeeper.doors.stream.transport.persistence import stay_connected
from talekeeper.doors.stream.transport.port import BadCredentials, LineRemoved, TransportState
from talekeeper.errors import Unavailable


@given(st.floats(0.01, 10), st.floats(10, 500), st.integers(0, 2**32))
def test_pauses_grow_to_a_limit_and_are_never_all_alike(first: float, longest: float, seed: int) -> None:
    backoff = Backoff(first, longest, random.Random(seed))
    pauses = [backoff.next() for _ in range(100)]
    for n, pause in enumerate(pauses):
        whole = min(longest, first * 2.0**n)
        assert whole / 2 <= pause <= whole
    assert len(set(pauses)) > 50
    backoff.reset()
    assert backoff.next() <= first


async def test_one_connection_after_the_other_until_stopped() -> None:
    state, stopped, held = TransportState(), asyncio.Event(), []
    troubles = [OSError("no route"), Lost("hung up"), Unavailable("busy"), TimeoutError(), None]

    async def hold() -> None:
        held.append(state.last_error)
        if (trouble := troubles[len(held) - 1]) is not None:
            raise trouble
        stopped.set()
        await asyncio.Event().wait()

    await stay_connected(hold, state, stopped, Backoff(0.001, 0.001))
    assert held == ["", "no route", "hung up", "busy", "TimeoutError"]
    assert not state.running


async def test_a_refusal_ends_it_and_a_bug_is_not_hidden() -> None:
    state = TransportState()

    async def refused() -> None:
        raise BadCredentials("no such token")

    async def bug() -> None:
        raise ZeroDivisionError

    with pytest.raises(BadCredentials):
        await stay_connected(refused, state, asyncio.Event(), Backoff())
    assert state.last_error == "no such token"
    with pytest.raises(ZeroDivisionError):
        await stay_connected(bug, state, asyncio.Event(), Backoff())
    assert not state.running


async def test_what_was_heard_before_the_end_is_handed_on() -> None:
    got: list[Any] = []

    async def heard(one: Any) -> None:
        await asyncio.sleep(0)
        got.append(one.name)

    async with Ear(heard) as ear:
        for n in range(100):
            await ear.tell(LineRemoved(name=str(n)))
    assert got == [str(n) for n in range(100)]


async def test_a_listener_that_never_returns_does_not_hold_up_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ear_module, "_PATIENCE", 0.02)

    async def never(_one: Any) -> None:
        await asyncio.Event().wait()

    async with asyncio.timeout(10), Ear(never) as ear:
        await ear.tell(LineRemoved())
