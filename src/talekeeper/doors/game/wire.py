"""The sending side of a connection: one queue, one writer. What belongs to a dead turn is dropped before it is sent.

As long as the client reads, a message is on its way when `put` returns; the writer takes over when it does not.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol

import msgspec
from starlette.types import Send

from talekeeper.doors.game.eager import Unfinished, run_now
from talekeeper.doors.game.outgoing import Outgoing

MOST_WAITING = 2_000
"""More than this many messages nobody reads, and the connection is given up."""


class Waiting(Protocol):
    """Something to be sent that decides at the last moment what that is."""

    def messages(self) -> Iterable[Outgoing]: ...


class Wire:
    def __init__(self, send: Send, clock: Callable[[], float], on_sent: Callable[[Outgoing], None]) -> None:
        self._send = send
        self._clock = clock
        self._on_sent = on_sent
        self._encode = msgspec.json.Encoder().encode
        self._queue: deque[Outgoing | Waiting] = deque()
        self._news = asyncio.Event()
        self._room = asyncio.Event()
        self._ids = 0
        self._unfinished: tuple[Unfinished, Outgoing] | None = None
        self._broken: Exception | None = None
        self._writing = False
        """The writer is at work: everything else has to wait in the queue."""
        self.sending_since: float | None = None
        """When a send began that has not ended: a client that stops reading never lets it."""
        self.when_gone: set[Callable[[], None]] = set()
        self.overflown = False
        self.closed = False

    def put(self, item: Outgoing | Waiting) -> None:
        if self.closed:
            return
        if self._writing:
            self.overflown = self.overflown or len(self._queue) >= MOST_WAITING
            self._queue.append(item)
            return
        messages = iter(_messages(item))
        for message in messages:
            if not self._begin(message):
                self._queue.extend(messages)

    @property
    def waiting(self) -> int:
        return len(self._queue)

    async def room(self) -> None:
        """Wait until the client has read some of what is for it: nobody may ask faster than they listen."""
        if len(self._queue) >= MOST_WAITING // 2:
            self._room.clear()
            await self._room.wait()

    async def run(self) -> None:
        """The writer: until the connection is finished with, or fails."""
        while True:
            await self._carry_on()
            while self._queue:
                for message in _messages(self._queue.popleft()):
                    self._begin(message)
                    await self._carry_on()
                if len(self._queue) < MOST_WAITING // 2:
                    self._room.set()
            if self._broken is not None:
                raise self._broken
            self._writing = False
            if self.closed:
                return
            await self._news.wait()
            self._news.clear()

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

    def _begin(self, message: Outgoing) -> bool:
        """Whether it went out at once; otherwise the writer has to see to it."""
        if self._broken is not None:
            return False
        self._ids += 1
        message.id = message.id or f"s{self._ids}"
        try:
            unfinished = run_now(self._send({"type": "websocket.send", "text": self._encode(message).decode()}))
        except Exception as error:  # noqa: BLE001 - whatever it was, the writer ends with it, and the connection
            self._broken = error
            self._wake()
            return False
        if unfinished is None:
            self._on_sent(message)
            return True
        self._unfinished = (unfinished, message)
        self.sending_since = self._clock()
        self._wake()
        return False

    def _wake(self) -> None:
        self._writing = True
        self._news.set()

    async def _carry_on(self) -> None:
        """What was begun and had to wait, to its end."""
        if self._unfinished is None:
            return
        unfinished, message = self._unfinished
        try:
            await unfinished
        finally:
            self._unfinished = None
            self.sending_since = None
        self._on_sent(message)


def _messages(item: Outgoing | Waiting) -> Iterable[Outgoing]:
    return (item,) if isinstance(item, Outgoing) else item.messages()
