"""The two servers that are compared, each a process of its own on one core: the game door, and a plain uvicorn WebSocket.

Run as a program: servers.py door|plain HOME. It prints the port it listens on.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from fastapi import FastAPI
from starlette.websockets import WebSocket, WebSocketDisconnect

CHUNKS_A_SECOND = 30.0


def use_one_core(core: int) -> None:
    if hasattr(os, "sched_setaffinity") and core in os.sched_getaffinity(0):
        os.sched_setaffinity(0, {core})


async def paced(seconds: float) -> AsyncGenerator[str, None]:
    """What a model at 30 pieces a second gives; each piece says when it was given."""
    following = time.monotonic()
    for _ in range(int(seconds * CHUNKS_A_SECOND)):
        following += 1 / CHUNKS_A_SECOND
        await asyncio.sleep(max(0.0, following - time.monotonic()))
        yield f"{time.monotonic():.6f} words "


def plain_app() -> FastAPI:
    """As little as possible: one task a socket, one JSON text a piece."""
    app = FastAPI()
    encode = msgspec.json.encode

    @app.websocket("/ws")
    async def stream(socket: WebSocket) -> None:
        await socket.accept()
        try:
            while True:
                asked = msgspec.json.decode(await socket.receive_text())
                if asked["type"] == "ping":
                    await socket.send_text(encode({"type": "pong", "id": asked["id"]}).decode())
                    continue
                seq = 0
                async for piece in paced(float(asked["seconds"])):
                    seq += 1
                    message = {
                        "type": "agent_tag_chunk", "id": f"s{seq}", "turn_id": "turn-0123456789abcdef",
                        "agent_id": asked["agent_id"], "seq": seq, "tag_id": "1", "tag": "say", "text": piece,
                    }  # fmt: skip
                    await socket.send_text(encode(message).decode())
                await socket.send_text('{"type":"agent_turn_finished"}')
        except WebSocketDisconnect:
            return

    return app


def door_app(home: Path) -> FastAPI:
    from talekeeper.agents.npc.performance import Performance, Speaking
    from talekeeper.app.engine import Engine
    from talekeeper.doors.game.hub import Hub
    from talekeeper.doors.game.limits import Limits
    from talekeeper.doors.game.routes import GameRoute
    from talekeeper.llm.model import Completion, Delta, Usage
    from talekeeper.testing.house import settings_for

    class Paced:
        """Speaks for as many seconds as it is told to; the first words at once."""

        name = "paced"

        def speak(self, performance: Performance) -> Speaking:
            return Speaking(None, self._deltas(performance))

        async def _deltas(self, performance: Performance) -> AsyncGenerator[Delta, None]:
            seconds = float((performance.stimulus.text or "0").rsplit(" ", 1)[-1])
            yield Delta(f"<say>{time.monotonic():.6f} ")
            async for piece in paced(seconds):
                yield Delta(piece)
            yield Delta("</say>")
            yield Delta(done=Completion("", "stop", Usage(1, 1)))

    engine = Engine.open(settings_for(home))
    limits = Limits(events_per_second=1e6, events_at_once=10**6, result_seconds=600.0)
    hub = Hub(engine, Paced(), home / "logs", limits=limits)
    app = FastAPI()
    app.router.routes.append(GameRoute(hub))
    return app


def main() -> None:
    which, home = sys.argv[1], Path(sys.argv[2])
    use_one_core(0)
    app = plain_app() if which == "plain" else door_app(home)
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    config: Any = uvicorn.Config(
        app, log_config=None, access_log=False, ws="websockets-sansio", lifespan="off", backlog=4096, loop="asyncio"
    )
    asyncio.run(uvicorn.Server(config).serve([listener]))


if __name__ == "__main__":
    main()
