"""`talekeeper stream run` and `status`."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from talekeeper.cli import serve
from talekeeper.cli import stream as command
from talekeeper.cli.main import app


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TALEKEEPER_HOME", str(tmp_path / "home"))

    def invoke(*args: str):
        return CliRunner().invoke(app, ["stream", *args])

    return invoke


@pytest.fixture
def started(monkeypatch):
    """What would have been served."""
    calls = []
    monkeypatch.setattr(command, "run_server", lambda loaded, **more: calls.append((loaded.settings, more)))
    return calls


def test_run_needs_a_channel(run, started):
    ran = run("run")
    assert (ran.exit_code, started) == (2, [])
    assert "TWITCH_CHANNEL_NAME" in ran.stderr


def test_run_makes_a_key_where_none_is_set(run, started):
    assert run("run", "--channel", " #MyChannel ").exit_code == 0
    ((settings, more),) = started
    assert settings.stream_channel == "mychannel"
    assert settings.stream_admin_key.get_secret_value() in more["more"]
    assert more["page"] == "/stream"


def test_run_keeps_the_one_that_is(run, started, monkeypatch):
    monkeypatch.setenv("ADMIN_API_KEY", "my own key")
    monkeypatch.setenv("TWITCH_CHANNEL_NAME", "mychannel")
    monkeypatch.setenv("TWITCH_OFFLINE_CHAT_TEST_MODE", "true")
    ran = run("run")
    ((_settings, more),) = started
    assert (more["more"], "my own key" in ran.output) == ("", False)
    assert "TWITCH_OFFLINE_CHAT_TEST_MODE is on" in ran.stderr
    assert "No Twitch credentials" in ran.stderr


def test_what_is_missing_is_said_before_anything_is_served(run, monkeypatch):
    monkeypatch.setenv("TWITCH_TRANSPORT", "eventsub")
    ran = run("run", "--channel", "mychannel", "--port", "0")
    assert ran.exit_code == 4
    assert "TWITCH_CLIENT_ID" in ran.stderr


def test_status_from_what_is_kept(run, monkeypatch):
    ran = run("status")
    assert "No session is open." in ran.stdout
    assert json.loads(run("status", "--json").stdout) == {"server": None, "sessions": []}


def test_status_from_a_server(run, monkeypatch, tmp_path):
    found = {
        "session": {"id": "s1", "channel": "hearth", "started_at": "2026-01-01T00:00:00+00:00", "message_count": 3, "theme": None},
        "twitch": {"connected": False, "last_error": "bad token", "live_status": {"is_live": False, "reason": "stream_offline"}},
        "hearthkeeper": {"can_prompt_now": False, "next_eligible_prompt_at": "soon", "last_posted_message": None},
    }  # fmt: skip
    monkeypatch.setattr(command, "_from_server", lambda _settings: found)
    ran = run("status")
    for said in ("hearth", "3 lines", "not connected", "stream_offline", "bad token", "at soon at the earliest"):
        assert said in ran.stdout
    assert json.loads(run("status", "--json").stdout) == found


def test_the_servers_command_is_shared():
    assert serve.run_server is command.run_server
