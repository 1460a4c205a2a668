"""What goes on, told to every console that watches. Who cannot keep up is let go, and comes back for the rest."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec

MOST_BEHIND = 500
_HEARTBEAT = 15.0


class Feed:
    def __init__(self) -> None:
        self._watching: set[asyncio.Queue[bytes | None]] = set()

    @property
    def watched(self) -> bool:
        return bool(self._watching)

    def tell(self, event: str, data: Any) -> None:
        if not self._watching:
            return
        message = encode(event, data)
        for queue in list(self._watching):
            try:
                queue.put_nowait(message)
            except asyncio.QueueFull:
                self._let_go(queue)

    async def watch(self, first: list[bytes]) -> AsyncIterator[bytes]:
        queue: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_BEHIND)
        self._watching.add(queue)
        try:
            for message in first:
                yield message
            while True:
                try:
                    message_ = await asyncio.wait_for(queue.get(), _HEARTBEAT)
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                if message_ is None:
                    return
                yield message_
        finally:
            self._watching.discard(queue)

    def close(self) -> None:
        for queue in list(self._watching):
            self._let_go(queue)

    def _let_go(self, queue: asyncio.Queue[bytes | None]) -> None:
        self._watching.discard(queue)
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(None)


def encode(event: str, data: Any) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (event.encode(), msgspec.json.encode(data))
