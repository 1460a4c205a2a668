"""A fake Twitch, clocks that move when waited on, and a listener that can be waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from talekeeper.doors.stream.outgoing import Outgoing, OutgoingLine
from talekeeper.doors.stream.transport.port import Heard
from talekeeper.testing.clock import FakeClock
from talekeeper.testing.twitch.scripted_transport import ScriptedTransport


class Listener:
    """Keeps what a transport hears; `until` waits for something of it."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []
        self._more = asyncio.Condition()

    async def __call__(self, heard: Heard) -> None:
        async with self._more:
            self.heard.append(heard)
            self._more.notify_all()

    async def until(self, wanted: Callable[[Heard], bool]) -> Heard:
        async with asyncio.timeout(15), self._more:
            await self._more.wait_for(lambda: any(wanted(one) for one in self.heard))
        return next(one for one in self.heard if wanted(one))

    async def line(self, text: str) -> Any:
        found = await self.until(lambda one: getattr(getattr(one, "line", None), "text", None) == text)
        return found.line  # type: ignore[union-attr]


class Desk:
    """An outgoing queue on a scripted transport, and the marks it left. Waiting moves the clock."""

    def __init__(self, **more: Any) -> None:
        self.transport = ScriptedTransport()
        self.time = FakeClock(0.0)
        self.clock = FakeClock()
        self.marks: list[tuple[str, str, str]] = []
        self.left: list[float] = []
        self.out = Outgoing(
            self.transport, self.clock, self.mark, steady=self.time, wait=self.wait, channel="hearth", **more
        )

    def mark(self, line: OutgoingLine, state: str, reason: str) -> None:
        self.marks.append((line.action_id, state, reason))
        if state == "sending":
            self.left.append(self.time())

    async def wait(self, seconds: float) -> None:
        assert seconds >= 0
        await asyncio.sleep(0)
        self.time.advance(seconds)

    def states(self, action_id: str) -> list[str]:
        return [state for action, state, _reason in self.marks if action == action_id]


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture(scope="session")
def new_desk() -> type[Desk]:
    return Desk


@pytest.fixture
def desk() -> Desk:
    return Desk()
