"""Socket.IO with the stock JavaScript client, installed from npm into a folder of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.foreign

PACKAGE = "socket.io-client@4"


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client's script beside an installed client."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed: Socket.IO is not tried with its JavaScript client")
    folder = tmp_path_factory.mktemp("npm")
    installed = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent", PACKAGE],
        cwd=folder, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    if installed.returncode:
        pytest.skip(f"npm cannot install {PACKAGE}: {installed.stderr.strip()[-200:]}")
    copied = folder / "client.mjs"
    shutil.copy(Path(__file__).parent / "socketio_client.mjs", copied)
    return copied


@pytest.mark.parametrize("transport", ["websocket", "polling"])
def test_the_javascript_client_plays_a_turn(serve: Any, script: Path, transport: str) -> None:
    server = serve()
    played = subprocess.run(
        ["node", script.name, server.url, "low-water", transport],
        cwd=script.parent, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    met: dict[str, Any] = json.loads(played.stdout)
    assert met["refused"] == "not_found"
    assert met["told"]["turn"] == met["turn"] == "t1#1"
    assert met["seqs"] == sorted(set(met["seqs"])), "in order, each once"
    assert len(met["shown"].split()) > 10
