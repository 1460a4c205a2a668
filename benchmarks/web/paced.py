"""What the web benchmarks share: our server in a process of its own with a teller that keeps time, and a bare one beside it."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

WORLD = "low-water"
RATE = 30
"""Tokens a second."""


class PacedTeller:
    """Every token carries the moment it was made (monotonic, the same for all processes of a machine)."""

    name = "paced"

    def __init__(self, tokens: int) -> None:
        self._tokens = tokens

    async def tell(self, telling: Any) -> AsyncIterator[str]:
        yield "<narration>"
        begun = time.monotonic()
        for n in range(self._tokens):
            await asyncio.sleep(max(0.0, begun + n / RATE - time.monotonic()))
            yield f"{time.monotonic_ns()} "
        yield "</narration>"

    async def voice(self, voicing: Any) -> AsyncIterator[str]:
        yield "<say>Yes.</say>"


def serve_ours(tokens: int, bound: socket.socket) -> None:
    from talekeeper.app.engine import Engine
    from talekeeper.app.server import build_server
    from talekeeper.app.serving import HouseServer
    from talekeeper.testing.house import House

    settings = House(Path(tempfile.mkdtemp())).settings(limits_requests=0, limits_turns=0)
    HouseServer(build_server(Engine.open(settings, teller=PacedTeller(tokens)))).run(sockets=[bound])


def serve_bare(tokens: int, bound: socket.socket) -> None:
    """The same tokens at the same pace to everybody who is connected, with nothing in between: the reference."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Route, WebSocketRoute
    from starlette.websockets import WebSocket

    watching: set[WebSocket] = set()

    async def live(ws: WebSocket) -> None:
        await ws.accept()
        watching.add(ws)
        await ws.send_text('{"type":"hello"}')
        while (await ws.receive())["type"] != "websocket.disconnect":
            pass
        watching.discard(ws)

    async def tell() -> None:
        begun = time.monotonic()
        for n in range(tokens):
            await asyncio.sleep(max(0.0, begun + n / RATE - time.monotonic()))
            text = f'{{"type":"tag_chunk","seq":{n},"text":"{time.monotonic_ns()} "}}'
            for ws in list(watching):
                await ws.send_text(text)
        for ws in list(watching):
            await ws.send_text('{"type":"turn_ended"}')

    kept: list[Any] = []

    async def act(_request: Any) -> JSONResponse:
        kept.append(asyncio.create_task(tell()))
        return JSONResponse({"turn": "t1#1"}, 202)

    base = f"/api/v1/worlds/{WORLD}"
    app = Starlette(
        routes=[
            Route("/ready", lambda _request: JSONResponse({})),
            Route(f"{base}/act", act, methods=["POST"]),
            WebSocketRoute(f"{base}/live", live),
        ]
    )
    uvicorn.Server(uvicorn.Config(app, log_config=None, ws="websockets-sansio")).run(sockets=[bound])


@contextmanager
def server(which: str, tokens: int = 60, core: int | None = None) -> Iterator[tuple[int, int]]:
    """A server process, pinned to one core if wanted: its port and its process id."""
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "web.paced", which, str(tokens), str(bound.fileno())],
        cwd=Path(__file__).parent.parent, pass_fds=[bound.fileno()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    if core is not None:
        os.sched_setaffinity(process.pid, {core})
    try:
        _wait_until_ready(bound.getsockname()[1])
        yield bound.getsockname()[1], process.pid
    finally:
        process.terminate()
        process.wait()
        bound.close()


def _wait_until_ready(port: int) -> None:
    import httpx

    until = time.monotonic() + 120
    while time.monotonic() < until:
        try:
            if httpx.get(f"http://127.0.0.1:{port}/ready", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise RuntimeError("the server did not get ready")


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


if __name__ == "__main__":
    given = socket.socket(fileno=int(sys.argv[3]))
    (serve_ours if sys.argv[1] == "talekeeper" else serve_bare)(int(sys.argv[2]), given)
