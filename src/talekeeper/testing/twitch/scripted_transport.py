"""A chat transport without a wire: a test says what is heard, and how each send ends."""

from __future__ import annotations

import asyncio
from collections import deque

from talekeeper.doors.stream.transport.port import Heard, Hearing, Sent, TransportState


class ScriptedTransport:
    """Sends succeed with ids m1, m2, ... unless an error was scripted with `will`."""

    def __init__(self) -> None:
        self.state = TransportState(configured=True)
        self.sent: list[tuple[str, str]] = []
        """What was shown: text and what it replies to."""
        self.tried: list[str] = []
        self._endings: deque[Exception | None] = deque()
        self._heard: asyncio.Queue[Heard | Exception | None] = asyncio.Queue()

    def will(self, *endings: Exception | None) -> None:
        """How the next sends end; None is well."""
        self._endings.extend(endings)

    async def hear(self, *heard: Heard) -> None:
        """Returns when the listener has dealt with all of it."""
        for one in heard:
            await self._heard.put(one)
        await self._heard.join()

    async def fail(self, error: Exception) -> None:
        """Ends `run` with an error."""
        await self._heard.put(error)

    async def run(self, heard: Hearing) -> None:
        self.state.running = self.state.connected = True
        try:
            while (one := await self._heard.get()) is not None:
                if isinstance(one, Exception):
                    self.state.last_error = str(one)
                    raise one
                try:
                    await heard(one)
                finally:
                    self._heard.task_done()
        finally:
            self.state.running = self.state.connected = False

    async def send(self, text: str, reply_to: str = "") -> Sent:
        self.tried.append(text)
        ending = self._endings.popleft() if self._endings else None
        if ending is not None:
            raise ending
        self.sent.append((text, reply_to))
        return Sent(f"m{len(self.sent)}")

    async def stop(self) -> None:
        await self._heard.put(None)
