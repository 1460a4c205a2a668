"""What goes on, told to every console that watches. Who cannot keep up is let go, and comes back for the rest."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import msgspec

MOST_BEHIND = 500
_HEARTBEAT = 15.0


class Feed:
    def __init__(self) -> None:
        self._watching: dict[asyncio.Queue[bytes | None], str] = {}
        """Each console, and the channel it is about; "" for all of them."""

    @property
    def watched(self) -> bool:
        return bool(self._watching)

    def tell(self, event: str, data: Any, channel: str) -> None:
        if not self._watching:
            return
        message = encode(event, data)
        for queue, about in list(self._watching.items()):
            if about not in ("", channel):
                continue
            try:
                queue.put_nowait(message)
            except asyncio.QueueFull:
                self._let_go(queue)

    def watch(self, first: list[bytes], channel: str) -> AsyncGenerator[bytes, None]:
        """`first`, then all that is told from this very moment on: nothing falls in between."""
        queue: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_BEHIND)
        self._watching[queue] = channel
        return self._told(queue, first)

    async def _told(self, queue: asyncio.Queue[bytes | None], first: list[bytes]) -> AsyncGenerator[bytes, None]:
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
            self._watching.pop(queue, None)

    def close(self) -> None:
        for queue in list(self._watching):
            self._let_go(queue)

    def _let_go(self, queue: asyncio.Queue[bytes | None]) -> None:
        self._watching.pop(queue, None)
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(None)


def encode(event: str, data: Any) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (event.encode(), msgspec.json.encode(data))
