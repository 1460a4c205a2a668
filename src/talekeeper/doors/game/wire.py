"""The sending side of a connection: one queue, one writer. What belongs to a dead turn is dropped before it is sent."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Protocol

import msgspec

from talekeeper.doors.game.outgoing import Outgoing

MOST_WAITING = 2_000
"""More than this many messages nobody reads, and the connection is given up."""

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Waiting(Protocol):
    """Something in the queue that decides at the last moment what is sent."""

    def messages(self) -> Iterable[Outgoing]: ...


class Wire:
    def __init__(self, send: Send, clock: Callable[[], float], on_sent: Callable[[Outgoing], None]) -> None:
        self._send = send
        self._clock = clock
        self._on_sent = on_sent
        self._queue: deque[Outgoing | Waiting] = deque()
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._ids = 0
        self._encode = msgspec.json.Encoder().encode
        self.sending_since: float | None = None
        """When the message that is being sent was begun: a client that stops reading never lets it end."""
        self.when_gone: set[Callable[[], None]] = set()
        self.overflown = False
        self.closed = False

    def put(self, item: Outgoing | Waiting) -> None:
        if self.closed:
            return
        if len(self._queue) >= MOST_WAITING:
            self.overflown = True
        self._queue.append(item)
        self._news.set()

    @property
    def waiting(self) -> int:
        return len(self._queue)

    async def room(self) -> None:
        """Wait until the client has read some of what is for it: nobody may ask faster than they listen."""
        if len(self._queue) >= MOST_WAITING // 2:
            self._room.clear()
            await self._room.wait()

    async def run(self) -> None:
        """Until the connection ends or fails; what comes first."""
        while True:
            while self._queue:
                item = self._queue.popleft()
                for message in (item,) if isinstance(item, Outgoing) else item.messages():
                    self._ids += 1
                    message.id = message.id or f"s{self._ids}"
                    self.sending_since = self._clock()
                    await self._send({"type": "websocket.send", "text": self._encode(message).decode()})
                    self.sending_since = None
                    self._on_sent(message)
                if len(self._queue) < MOST_WAITING // 2:
                    self._room.set()
            self._news.clear()
            if self.closed:
                return
            await self._news.wait()

    def finish(self) -> None:
        """Nothing new is taken; the writer ends when the queue is empty."""
        self.closed = True
        self._news.set()

    def abandon(self) -> None:
        """Nobody will read the rest; those who wait for the end of a turn are told."""
        self.closed = True
        self._queue.clear()
        self._news.set()
        self._room.set()
        for tell in list(self.when_gone):
            tell()
