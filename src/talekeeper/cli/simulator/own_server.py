"""A server of our own for as long as an evening lasts, when none is running."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from talekeeper.app.engine import Engine
from talekeeper.app.settings import Settings
from talekeeper.errors import Unavailable


@contextmanager
def own_server(settings: Settings) -> Iterator[str]:
    """The address of its game door."""
    from talekeeper.app.server import build_server  # noqa: PLC0415 - other commands start faster without it
    from talekeeper.app.serving import HouseServer, bind  # noqa: PLC0415

    bound = bind("127.0.0.1", 0)
    ready = threading.Event()
    server = HouseServer(build_server(Engine.open(settings)), on_start=ready.set)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[bound])), name="server", daemon=True)
    thread.start()
    try:
        if not ready.wait(30):
            raise Unavailable("The server did not start.", "See the log under the home's logs.")
        yield f"ws://127.0.0.1:{bound.getsockname()[1]}/ws"
    finally:
        server.should_exit = True
        thread.join(10)
