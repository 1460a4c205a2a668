"""A server told to end, with everybody still watching: it goes within seconds, and the turn goes on in the next one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import socketio
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from talekeeper.testing.house import House

WORLD = "low-water"


class Process:
    """`talekeeper serve` as a person starts it."""

    def __init__(self, home: Path, port: int = 0) -> None:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "talekeeper.cli.main", "serve", "--port", str(port)],
            env={**kept, "TALEKEEPER_HOME": str(home), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, line
        self.port = int(found[1])
        self.url = f"http://127.0.0.1:{self.port}"

    def end(self) -> float:
        """SIGTERM; how many seconds it took."""
        begun = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)
        return time.monotonic() - begun

    def clear(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=30)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def processes() -> Iterator[list[Process]]:
    started: list[Process] = []
    yield started
    for process in started:
        process.clear()


async def test_open_sockets_do_not_hold_it_up_and_the_next_one_goes_on(
    sqlite_house: House, processes: list[Process]
) -> None:
    home = sqlite_house.settings().home
    first = Process(home)
    processes.append(first)
    live = f"ws://127.0.0.1:{first.port}/api/v1/worlds/{WORLD}/live"
    client = socketio.AsyncClient(reconnection=False)
    await client.connect(first.url, auth={"user_id": "ada"}, transports=["websocket"])
    await client.call("join", {"world": WORLD})
    # One reads, one never does, one only polls.
    polled = socketio.AsyncClient(reconnection=False)
    await polled.connect(first.url, auth={"user_id": "bo"}, transports=["polling"])
    async with (
        connect(live) as reading,
        connect(live, max_queue=1, close_timeout=0.2),
        httpx.AsyncClient(base_url=first.url) as http,
    ):
        told = (await http.post(f"/api/v1/worlds/{WORLD}/act", json={"text": "look around"})).json()["turn"]
        assert json.loads(await reading.recv())["type"] == "hello"
        taken = await asyncio.to_thread(first.end)
        with contextlib.suppress(ConnectionClosed):
            async for _ in reading:
                pass
        assert reading.close_code == 1012, "come back"
    assert first.process.returncode in (0, -signal.SIGTERM), "in good order, then by the signal"
    assert taken < 5
    await client.disconnect()
    await polled.disconnect()

    second = Process(home)
    processes.append(second)
    where = (
        f"ws://127.0.0.1:{second.port}/api/v1/worlds/{WORLD}/live?turn={told.replace('#', '%23')}&from_seq=2&attempt=1"
    )
    async with httpx.AsyncClient(base_url=second.url) as http, connect(where) as watching, asyncio.timeout(30):
        while True:
            message: dict[str, Any] = json.loads(await watching.recv())
            if message["type"] in ("missed", "turn_ended"):
                break
        turns = (await http.get(f"/api/v1/worlds/{WORLD}/turns")).json()
    assert [turn["turn"] for turn in turns if turn["turn"]] == [told]
    assert second.end() < 5


def test_a_taken_port_is_said_at_once(sqlite_house: House, processes: list[Process]) -> None:
    first = Process(sqlite_house.settings().home)
    processes.append(first)
    other = subprocess.run(
        [sys.executable, "-m", "talekeeper.cli.main", "serve", "--port", str(first.port)],
        env={**os.environ, "TALEKEEPER_HOME": str(sqlite_house.settings().home)},
        capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    assert other.returncode != 0
    assert "cannot be listened on" in other.stderr
    assert "Traceback" not in other.stderr
