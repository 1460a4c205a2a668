"""A server of our own for as long as an evening lasts, when none is running."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from talekeeper.app.engine import Engine
from talekeeper.app.server import build_server
from talekeeper.app.serving import ServerThread
from talekeeper.app.settings import Settings


@contextmanager
def own_server(settings: Settings) -> Iterator[str]:
    """The address of its game door."""
    server = ServerThread(build_server(Engine.open(settings)))
    server.start()
    try:
        yield f"ws://127.0.0.1:{server.port}/ws"
    finally:
        server.stop()
