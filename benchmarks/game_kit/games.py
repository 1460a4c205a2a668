"""Many games on one raw socket client: frames are counted and timed where they arrive, so that the client stays light."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
_TEXT, _PING = 1, 9
SPEC = {"name": "Mara", "role": "innkeeper", "knowledge": ["The north road is closed."]}


@contextlib.contextmanager
def serving(which: str, home: Path) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """A server process and its port."""
    program = Path(__file__).with_name("servers.py")
    with subprocess.Popen([sys.executable, program, which, home], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        _until_it_answers(port)
        try:
            yield port, process
        finally:
            process.kill()


def _until_it_answers(port: int) -> None:
    import socket

    for _ in range(600):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise RuntimeError("the server does not answer")


class Game(asyncio.Protocol):
    def __init__(self, on_message: Callable[[Game, bytes, float], None]) -> None:
        self.open = asyncio.get_running_loop().create_future()
        self.chunks: list[float] = []
        self.begun = asyncio.Event()
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.memo: dict[str, Any] = {}
        self._on_message = on_message
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(HANDSHAKE)

    def data_received(self, data: bytes) -> None:
        now = time.monotonic()
        self._buffer += data
        if not self.open.done():
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            assert b" 101 " in head, head
            self._buffer = rest
            self.open.set_result(None)
        buffer, at = self._buffer, 0
        while len(buffer) - at >= 2:
            size, start = buffer[at + 1], at + 2
            if size == 126:
                if len(buffer) - at < 4:
                    break
                size, start = int.from_bytes(buffer[at + 2 : at + 4], "big"), at + 4
            if len(buffer) < start + size:
                break
            if buffer[at] & 15 == _TEXT:
                self._on_message(self, buffer[start : start + size], now)
            elif buffer[at] & 15 == _PING and self._transport is not None:
                self._transport.write(bytes([0x8A, 0x80 | size, 0, 0, 0, 0]) + buffer[start : start + size])
            at = start + size
        self._buffer = buffer[at:]

    def send(self, message: dict[str, Any]) -> None:
        payload = json.dumps(message).encode()
        size = len(payload)
        head = bytes([0x81, 0x80 | size]) if size < 126 else bytes([0x81, 0x80 | 126]) + size.to_bytes(2, "big")
        assert self._transport is not None
        self._transport.write(head + b"\0\0\0\0" + payload)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()


async def connect(port: int, count: int, on_message: Callable[[Game, bytes, float], None]) -> list[Game]:
    loop = asyncio.get_running_loop()
    games: list[Game] = []
    for start in range(0, count, 50):
        made = [
            loop.create_connection(lambda: Game(on_message), "127.0.0.1", port) for _ in range(min(50, count - start))
        ]
        games += [game for _, game in await asyncio.gather(*made)]
        await asyncio.gather(*(game.open for game in games[start:]))
    return games


def event(agent: str, text: str, event_id: str, **more: Any) -> dict[str, Any]:
    said = {"kind": "player_said", "source": {"id": "ana", "name": "Ana"}, "text": text}
    return {"type": "interaction_event", "event_id": event_id, "agent_id": agent, "event": said, **more}


def snapshot(asked: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "agent_state_snapshot", "request_id": asked["request_id"], "agent_id": asked["agent_id"], "spec": SPEC,
    }  # fmt: skip


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")
