"""Clients nobody here wrote: npm `ws`, and Python's aiohttp, against the real server process."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from talekeeper.app.engine import open_store
from talekeeper.doors.game.tokens import new_token
from talekeeper.testing.house import settings_for

WS_VERSION = "8.18.3"
HERE = Path(__file__).parent / "node"

pytestmark = pytest.mark.foreign


@pytest.fixture(scope="module")
def node_modules(tmp_path_factory):
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("npm and node are not installed, so nothing was tried with npm ws")
    folder = tmp_path_factory.mktemp("node")
    install = ["npm", "install", "--no-audit", "--no-fund", "--prefer-offline", f"ws@{WS_VERSION}"]
    done = subprocess.run(install, cwd=folder, capture_output=True, text=True, timeout=100, check=False)
    if done.returncode:
        pytest.skip(f"npm could not install ws, so nothing was tried with it: {done.stderr[-300:]}")
    shutil.copy(HERE / "client.js", folder)
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def token(home):
    store = open_store(settings_for(home))
    _, secret = store.write_now(lambda conn: new_token(conn, "harbour", "test", 1.0))
    store.close()
    return secret


@pytest.fixture(scope="module")
def server(home, token):
    """`talekeeper serve` as a process of its own; its address."""
    environment = {key: value for key, value in os.environ.items() if key != "TALEKEEPER_TEST_RUN"} | {
        "TALEKEEPER_HOME": str(home),
        "TALEKEEPER_GAME_PACE": "40",
        "TALEKEEPER_GAME_TOKEN_NEEDED": "true",
    }
    command = (sys.executable, "-m", "talekeeper.cli.main", "serve", "--port", "0")
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, cwd=home) as process:
        line = process.stdout.readline()
        yield line.partition("http://")[2].partition(",")[0]
        process.terminate()
        process.wait(20)


async def test_npm_ws(server, token, node_modules):
    node = await asyncio.create_subprocess_exec(
        "node", "client.js", f"ws://{server}/ws", token, cwd=node_modules,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    async with asyncio.timeout(90):
        out, _ = await node.communicate()
    steps = ("turn", "big", "fragments", "binary", "cut", "large", "stranger", "fifty")
    assert out.decode().splitlines() == [f"TK {step}" for step in steps]
    assert node.returncode == 0


async def test_aiohttp(server, token):
    headers = {"Authorization": f"Bearer {token}"}
    async with aiohttp.ClientSession() as session:
        async with session.ws_connect(f"http://{server}/ws", headers=headers, compress=15) as game:
            await game.ping()
            event = {"kind": "player_said", "source": {"id": "ana", "name": "Ana"}, "text": "Who are you?"}
            await game.send_json({"type": "interaction_event", "event_id": "e1", "agent_id": "mara", "event": event})
            seen = []
            async for frame in game:
                assert frame.type is aiohttp.WSMsgType.TEXT
                message = json.loads(frame.data)
                seen.append(message)
                if message["type"] == "get_agent_state":
                    lore = [{"id": "l", "role": "user", "text": "lore " * 180_000, "priority": -1}]
                    await game.send_json(
                        {
                            "type": "agent_state_snapshot", "request_id": message["request_id"], "agent_id": "mara",
                            "spec": {"name": "Mara"}, "prompt_parts": lore,
                        }
                    )  # fmt: skip
                if message["type"] == "agent_turn_finished":
                    break
            turn = [m for m in seen if "seq" in m]
            assert [m["seq"] for m in turn] == list(range(len(turn)))
            assert any("Mara" in m.get("text", "") for m in turn)
        async with session.ws_connect(f"http://{server}/ws") as stranger:
            assert (await stranger.receive_json())["code"] == "unauthorized"
            assert (await stranger.receive()).data == 4401
