"""A fake Twitch, clocks that move when waited on, and a listener that can be waited for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from talekeeper.doors.stream.outgoing import Outgoing, OutgoingLine
from talekeeper.doors.stream.transport.backoff import Backoff
from talekeeper.doors.stream.transport.credentials import TwitchAddresses, TwitchKeys
from talekeeper.doors.stream.transport.eventsub import EventSubTransport
from talekeeper.doors.stream.transport.helix import Helix
from talekeeper.doors.stream.transport.irc import IrcPatience, IrcServer, IrcTransport
from talekeeper.doors.stream.transport.port import ChatTransport, Heard
from talekeeper.testing.clock import FakeClock
from talekeeper.testing.twitch.fake import FakeTwitch
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


class Running:
    """A transport that runs until the test ends."""

    def __init__(self, transport: ChatTransport, listener: Listener) -> None:
        self.transport = transport
        self.task = asyncio.create_task(transport.run(listener))

    async def connected(self) -> None:
        await eventually(lambda: self.transport.state.connected or self.task.done())
        assert self.transport.state.connected, self.transport.state.last_error

    async def end(self) -> None:
        await self.transport.stop()
        async with asyncio.timeout(15):
            await asyncio.gather(self.task, return_exceptions=True)
        assert not self.transport.state.connected
        assert not self.transport.state.running


async def eventually(what: Callable[[], Any]) -> None:
    """Gives way to everybody else until something is true."""
    async with asyncio.timeout(15):
        while not what():  # noqa: ASYNC110 (what is waited for knows nothing of events)
            await asyncio.sleep(0.002)


@pytest.fixture
def until() -> Callable[[Callable[[], Any]], Any]:
    return eventually


@pytest.fixture
async def twitch() -> AsyncIterator[FakeTwitch]:
    async with FakeTwitch() as fake:
        yield fake


@pytest.fixture
async def start(listener: Listener) -> AsyncIterator[Callable[[ChatTransport], Running]]:
    """Runs transports on the listener, and stops them in the end."""
    started: list[Running] = []

    def begin(transport: ChatTransport) -> Running:
        started.append(Running(transport, listener))
        return started[-1]

    yield begin
    for running in started:
        await running.end()


@pytest.fixture
def irc(twitch: FakeTwitch) -> Callable[..., IrcTransport]:
    """An IRC adapter on the fake Twitch."""

    def make(password: str = "", **more: Any) -> IrcTransport:
        return IrcTransport(
            twitch.channel,
            twitch.bot,
            password or f"oauth:{twitch.token()}",
            server=IrcServer("127.0.0.1", twitch.irc.port, tls=False),
            backoff=Backoff(first=0.01, longest=0.05),
            **{"patience": IrcPatience(login=5.0, idle=30.0, answer=5.0), **more},
        )

    return make


@pytest.fixture
def helix(twitch: FakeTwitch) -> Callable[..., Helix]:
    """Helix on the fake Twitch, by default with every key."""

    def make(secret: str | None = None, token: str | None = None, timeout: float = 5.0) -> Helix:
        keys = TwitchKeys(
            twitch.client_id,
            twitch.client_secret if secret is None else secret,
            twitch.token() if token is None else token,
        )
        return Helix(keys, TwitchAddresses(twitch.helix_url, twitch.auth_url, twitch.eventsub_url), timeout=timeout)

    return make


@pytest.fixture
def eventsub(twitch: FakeTwitch, helix: Callable[..., Helix]) -> Callable[..., EventSubTransport]:
    """An EventSub adapter on the fake Twitch."""

    def make(api: Helix | None = None, **more: Any) -> EventSubTransport:
        return EventSubTransport(
            twitch.channel,
            api or helix(),
            twitch.eventsub_url,
            backoff=Backoff(first=0.01, longest=0.05),
            **{"slack": 5.0, **more},
        )

    return make
