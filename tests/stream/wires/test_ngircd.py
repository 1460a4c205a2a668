"""The IRC adapter on a real server, ngircd, where somebody else chats; and through its restart."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import signal
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from talekeeper.doors.stream.outgoing import Outgoing
from talekeeper.doors.stream.transport.backoff import Backoff
from talekeeper.doors.stream.transport.irc import IrcPatience, IrcServer, IrcTransport
from talekeeper.doors.stream.transport.port import BadCredentials, Dropped, SendUnknown

pytestmark = pytest.mark.foreign

PASSWORD = "by the fire"
CONFIG = """
[Global]
Name = irc.hearth.example
Info = A hearth
Listen = 127.0.0.1
Ports = {port}
Password = {password}
[Limits]
MaxConnectionsIP = 0
MaxNickLength = 25
MaxPenaltyTime = 0
[Options]
DNS = no
Ident = no
PAM = no
"""


class Server:
    """ngircd on a port of its own, to be started and stopped."""

    def __init__(self, program: str, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._config = folder / "ngircd.conf"
        self._config.write_text(CONFIG.format(port=self.port, password=PASSWORD), encoding="utf-8")
        self._program = program
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        quiet = asyncio.subprocess.DEVNULL
        self._process = await asyncio.create_subprocess_exec(
            self._program, "--nodaemon", "--config", str(self._config), stdin=quiet, stdout=quiet, stderr=quiet
        )
        async with asyncio.timeout(15):
            while True:
                with contextlib.suppress(OSError):
                    _reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                    writer.close()
                    await writer.wait_closed()
                    return
                await asyncio.sleep(0.02)

    async def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            await self._process.wait()
            self._process = None


class Neighbour:
    """The second client: somebody who types IRC by hand."""

    def __init__(self, port: int, nick: str = "ada") -> None:
        self._port = port
        self.nick = nick

    async def come_in(self) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        self.type(f"PASS :{PASSWORD}", f"NICK {self.nick}", f"USER {self.nick} 0 * :A neighbour")
        await self.until(" 001 ")
        self.type("JOIN #hearth")
        await self.until(" 366 ")

    def type(self, *lines: str) -> None:
        self._writer.write("".join(f"{line}\r\n" for line in lines).encode())

    def says(self, text: str) -> None:
        self.type(f"PRIVMSG #hearth :{text}")

    async def until(self, piece: str) -> str:
        async with asyncio.timeout(15):
            while True:
                line = (await self._reader.readline()).decode().rstrip("\r\n")
                assert line or not self._reader.at_eof(), f"gone before {piece!r}"
                if line.startswith("PING"):
                    self.type(line.replace("PING", "PONG", 1))
                if piece in line:
                    return line

    async def leave(self) -> None:
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    program = shutil.which("ngircd", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
    if program is None:
        pytest.skip("ngircd is not installed: the IRC adapter is not tried on a real server")
    running = Server(program, tmp_path)
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
async def ada(server: Server) -> AsyncIterator[Neighbour]:
    """In the channel first, so its operator."""
    neighbour = Neighbour(server.port)
    await neighbour.come_in()
    yield neighbour
    await neighbour.leave()


def companion(server: Server, password: str = PASSWORD, **more: Any) -> IrcTransport:
    return IrcTransport(
        "#Hearth", "keeper", password, server=IrcServer("127.0.0.1", server.port, tls=False),
        backoff=Backoff(first=0.05, longest=0.2), **more,
    )  # fmt: skip


async def test_they_hear_each_other(server: Server, ada: Neighbour, start: Any, listener: Any) -> None:
    running = start(companion(server))
    await running.connected()
    ada.says("is the kettle on?")
    line = await listener.line("is the kettle on?")
    assert (line.name, line.channel, line.bot) == ("ada", "hearth", False)
    assert line.moderator, "an operator of the channel"
    ada.says("\x01ACTION waves\x01")
    assert (await listener.line("waves")).action
    await running.transport.send("It sings: already.")
    assert await ada.until("PRIVMSG #hearth :It sings: already.")


async def test_a_long_line_arrives_whole_in_pieces(server: Server, ada: Neighbour, start: Any) -> None:
    running = start(companion(server))
    await running.connected()
    told = "Ünder the eaves the rain keeps its own þime. " * 11
    await running.transport.send(told.strip())
    got = ""
    while len(got) < len(told) - 2:
        got += (await ada.until("PRIVMSG #hearth")).partition(" :")[2] + " "
    assert got.strip() == told.strip()


async def test_what_the_server_refuses_is_a_drop(server: Server, ada: Neighbour, start: Any) -> None:
    running = start(companion(server))
    await running.connected()
    ada.type("MODE #hearth +m")
    await ada.until("MODE #hearth")
    with pytest.raises(Dropped) as dropped:
        await running.transport.send("Hush?")
    assert dropped.value.reason == "cannot_send"


async def test_it_survives_a_restart_of_the_server(
    server: Server, ada: Neighbour, start: Any, listener: Any, until: Any
) -> None:
    marks: list[str] = []
    running = start(companion(server))
    await running.connected()
    out = Outgoing(running.transport, lambda: 0.0, lambda _line, state, _reason: marks.append(state))
    await server.stop()
    await until(lambda: not running.transport.state.connected)
    saying = asyncio.create_task(out.say("Still here.", "steward", "asked"))
    await until(lambda: "queued" in marks[1:])
    await server.start()
    neighbour = Neighbour(server.port, "bo")
    await neighbour.come_in()
    await running.connected()
    await until(lambda: running.transport.state.last_error == "")
    delivery = await saying
    assert delivery.sent, "what had not left before is said once the server is back"
    neighbour.says("and you are back")
    await listener.line("and you are back")
    await neighbour.leave()


async def test_a_wrong_password_ends_it(server: Server, listener: Any) -> None:
    transport = companion(server, "guess")
    with pytest.raises(BadCredentials):
        async with asyncio.timeout(15):
            await transport.run(listener)


async def test_a_name_that_is_taken_becomes_another(server: Server, ada: Neighbour, start: Any) -> None:
    other = Neighbour(server.port, "keeper")
    await other.come_in()
    running = start(companion(server))
    await running.connected()
    await running.transport.send("Good evening.")
    assert (await ada.until("Good evening.")).startswith(":keeper_!")
    await other.leave()


async def test_sent_out_it_comes_back(server: Server, ada: Neighbour, start: Any, until: Any) -> None:
    running = start(companion(server))
    await running.connected()
    ada.type("KICK #hearth keeper :out")
    await ada.until("KICK #hearth keeper")
    await ada.until("JOIN :#hearth")
    await running.connected()


async def test_a_server_that_freezes_leaves_doubt(server: Server, ada: Neighbour, start: Any) -> None:
    running = start(companion(server, patience=IrcPatience(answer=0.3)))
    await running.connected()
    assert server._process is not None
    server._process.send_signal(signal.SIGSTOP)
    try:
        with pytest.raises(SendUnknown):
            await running.transport.send("Anybody?")
    finally:
        server._process.send_signal(signal.SIGCONT)
