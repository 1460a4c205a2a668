"""Real servers: uvicorn on a free port, in a thread with an event loop of its own, on a copy of the sample world."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from talekeeper.agents.teller import Teller
from talekeeper.app.engine import Engine
from talekeeper.app.server import build_server
from talekeeper.app.serving import HouseServer
from talekeeper.testing.house import WORLD, House


class Server:
    """A running server, and how to reach it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.app = build_server(engine)
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.api = f"{self.url}/api/v1"
        self._server = HouseServer(self.app)
        self._thread = threading.Thread(target=self._run, name="server", daemon=True)

    def _run(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))

    def start(self) -> Server:
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            threading.Event().wait(0.005)
        assert self._thread.is_alive(), "the server did not start"
        return self

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=20)
        assert not self._thread.is_alive(), "the server did not stop"
        self._socket.close()

    def live(self, world: str = WORLD, query: str = "", **more: Any) -> connect:
        where = f"ws://127.0.0.1:{self.port}/api/v1/worlds/{world}/live"
        return connect(f"{where}?{query}" if query else where, **more)


Serve = Callable[..., Server]


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
