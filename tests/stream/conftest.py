"""The real server with a companion in it, in the test's own event loop, on a clock that stands still."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from talekeeper.app.engine import Engine
from talekeeper.app.server import build_server
from talekeeper.app.settings import Settings
from talekeeper.app.stream_door import stream_companion
from talekeeper.doors.stream.live_status import Live
from talekeeper.doors.stream.mouth import Reach
from talekeeper.doors.stream.sessions import Companion
from talekeeper.doors.stream.transport.choose import NoTransport
from talekeeper.testing.clock import FakeClock
from talekeeper.testing.house import House
from talekeeper.testing.twitch.scripted_transport import ScriptedTransport

KEY = "a key for tests"


class Told:
    """Says what a test tells it about being live."""

    def __init__(self, clock: FakeClock, channel: str) -> None:
        self.clock, self.channel = clock, channel
        self.live = False
        self.known = True
        self.asked: list[bool] = []
        self.started_at: float | None = None

    async def get(self, force: bool = False) -> Live:
        self.asked.append(force)
        reason = None if self.live else "stream_offline" if self.known else "twitch_api_not_configured"
        return Live(self.channel, self.live, self.clock(), reason=reason, started_at=self.started_at)


class Door:
    """A running server, an operator with the key, and the wires of the configured channel."""

    def __init__(self, engine: Engine, clock: FakeClock, transport: ScriptedTransport | NoTransport) -> None:
        self.engine, self.clock, self.transport = engine, clock, transport
        self.status: dict[str, Told] = {}
        self.companion: Companion = stream_companion(engine, self._reach)
        self.app = build_server(engine, companion=self.companion)
        self.http: httpx.AsyncClient

    def _reach(self, channel: str) -> Reach:
        told = self.status.setdefault(channel, Told(self.clock, channel))
        mine = channel == self.companion.settings.channel
        return Reach(self.transport if mine else NoTransport(), told)

    @property
    def settings(self) -> Settings:
        return self.engine.settings

    async def get(self, path: str, **query: Any) -> httpx.Response:
        return await self.http.get(f"/admin/{path}", params=query)

    async def form(self, path: str, **fields: Any) -> httpx.Response:
        return await self.http.post(f"/admin/{path}", data=fields)

    async def json(self, path: str, body: Any) -> httpx.Response:
        return await self.http.post(f"/admin/{path}", json=body)

    async def begin(self, channel: str = "hearth") -> str:
        answer = await self.form("session/start", channel_name=channel)
        assert answer.status_code == 200, answer.text
        return answer.json()["session_id"]

    async def look(self) -> list[Any]:
        return await self.companion.tick_all()

    async def say(self, session: str, message: str, username: str = "mara") -> dict[str, Any]:
        answer = await self.form("test-message", session_id=session, message=message, username=username)
        assert answer.status_code == 200, answer.text
        return answer.json()


OpenDoor = Callable[..., Any]


@pytest.fixture
async def open_door(sqlite_house: House, clock: FakeClock) -> AsyncIterator[OpenDoor]:
    """Starts servers; with `settings` of an earlier one, on the home that one left."""
    stack = AsyncExitStack()

    async def open_(settings: Settings | None = None, *, silent: bool = False, **more: Any) -> Door:
        given = {"stream_admin_key": KEY, "limits_requests": 0, "store_synchronous": "NORMAL", **more}
        chosen = settings or sqlite_house.settings(world=False, **given)
        transport = NoTransport() if silent else ScriptedTransport()
        door = Door(Engine.open(chosen, clock=clock), clock, transport)
        await stack.enter_async_context(door.app.router.lifespan_context(door.app))
        door.http = await stack.enter_async_context(
            httpx.AsyncClient(
                transport=httpx.ASGITransport(door.app), base_url="http://127.0.0.1", headers={"X-Admin-Token": KEY}
            )
        )
        return door

    yield open_
    await stack.aclose()


@pytest.fixture
async def door(open_door: OpenDoor) -> Door:
    """In the channel `hearth`, connected, and not live."""
    return await open_door(stream_channel="hearth")


@pytest.fixture
def until() -> Callable[[Callable[[], bool]], Any]:
    """Waits until something holds."""

    async def wait(holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not holds():  # noqa: ASYNC110 - whatever it is, nobody tells
                await asyncio.sleep(0.002)

    return wait
