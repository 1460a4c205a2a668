"""A real Godot (Debian's godot3-server) plays the scenarios against the real server, which is restarted in between."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import sys
from pathlib import Path

import pytest

GODOT = shutil.which("godot3-server")
HERE = Path(__file__).parent / "godot3"

pytestmark = [
    pytest.mark.foreign,
    pytest.mark.skipif(GODOT is None, reason="godot3-server is not installed (apt-get install godot3-server)"),
]


class Server:
    """`talekeeper serve` as a process of its own."""

    def __init__(self, home: Path, port: int) -> None:
        self._port = port
        self._environment = {
            **{key: value for key, value in os.environ.items() if key != "TALEKEEPER_TEST_RUN"},
            "TALEKEEPER_HOME": str(home), "TALEKEEPER_GAME_PACE": "40", "LLM_PROVIDER": "storyteller",
        }  # fmt: skip
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        command = (sys.executable, "-m", "talekeeper.cli.main", "serve", "--port", str(self._port))
        self._process = await asyncio.create_subprocess_exec(
            *command, env=self._environment, stdout=asyncio.subprocess.PIPE, cwd=HERE
        )
        assert self._process.stdout is not None
        async with asyncio.timeout(60):
            line = await self._process.stdout.readline()
        assert b"Talekeeper at" in line

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(how)
            async with asyncio.timeout(20):
                await self._process.wait()


async def test_godot_plays(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Server(tmp_path / "home", port)
    await server.start()
    told = []
    # Godot writes into its home; nothing of it may stay on this machine.
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_DATA_HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
    }
    godot = await asyncio.create_subprocess_exec(
        GODOT, "--path", str(HERE), "-s", "client.gd", f"--url=ws://127.0.0.1:{port}/ws",
        env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        assert godot.stdout is not None
        async with asyncio.timeout(100):
            async for raw in godot.stdout:
                line = raw.decode(errors="replace").strip()
                if line.startswith("TK"):
                    told.append(line)
                elif "SCRIPT ERROR" in line or "Parse Error" in line:
                    pytest.fail(line)
                if line == "TK restart now":
                    await server.stop(signal.SIGKILL)
                    await server.start()
            await godot.wait()
    finally:
        if godot.returncode is None:
            godot.kill()
        await server.stop()
    scenarios = ("connect", "two_agents", "interrupt", "tool_call", "big_snapshot", "restart", "resume")
    assert [line for line in told if line.startswith("TK done")] == [f"TK done {name}" for name in scenarios], told
    assert told[-1] == "TK all done"
    assert godot.returncode == 0
    (greeting,) = [line for line in told if line.startswith("TK told")]
    cross = ("again", "finish", "forgotten", "sentence", "cut", "talked over")
    assert any(word in greeting.lower() for word in cross), f"she is no longer annoyed: {greeting}"
