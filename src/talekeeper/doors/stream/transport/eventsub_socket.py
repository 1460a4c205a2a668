"""One EventSub session on a WebSocket: its welcome, its heartbeat, and its move to another socket when asked.

Not the library's own client: that one runs a thread, blocks the loop while it starts and for good when it cannot,
measures its heartbeat by the wall clock, ends at the first frame it cannot read, and lets repeated messages through.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from talekeeper.doors.stream.transport.eventsub_reading import Frame, Session, parse_frame
from talekeeper.doors.stream.transport.lost import Lost

_WELCOME = 10.0
_DRAIN = 0.5
"""Seconds the old socket gets to say its last after the new one has said welcome."""
_BIGGEST = 1 << 20


class EventSubSocket:
    """`frames` yields all that can be read, save welcomes and moves."""

    def __init__(self, socket: ClientConnection, session: Session, slack: float) -> None:
        self.session = session
        self._socket = socket
        self._slack = slack

    @classmethod
    async def open(cls, url: str, slack: float = 2.0) -> Self:
        """`slack` is what a heartbeat may be late."""
        socket, session = await _enter(url)
        return cls(socket, session, slack)

    async def frames(self) -> AsyncGenerator[Frame, None]:
        while True:
            frame = await self._next()
            if frame is None:
                continue
            if frame.metadata.message_type == "session_reconnect":
                async with contextlib.aclosing(self._move(frame.payload.session)) as lasts:
                    async for last in lasts:
                        yield last
                continue
            yield frame

    async def close(self) -> None:
        await self._socket.close()

    async def _next(self) -> Frame | None:
        heartbeat = (self.session.keepalive_timeout_seconds or 10.0) + self._slack
        try:
            async with asyncio.timeout(heartbeat):
                return parse_frame(await self._socket.recv())
        except TimeoutError:
            raise Lost("Twitch went silent.") from None
        except ConnectionClosed as error:
            code = error.rcvd.code if error.rcvd else "no goodbye"
            raise Lost(f"Twitch closed the connection ({code}).") from None

    async def _move(self, asked: Session | None) -> AsyncGenerator[Frame, None]:
        """To the address given; subscriptions come along. The old socket is heard out."""
        if asked is None or not asked.reconnect_url:
            raise Lost("Twitch asked to reconnect, and did not say where.")
        before = self._socket
        self._socket, self.session = await _enter(asked.reconnect_url)
        try:
            with contextlib.suppress(ConnectionClosed, TimeoutError):
                while True:
                    async with asyncio.timeout(_DRAIN):
                        frame = parse_frame(await before.recv())
                    if frame is not None and frame.metadata.message_type in {"notification", "revocation"}:
                        yield frame
        finally:
            await before.close()


async def _enter(url: str) -> tuple[ClientConnection, Session]:
    try:
        # Twitch hangs up on clients that send anything but pongs.
        socket = await connect(url, open_timeout=_WELCOME, ping_interval=None, max_size=_BIGGEST, close_timeout=1.0)
    except (InvalidHandshake, InvalidURI, TimeoutError) as error:
        raise Lost(f"EventSub does not open ({type(error).__name__}).") from error
    try:
        async with asyncio.timeout(_WELCOME):
            frame = parse_frame(await socket.recv())
    except (ConnectionClosed, TimeoutError):
        frame = None
    if frame is None or frame.metadata.message_type != "session_welcome" or frame.payload.session is None:
        await socket.close()
        raise Lost("EventSub did not say welcome.")
    return socket, frame.payload.session
