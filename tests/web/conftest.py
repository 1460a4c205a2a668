"""Real servers: uvicorn on a free port, in a thread with an event loop of its own, on a copy of the sample world."""

from __future__ import annotations

import asyncio
import itertools
import json
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from websockets.asyncio.client import ClientConnection, connect

from talekeeper.agents.teller import Teller, Telling, Voicing
from talekeeper.app.engine import Engine
from talekeeper.app.server import build_server
from talekeeper.app.serving import ServerThread
from talekeeper.doors.common import passwords
from talekeeper.testing.house import WORLD, House


class Server:
    """A running server, and how to reach it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.app = build_server(engine)
        self._server = ServerThread(self.app)
        self.port = self._server.port
        self.url = f"http://127.0.0.1:{self.port}"
        self.api = f"{self.url}/api/v1"

    def start(self) -> Server:
        self._server.start()
        return self

    def stop(self) -> None:
        self._server.stop()

    def buffer_little(self) -> None:
        """What the system would take in for a client that does not read: hardly anything."""
        self._server.bound.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)

    def live(self, world: str = WORLD, query: str = "", **more: Any) -> connect:
        where = f"ws://127.0.0.1:{self.port}/api/v1/worlds/{world}/live"
        return connect(f"{where}?{query}" if query else where, **more)


Serve = Callable[..., Server]
PASSWORD = "correct horse battery"


class Browser:
    """A browser with our page in it: keeps cookies, sends the proof along, and says where it comes from."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.http = httpx.AsyncClient(base_url=f"{server.api}/", headers={"Origin": server.url}, timeout=30)

    async def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return await self.http.request(method, path, **more)

    async def enter(self, how: str, name: str, **more: Any) -> httpx.Response:
        answer = await self.http.post(f"auth/{how}", json={"name": name, "password": PASSWORD, **more})
        if answer.is_success:
            self.http.headers["X-CSRF-Token"] = answer.json()["csrf"]
        return answer

    async def accept(self, code: str, **more: Any) -> httpx.Response:
        answer = await self.ask("POST", f"invites/{code}/accept", json=more)
        self.http.headers["X-CSRF-Token"] = (await self.ask("GET", "auth/me")).json()["csrf"]
        return answer

    @property
    def cookie(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)

    def live(self, world: str = WORLD, query: str = "") -> connect:
        return self.server.live(world, query, additional_headers={"Cookie": self.cookie}, origin=self.server.url)


class EndlessTeller:
    """Tells and tells, megabytes a second, until the guard has had enough."""

    name = "endless"

    async def tell(self, telling: Telling) -> AsyncIterator[str]:
        # A tale that repeated itself would be stopped by the guard.
        for start in itertools.count(step=2000):
            yield f"<narration>{' '.join(map(str, range(start, start + 2000)))}</narration>"
            await asyncio.sleep(0.004)

    async def voice(self, voicing: Voicing) -> AsyncIterator[str]:
        yield "<say>Yes.</say>"


@pytest.fixture
def endless_teller() -> EndlessTeller:
    return EndlessTeller()


@pytest.fixture
async def browsers() -> AsyncIterator[Callable[[Server], Browser]]:
    """Opens browsers on a server, and closes them in the end."""
    opened: list[Browser] = []

    def open_(server: Server) -> Browser:
        opened.append(Browser(server))
        return opened[-1]

    yield open_
    for browser in opened:
        await browser.http.aclose()


@pytest.fixture(autouse=True)
def _quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Slow on purpose is for real passwords."""
    monkeypatch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    passwords._nobodys.cache_clear()


@pytest.fixture
def serve(sqlite_house: House) -> Iterator[Serve]:
    """Starts servers on copies of the sample world."""
    started: list[Server] = []

    def start(*, teller: Teller | None = None, world: bool = True, **settings: Any) -> Server:
        server = Server(Engine.open(sqlite_house.settings(world=world, **settings), teller=teller)).start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def server(serve: Serve) -> Server:
    return serve()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a file: for those that change nothing others would notice."""
    house = House(tmp_path_factory.mktemp("shared"))
    server = Server(Engine.open(house.settings(limits_requests=0, limits_turns=0))).start()
    yield server
    server.stop()


@pytest.fixture
async def api(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the API; addresses are relative to /api/v1/."""
    async with httpx.AsyncClient(base_url=f"{server.api}/", timeout=30) as client:
        yield client


@pytest.fixture(scope="module")
def accounts_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server with accounts for all tests of a file."""
    house = House(tmp_path_factory.mktemp("accounts"))
    settings = house.settings(
        world=False, auth="accounts", accounts_registration="open", limits_requests=0, limits_turns=0
    )
    server = Server(Engine.open(settings)).start()
    yield server
    server.stop()


async def frames_until(watching: ClientConnection, kind: str) -> list[dict[str, Any]]:
    """What comes over a live socket, up to the first message of a kind."""
    got: list[dict[str, Any]] = []
    async with asyncio.timeout(20):
        while True:
            got.append(json.loads(await watching.recv()))
            if got[-1]["type"] == kind:
                return got


@pytest.fixture
def until() -> Callable[[ClientConnection, str], Any]:
    return frames_until
