"""The fake Twitch's IRC, over TCP and WebSocket alike: a session is fed lines and writes lines."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Awaitable, Callable

from aiohttp import WSMsgType, web

from talekeeper.doors.stream.transport.irc_message import IrcMessage, LineBuffer, compose, parse
from talekeeper.testing.twitch.room import DROPS, Room, Said

HOST = "tmi.twitch.tv"
CAPABILITIES = ("twitch.tv/tags", "twitch.tv/commands", "twitch.tv/membership")

Write = Callable[[str], None]
Speak = Callable[[Said], Awaitable[None]]


class IrcSession:
    """One client. `closed` is set when the server has had enough of it."""

    def __init__(self, room: Room, write: Write, speak: Speak) -> None:
        self.nick = ""
        self.joined = False
        self.closed = asyncio.Event()
        self.received: list[str] = []
        self._room = room
        self._write = write
        self._speak = speak
        self._caps: set[str] = set()
        self._password = ""
        self._welcomed = False

    def tell(self, *words: str, prefix: str = HOST, tags: dict[str, str] | None = None) -> None:
        seen = tags if "twitch.tv/tags" in self._caps else None
        self._write(compose(*words, prefix=prefix, tags=seen))

    def raw(self, line: str) -> None:
        self._write(line)

    async def take(self, line: str) -> None:
        self.received.append(line)
        message = parse(line)
        if message is None:
            return
        match message.command:
            case "CAP":
                self._capabilities(message)
            case "PASS":
                self._password = message.last
            case "NICK":
                self.nick = message.last.lower()
                self._login()
            case "PING":
                self.tell("PONG", HOST, message.last)
            case "JOIN" if self._welcomed:
                self._join(message.param(0).lower())
            case "PRIVMSG" if self.joined:
                await self._said(message)
            case "QUIT":
                self.closed.set()

    def _capabilities(self, message: IrcMessage) -> None:
        match message.param(0).upper():
            case "LS":
                self.tell("CAP", "*", "LS", " ".join(CAPABILITIES))
            case "REQ":
                asked = message.last.split()
                granted = set(asked) <= set(CAPABILITIES)
                self._caps |= set(asked) if granted else set()
                self.tell("CAP", "*", "ACK" if granted else "NAK", message.last)

    def _login(self) -> None:
        token = self._password.removeprefix("oauth:")
        grant = self._room.grant(token)
        if self._password and token == self._password:
            return self._refuse("Improperly formatted auth")
        anonymous = self.nick.startswith("justinfan")
        if not anonymous and (grant is None or grant.login != self.nick):
            return self._refuse("Login authentication failed")
        self._welcomed = True
        for code, text in (("001", "Welcome!"), ("002", f"Your host is {HOST}"), ("003", "Rather new"), ("004", "-"),
                           ("375", "-"), ("372", "The day's message."), ("376", ">")):  # fmt: skip
            self.tell(code, self.nick, text)
        if "twitch.tv/commands" in self._caps:
            self.tell("GLOBALUSERSTATE", tags=self._own_tags())
        return None

    def _refuse(self, why: str) -> None:
        self.tell("NOTICE", "*", why)
        self.closed.set()

    def _own_tags(self) -> dict[str, str]:
        return {"badge-info": "", "badges": "", "color": "", "display-name": self.nick, "emote-sets": "0",
                "user-id": self._room.id_of(self.nick), "user-type": ""}  # fmt: skip

    def _join(self, channel: str) -> None:
        if channel != f"#{self._room.channel}":
            return
        self.joined = True
        who = f"{self.nick}!{self.nick}@{self.nick}.{HOST}"
        self.tell("JOIN", channel, prefix=who)
        self.tell("353", self.nick, "=", channel, self.nick, prefix=f"{self.nick}.{HOST}")
        self.tell("366", self.nick, channel, "End of /NAMES list", prefix=f"{self.nick}.{HOST}")
        if "twitch.tv/commands" in self._caps:
            self.tell("USERSTATE", channel, tags={**self._own_tags(), "mod": "0", "subscriber": "0"})
            self.tell("ROOMSTATE", channel, tags={"emote-only": "0", "followers-only": "-1", "r9k": "0", "slow": "0",
                      "room-id": self._room.id_of(self._room.channel), "subs-only": "0"})  # fmt: skip

    async def _said(self, message: IrcMessage) -> None:
        channel, text = message.param(0).lower(), message.param(1)
        if self._room.drops:
            reason = self._room.drops.popleft()
            if reason != "lost":
                self.tell("NOTICE", channel, DROPS.get(reason, "No."), tags={"msg-id": reason})
            return
        action = text.startswith("\x01ACTION ")
        said = Said(
            self._room.new_id(), self.nick, text.removeprefix("\x01ACTION ").rstrip("\x01") if action else text,
            reply_to=message.tags.get("reply-parent-msg-id", ""), action=action,
        )  # fmt: skip
        if "twitch.tv/commands" in self._caps:
            nonce = {"client-nonce": message.tags["client-nonce"]} if "client-nonce" in message.tags else {}
            state = {**nonce, **self._own_tags(), "id": said.id, "mod": "0", "subscriber": "0"}
            self.tell("USERSTATE", channel, tags=state)
        await self._speak(said)

    def hear(self, said: Said) -> None:
        """A line somebody else said."""
        if not self.joined or said.name == self.nick:
            return
        room = self._room
        tags = {
            "badge-info": "", "badges": ",".join(f"{badge}/1" for badge in said.badges), "color": "",
            "display-name": said.display or said.name, "emotes": "", "first-msg": "0", "flags": "", "id": said.id,
            "mod": str(int("moderator" in said.badges)), "room-id": room.id_of(room.channel),
            "tmi-sent-ts": str(int(room.clock() * 1000)), "turbo": "0", "user-id": room.id_of(said.name), "user-type": "",
        }  # fmt: skip
        if said.reply_to:
            tags["reply-parent-msg-id"] = said.reply_to
        if said.source:
            tags |= {"source-room-id": room.id_of(said.source), "source-id": room.new_id()}
        who = f"{said.name}!{said.name}@{said.name}.{HOST}"
        self.tell("PRIVMSG", f"#{room.channel}", said.wire_text, prefix=who, tags=tags)


class IrcSide:
    """`sessions` are those connected now; `ever` counts them all."""

    def __init__(self, room: Room, speak: Speak) -> None:
        self.sessions: list[IrcSession] = []
        self.ever = 0
        self.mute = False
        """A muted server takes connections and says nothing."""
        self.port = 0
        self._room = room
        self._speak = speak
        self._server: asyncio.Server | None = None

    async def start(self, port: int = 0, tls: ssl.SSLContext | None = None) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", port, ssl=tls)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        self.hang_up()
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()

    def hang_up(self) -> None:
        for session in self.sessions:
            session.closed.set()

    def tell_all(self, *words: str, tags: dict[str, str] | None = None) -> None:
        for session in self.sessions:
            session.tell(*words, tags=tags)

    def _open(self, write: Write) -> IrcSession:
        session = IrcSession(self._room, (lambda _line: None) if self.mute else write, self._speak)
        self.sessions.append(session)
        self.ever += 1
        return session

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        session = self._open(lambda line: writer.write(f"{line}\r\n".encode()))
        reading = asyncio.create_task(self._read(reader, session))
        try:
            await session.closed.wait()
        finally:
            reading.cancel()
            self.sessions.remove(session)
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _read(self, reader: asyncio.StreamReader, session: IrcSession) -> None:
        buffer = LineBuffer()
        with contextlib.suppress(OSError):
            while piece := await reader.read(65536):
                for line in buffer.feed(piece):
                    await session.take(line)
        session.closed.set()

    async def over_websocket(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(protocols=("irc",))
        await socket.prepare(request)
        lines: asyncio.Queue[str] = asyncio.Queue()
        session = self._open(lines.put_nowait)
        writing = asyncio.create_task(self._write_out(socket, session, lines))
        try:
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    for line in frame.data.splitlines():
                        await session.take(line)
        finally:
            session.closed.set()
            await writing
            self.sessions.remove(session)
        return socket

    async def _write_out(self, socket: web.WebSocketResponse, session: IrcSession, lines: asyncio.Queue[str]) -> None:
        closed = asyncio.create_task(session.closed.wait())
        getting = asyncio.create_task(lines.get())
        with contextlib.suppress(ConnectionError):
            while True:
                await asyncio.wait({getting, closed}, return_when=asyncio.FIRST_COMPLETED)
                if not getting.done():
                    break
                await socket.send_str(f"{getting.result()}\r\n")
                getting = asyncio.create_task(lines.get())
        for task in (getting, closed):
            task.cancel()
        await socket.close()
