"""The fake Twitch is met by clients nobody here wrote: tmi.js, Twurple, and twitchAPI's own sockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.foreign

HERE = Path(__file__).parent
TWURPLE = [f"@twurple/{name}@8.1.4" for name in ("api", "auth", "eventsub-ws")]


class Client:
    """A foreign program that prints what it met."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.met: list[dict[str, Any]] = []

    async def until(self, event: str, **like: Any) -> dict[str, Any]:
        """The next line of a kind."""
        assert self.process.stdout is not None
        while True:
            async with asyncio.timeout(30):
                line = await self.process.stdout.readline()
            assert line, f"it ended after {self.met}"
            with contextlib.suppress(json.JSONDecodeError):
                self.met.append(met := json.loads(line))
                if met["event"] == event and like.items() <= met.items():
                    return met

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())


@pytest.fixture
async def launch() -> AsyncIterator[Callable[..., Any]]:
    """Starts programs, and ends them with the test."""
    started: list[asyncio.subprocess.Process] = []

    async def begin(*command: str, folder: Path = HERE) -> Client:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *command, cwd=folder, stdin=pipe, stdout=pipe, env={**os.environ, "NO_COLOR": "1"}
        )
        started.append(process)
        return Client(process)

    yield begin
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


def npm_folder(folder: Path, script: str, *packages: str) -> Path:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed: the fake Twitch is not tried with JavaScript clients")
    installed = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent", *packages],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    if installed.returncode:
        pytest.skip(f"npm cannot install {' '.join(packages)}: {installed.stderr.strip()[-200:]}")
    shutil.copy(HERE / script, folder)
    return folder


@pytest.fixture(scope="module")
def tmi(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return npm_folder(tmp_path_factory.mktemp("tmi"), "tmi_client.mjs", "tmi.js@1")


@pytest.fixture(scope="module")
def twurple(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return npm_folder(tmp_path_factory.mktemp("twurple"), "twurple_client.mjs", *TWURPLE)


async def test_tmi_js_chats(twitch: Any, tmi: Path, launch: Any, until: Any) -> None:
    password = f"oauth:{twitch.token('mel')}"
    client = await launch("node", "tmi_client.mjs", str(twitch.port), "hearth", "mel", password, folder=tmi)
    await client.until("joined", name="mel")
    said = await twitch.says("ada", "is the kettle; on? \\s", badges=("moderator", "vip"), display="Ada L;")
    met = await client.until("chat")
    assert (met["text"], met["name"], met["display"], met["id"]) == ("is the kettle; on? \\s", "ada", "Ada L;", said)
    assert met["mod"] is True
    assert met["badges"] == {"moderator": "1", "vip": "1"}
    await twitch.says("ada", "waves", action=True)
    assert (await client.until("action"))["text"] == "waves"
    await twitch.deletes(said)
    assert (await client.until("deleted"))["id"] == said
    await twitch.clears("ada")
    assert await client.until("timeout", name="ada")
    await twitch.clears()
    await client.until("cleared")
    client.type("good evening")
    await until(lambda: any(said.text == "good evening" and said.name == "mel" for said in twitch.room.shown))
    twitch.room.drops.append("msg_slowmode")
    client.type("good evening again")
    assert (await client.until("notice"))["id"] == "msg_slowmode"
    twitch.irc.tell_all("RECONNECT")
    await client.until("joined", name="mel")


async def test_tmi_js_is_refused_with_a_bad_token(twitch: Any, tmi: Path, launch: Any) -> None:
    client = await launch("node", "tmi_client.mjs", str(twitch.port), "hearth", "mel", "oauth:wrong", folder=tmi)
    assert "Login authentication failed" in (await client.until("failed"))["error"]


async def test_tmi_js_and_the_companion_hear_each_other(
    twitch: Any, tmi: Path, launch: Any, irc: Any, eventsub: Any, start: Any, listener: Any
) -> None:
    password = f"oauth:{twitch.token('mel')}"
    client = await launch("node", "tmi_client.mjs", str(twitch.port), "hearth", "mel", password, folder=tmi)
    await client.until("joined")
    for transport in (irc(), eventsub()):
        listener.heard.clear()
        running = start(transport)
        await running.connected()
        client.type("anybody here?")
        assert (await listener.line("anybody here?")).name == "mel"
        await running.transport.send("The fire is.")
        assert (await client.until("chat", text="The fire is."))["name"] == "keeper"
        await running.end()


async def test_twurple_reads_speaks_and_follows(twitch: Any, twurple: Path, launch: Any, until: Any) -> None:
    await twitch.goes_live("Rain on glass", "Myst")
    client = await launch(
        "node", "twurple_client.mjs", twitch.helix_url, twitch.auth_url, twitch.eventsub_url, twitch.client_id,
        twitch.token(), "hearth", "keeper", folder=twurple,
    )  # fmt: skip
    known = await client.until("known")
    assert known == {
        "event": "known", "id": twitch.room.id_of("hearth"), "display": "Hearth", "title": "Rain on glass", "viewers": 7
    }  # fmt: skip
    await client.until("ready")
    said = await twitch.says("ada", "hello", badges=("vip",), display="Ada L", reply_to="m-1", source="elsewhere")
    met = await client.until("said")
    assert met == {
        "event": "said", "name": "ada", "display": "Ada L", "text": "hello", "id": said, "reply": "m-1",
        "badges": {"vip": "1"}, "source": "elsewhere",
    }  # fmt: skip
    await twitch.deletes(said)
    assert (await client.until("deleted")) == {"event": "deleted", "id": said, "name": "ada"}
    await twitch.clears()
    await client.until("cleared")
    await twitch.changes_title("Rain, still", "Riven")
    assert (await client.until("titled")) == {"event": "titled", "title": "Rain, still", "game": "Riven"}
    client.type("say|Good evening.")
    assert (await client.until("sent"))["isSent"] is True
    twitch.room.drops.append("msg_rejected")
    client.type("say|Good evening!")
    assert (await client.until("refused"))["code"] == "msg_rejected"
    client.type("mark|a good moment")
    assert (await client.until("marked"))["note"] == "a good moment"
    await twitch.eventsub.reconnect()
    await until(lambda: twitch.eventsub.ever == 4 and len(twitch.eventsub.sessions) == 2)  # one for each user it knows
    await twitch.goes_offline()
    await client.until("offline")
    await twitch.goes_live()
    assert (await client.until("live"))["type"] == "live"
    await twitch.eventsub.revoke()
    assert (await client.until("revoked"))["status"] == "authorization_revoked"


async def test_twitchapi_with_its_own_sockets(twitch: Any, launch: Any) -> None:
    await twitch.goes_live("Rain on glass", "Myst")
    client = await launch(
        sys.executable, "twitchapi_client.py", twitch.helix_url, twitch.auth_url, twitch.eventsub_url,
        f"ws://127.0.0.1:{twitch.port}/", twitch.client_id, twitch.client_secret, twitch.token(), "hearth",
    )  # fmt: skip
    assert (await client.until("known"))["title"] == "Rain on glass"
    assert (await client.until("sent"))["is_sent"] is True
    await client.until("ready")
    said = await twitch.says("ada", "hello", badges=("moderator",))
    met = [await client.until("irc", name="ada")]
    if not any(one["event"] == "said" and one.get("id") == said for one in client.met):
        met.append(await client.until("said", id=said))
    assert met[0]["mod"] is True
    await twitch.goes_offline()
    await twitch.goes_live()
    await client.until("live")
    client.type("good evening from irc")
    await client.until("said", text="good evening from irc")
