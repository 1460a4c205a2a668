"""One channel's outgoing queue: in order, at most once, never too fast, and every step marked before it is taken."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Literal

import msgspec
import structlog

from talekeeper.doors.stream.transport.port import ChatTransport, Dropped, SendFailed, SendUnknown
from talekeeper.doors.stream.wording import split
from talekeeper.observe.clock import Clock
from talekeeper.observe.ids import NewId, random_id

log = structlog.get_logger("talekeeper.stream")

State = Literal["queued", "sending", "sent", "dropped", "unknown"]

WINDOW = 30.0
LINES, LINES_AS_MODERATOR = 20, 100
"""What Twitch lets through in a window."""
REPEAT = 30.0
EXPIRY = 60.0
_PAUSES = (1.0, 2.0, 4.0, 8.0)


class OutgoingLine(msgspec.Struct, frozen=True):
    """A line on its way, with all an audit wants to know of it."""

    action_id: str
    text: str
    mode: str
    reason: str
    at: float
    channel: str = ""
    context_hash: str = ""
    approved_by: str = ""
    reply_to: str = ""


class Delivery(msgspec.Struct, frozen=True):
    sent: bool
    channel: str
    message_id: str
    action_id: str
    state: State
    reason: str = ""


Mark = Callable[[OutgoingLine, State, str], Awaitable[None] | None]
"""Keeps a step; the next one is taken only after it returned."""


class Outgoing:
    """`say` waits its turn. `steady` measures durations, so that a clock set back or forward changes nothing."""

    def __init__(
        self,
        transport: ChatTransport,
        clock: Clock,
        mark: Mark,
        moderator: bool = False,
        *,
        channel: str = "",
        new_id: NewId = random_id,
        steady: Clock = time.monotonic,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.moderator = moderator
        self._transport = transport
        self._clock = clock
        self._mark = mark
        self._channel = channel
        self._new_id = new_id
        self._steady = steady
        self._wait = wait
        self._turn = asyncio.Lock()
        self._left: deque[float] = deque()
        self._said: deque[tuple[float, str]] = deque()

    async def say(
        self,
        text: str,
        mode: str,
        reason: str,
        context_hash: str = "",
        approved_by: str = "",
        reply_to: str = "",
        *,
        action_id: str = "",
    ) -> Delivery:
        parts = split(text)
        line = OutgoingLine(
            action_id=action_id or self._new_id(), text=" ".join(parts), mode=mode, reason=reason, at=self._clock(),
            channel=self._channel, context_hash=context_hash, approved_by=approved_by, reply_to=reply_to,
        )  # fmt: skip
        expires = self._steady() + EXPIRY
        await self._keep(line, "queued")
        if not parts:
            return await self._end(line, "dropped", "empty")
        try:
            await self._turn.acquire()
        except asyncio.CancelledError:
            await self._keep(line, "dropped", "stopped")
            raise
        try:
            return await self._deliver(line, parts, expires)
        finally:
            self._turn.release()

    async def _deliver(self, line: OutgoingLine, parts: tuple[str, ...], expires: float) -> Delivery:
        if self._repeats(line.text):
            return await self._end(line, "dropped", "repeated")
        ids: list[str] = []
        for part in parts:
            ended, reason = await self._send(line, part, expires, ids)
            if ended == "sent":
                continue
            if ids:
                # People have read the first part, so it was said, whatever became of the second.
                return await self._end(line, "sent", f"only in part: {reason}", ids[0])
            return await self._end(line, ended, reason)
        return await self._end(line, "sent", "", ids[0])

    async def _send(self, line: OutgoingLine, part: str, expires: float, ids: list[str]) -> tuple[State, str]:
        """Tries until the part is out, refused, in doubt or too old."""
        begun, failures = bool(ids), 0
        try:
            while True:
                await self._slot(expires)
                if self._steady() >= expires:
                    return "dropped", "expired"
                if not begun:
                    await self._keep(line, "sending")
                    begun = True
                try:
                    ids.append(await self._once(line, part))
                except SendFailed as error:
                    pause = error.retry_after or _PAUSES[min(failures, len(_PAUSES) - 1)]
                    failures += 1
                    if not ids:
                        await self._keep(line, "queued", error.message)
                        begun = False
                    if self._steady() + pause >= expires:
                        return "dropped", f"send_failed: {error.message}"
                    await self._wait(pause)
                except Dropped as error:
                    return "dropped", error.reason
                except SendUnknown as error:
                    return "unknown", error.message
                else:
                    return "sent", ""
        except asyncio.CancelledError:
            await self._keep(line, "sent" if ids else "unknown" if begun else "dropped", "stopped")
            raise

    async def _once(self, line: OutgoingLine, part: str) -> str:
        self._left.append(self._steady())
        try:
            sent = await self._transport.send(part, line.reply_to)
        except (SendFailed, Dropped):
            raise
        except Exception as error:
            self._said.append((self._steady(), _folded(line.text)))
            if isinstance(error, SendUnknown):
                raise
            log.error("send_in_doubt", action=line.action_id, error=repr(error))
            raise SendUnknown(f"Sending broke off: {error}") from error
        self._said.append((self._steady(), _folded(line.text)))
        return sent.message_id

    async def _slot(self, expires: float) -> None:
        """Waits until the rate allows one more, but not beyond the line's time."""
        allowed = LINES_AS_MODERATOR if self.moderator or self._transport.state.moderator else LINES
        while True:
            now = self._steady()
            while self._left and self._left[0] <= now - WINDOW:
                self._left.popleft()
            if len(self._left) < allowed or now >= expires:
                return
            await self._wait(min(self._left[-allowed] + WINDOW, expires) - now)

    def _repeats(self, text: str) -> bool:
        now = self._steady()
        while self._said and self._said[0][0] <= now - REPEAT:
            self._said.popleft()
        return any(said == _folded(text) for _at, said in self._said)

    async def _keep(self, line: OutgoingLine, state: State, reason: str = "") -> None:
        kept = self._mark(line, state, reason)
        if inspect.isawaitable(kept):
            await kept

    async def _end(self, line: OutgoingLine, state: State, reason: str, message_id: str = "") -> Delivery:
        await self._keep(line, state, reason)
        return Delivery(
            sent=state == "sent", channel=line.channel, message_id=message_id, action_id=line.action_id, state=state,
            reason=reason,
        )  # fmt: skip


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
