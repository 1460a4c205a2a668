"""The IRC adapter: Twitch's chat servers, or any other IRC server."""

from __future__ import annotations

import asyncio
import ssl

import msgspec

from talekeeper.doors.stream.transport.backoff import Backoff
from talekeeper.doors.stream.transport.ear import Ear
from talekeeper.doors.stream.transport.irc_login import IrcLogin
from talekeeper.doors.stream.transport.irc_message import IrcMessage, LineBuffer, compose, parse
from talekeeper.doors.stream.transport.irc_reading import IrcReading
from talekeeper.doors.stream.transport.irc_sending import IrcSending
from talekeeper.doors.stream.transport.lost import Lost
from talekeeper.doors.stream.transport.persistence import stay_connected
from talekeeper.doors.stream.transport.port import Hearing, Sent, TransportState
from talekeeper.observe.clock import Clock, system_clock
from talekeeper.observe.ids import NewId, random_id


class IrcServer(msgspec.Struct, frozen=True):
    host: str = "irc.chat.twitch.tv"
    port: int = 6697
    tls: bool = True


class IrcPatience(msgspec.Struct, frozen=True):
    """Seconds."""

    login: float = 20.0
    idle: float = 60.0
    """Silence after which the server is asked whether it is still there."""
    answer: float = 10.0


_GOODBYE = 1.0
TWITCH = IrcServer()
PATIENT = IrcPatience()


class IrcTransport:
    def __init__(
        self,
        channel: str,
        nick: str,
        password: str = "",
        *,
        server: IrcServer = TWITCH,
        patience: IrcPatience = PATIENT,
        backoff: Backoff | None = None,
        clock: Clock = system_clock,
        new_id: NewId = random_id,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.state = TransportState(configured=True)
        self._channel = channel.strip().lstrip("#").lower()
        self._nick = nick.lower()
        self._password = password
        self._server = server
        self._patience = patience
        self._backoff = backoff or Backoff()
        self._reading = IrcReading(self._channel, self._nick, clock, new_id)
        self._sending = IrcSending(f"#{self._channel}", patience.answer, new_id)
        self._tls = tls
        self._stopped = asyncio.Event()
        self._writer: asyncio.StreamWriter | None = None

    async def run(self, heard: Hearing) -> None:
        async with Ear(heard) as ear:
            await stay_connected(lambda: self._hold(ear), self.state, self._stopped, self._backoff)

    async def send(self, text: str, reply_to: str = "") -> Sent:
        return await self._sending.send(text, reply_to)

    async def stop(self) -> None:
        self._stopped.set()

    async def _hold(self, ear: Ear) -> None:
        await self._connect()
        try:
            await self._listen(ear)
        finally:
            self._sending.lost()
            if self._stopped.is_set():
                self._write(compose("QUIT", "Good night."))
            await self._hang_up()

    async def _hang_up(self) -> None:
        if self._writer is None:
            return
        writer, self._writer = self._writer, None
        writer.close()
        try:
            async with asyncio.timeout(_GOODBYE):
                await writer.wait_closed()
        except OSError:  # a timeout is one too
            writer.transport.abort()

    async def _connect(self) -> None:
        if self._server.tls and self._tls is None:
            self._tls = await asyncio.to_thread(ssl.create_default_context)
        secured = self._tls if self._server.tls else None
        try:
            async with asyncio.timeout(self._patience.login):
                self._reader, self._writer = await asyncio.open_connection(
                    self._server.host, self._server.port, ssl=secured
                )
        except TimeoutError:
            raise Lost(f"{self._server.host} does not answer.") from None

    async def _listen(self, ear: Ear) -> None:
        login = IrcLogin(self._nick, self._password, f"#{self._channel}", self._write)
        login.begin()
        buffer, asked = LineBuffer(), False
        deadline = asyncio.get_running_loop().time() + self._patience.login
        while True:
            patience = self._patience.answer if asked else self._patience.idle
            if not login.done:
                patience = deadline - asyncio.get_running_loop().time()
            try:
                async with asyncio.timeout(patience):
                    piece = await self._reader.read(65536)
            except TimeoutError:
                if not login.done:
                    raise Lost(f"The server took too long to let us in. {login.missing}") from None
                if asked:
                    raise Lost("The server went silent.") from None
                asked = True
                self._write(compose("PING", "still-there"))
                continue
            if not piece:
                raise Lost("The server closed the connection.")
            asked = False
            for line in buffer.feed(piece):
                if (message := parse(line)) is not None:
                    await self._take(message, login, ear)

    async def _take(self, message: IrcMessage, login: IrcLogin, ear: Ear) -> None:
        if message.command == "PING":
            self._write(compose("PONG", message.last))
            return
        if message.command == "RECONNECT":
            raise Lost("The server asked to reconnect.")
        if message.command == "ERROR" and login.done:
            raise Lost(f"The server said: {message.last}")
        if not login.done:
            if login.take(message):
                self.state.connected = True
                self.state.last_error = ""
                self._reading.bot = login.nick
                self._sending.open(self._write, twitch=login.twitch)
        elif message.command == "KICK" and message.param(1).lower() == login.nick:
            raise Lost("We were sent out of the channel.")
        if message.command == "USERSTATE":
            badges = message.tags.get("badges", "")
            self.state.moderator = message.tags.get("mod") == "1" or "broadcaster/" in badges or "moderator/" in badges
        self._sending.take(message)
        heard = self._reading.read(message)
        if heard is not None:
            await ear.tell(heard)

    def _write(self, line: str) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(f"{line}\r\n".encode("utf-8", "replace"))
