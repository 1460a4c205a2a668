"""Sending a line over IRC, and finding out what became of it.

Twitch answers each line with USERSTATE or a NOTICE. Other servers answer only with refusals, but in order: a PING
sent after the line is answered after any refusal of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from talekeeper.doors.stream.transport.irc_message import IrcMessage, compose
from talekeeper.doors.stream.transport.irc_refusals import drop_reason
from talekeeper.doors.stream.transport.port import Dropped, SendFailed, SendUnknown, Sent
from talekeeper.observe.ids import NewId

_PLAIN_BYTES = 380
"""Of a line of 512 bytes, what is left for the text when the server has put names in front."""


class IrcSending:
    def __init__(self, channel: str, patience: float, new_id: NewId) -> None:
        self._channel = channel
        self._patience = patience
        self._new_id = new_id
        self._one_at_a_time = asyncio.Lock()
        self._write: Callable[[str], None] | None = None
        self._twitch = False
        self._answer: asyncio.Future[Sent] | None = None
        self._token = ""

    def open(self, write: Callable[[str], None], *, twitch: bool) -> None:
        self._write, self._twitch = write, twitch

    def lost(self) -> None:
        """The connection is gone: nobody will hear what became of a line on its way."""
        self._write = None
        self._end(SendUnknown("The connection broke before the server answered."))

    async def send(self, text: str, reply_to: str) -> Sent:
        async with self._one_at_a_time:
            sent: Sent | None = None
            for piece in [text] if self._twitch else _pieces(text, _PLAIN_BYTES):
                try:
                    sent = await self._send(piece, reply_to)
                except (Dropped, SendFailed, SendUnknown):
                    if sent is None:
                        raise
                    break  # people have read the first piece: the line was said
            assert sent is not None
            return sent

    async def _send(self, text: str, reply_to: str) -> Sent:
        if self._write is None:
            raise SendFailed("Chat is not connected.", "The line is tried again while it is fresh.")
        self._answer = asyncio.get_running_loop().create_future()
        self._token = f"sent-{self._new_id()}"
        tags = {"client-nonce": self._token} if self._twitch else {}
        if self._twitch and reply_to:
            tags["reply-parent-msg-id"] = reply_to
        self._write(compose("PRIVMSG", self._channel, text or " ", tags=tags))
        if not self._twitch:
            self._write(compose("PING", self._token))
        try:
            async with asyncio.timeout(self._patience):
                return await self._answer
        except TimeoutError:
            raise SendUnknown("The server did not say what became of the line.") from None
        finally:
            self._answer = None

    def take(self, message: IrcMessage) -> None:
        """Looks for the answer to the line on its way."""
        if self._answer is None:
            return
        if reason := drop_reason(message):
            self._end(Dropped(reason, f"The chat did not show the line: {message.last}"))
        elif self._twitch and message.command == "USERSTATE" and message.param(0).lower() == self._channel:
            # A late answer to an earlier line bears that line's mark.
            if message.tags.get("client-nonce", self._token) == self._token:
                self._end(Sent(message.tags.get("id", "")))
        elif not self._twitch and message.command == "PONG" and message.last == self._token:
            self._end(Sent())

    def _end(self, ending: Sent | Exception) -> None:
        if self._answer is None or self._answer.done():
            return
        if isinstance(ending, Sent):
            self._answer.set_result(ending)
        else:
            self._answer.set_exception(ending)


def _pieces(text: str, limit: int) -> Iterator[str]:
    """Pieces of at most so many bytes, between words where there are any, never inside a character."""
    rest = text
    while len(encoded := rest.encode("utf-8", "replace")) > limit:
        fits = len(encoded[:limit].decode("utf-8", "ignore"))
        at = rest.rfind(" ", 1, fits + 1)
        at = at if at > 0 else fits
        yield rest[:at]
        rest = rest[at:].lstrip(" ")
    yield rest
