"""Running the HTTP application: bound, started, and ended within seconds however many are watching."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI

from talekeeper.app.server import say_goodbye
from talekeeper.errors import Unavailable

MOST_SOCKET_MESSAGE = 4 << 20
"""Doors take less; a little more lets them say so before they close."""
GOODBYE_SECONDS = 3
"""What is still being answered when the server ends has so long."""
START_SECONDS, STOP_SECONDS = 30, 20


class HouseServer(uvicorn.Server):
    """Lets those who watch go before it waits for them: they are told to come back, and do."""

    def __init__(
        self,
        app: FastAPI,
        *,
        ping_interval: float = 20.0,
        ping_timeout: float = 60.0,
        on_start: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                ws="websockets-sansio",
                ws_max_size=MOST_SOCKET_MESSAGE,
                ws_ping_interval=ping_interval,
                ws_ping_timeout=ping_timeout,
                timeout_graceful_shutdown=GOODBYE_SECONDS,
                server_header=False,
            )
        )
        self._house = app
        self._on_start = on_start

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._on_start()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await say_goodbye(self._house)
        await super().shutdown(sockets)


class ServerThread:
    """A server beside whatever else this process does, with a thread and an event loop of its own."""

    def __init__(self, app: FastAPI) -> None:
        self.bound = bind("127.0.0.1", 0)
        self.port: int = self.bound.getsockname()[1]
        self.loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._server = HouseServer(app, on_start=self._ready.set)
        self._thread = threading.Thread(target=self._run, name="server", daemon=True)

    def _run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
                runner.run(self._server.serve(sockets=[self.bound]))
        finally:
            self._ready.set()

    def start(self) -> None:
        self._thread.start()
        self._ready.wait(START_SECONDS)
        if not self._server.started:
            raise Unavailable("The server did not start.", "See the log under the home's logs.")

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(STOP_SECONDS)
        if self._thread.is_alive():
            raise Unavailable("The server does not stop.", "Something in it still waits; its process can be ended.")
        self.bound.close()


def bind(host: str, port: int) -> socket.socket:
    """Bound before anything else is begun, so that a taken port is said at once."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
        except OSError:
            bound.close()
            raise
    except OSError as error:
        raise Unavailable(
            f"{host}:{port} cannot be listened on: {error.strerror}.",
            "Another program may have it. Choose another with --port; 0 takes any that is free.",
        ) from error
    return bound
