"""`talekeeper game`: tokens, the schema, and an evening in the tavern over the real socket."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from talekeeper.cli.main import app


@pytest.fixture
def run(monkeypatch, tmp_path):
    monkeypatch.setenv("TALEKEEPER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TALEKEEPER_GAME_PACE", "0")
    monkeypatch.setenv("TALEKEEPER_SERVER_PORT", "1")  # where nobody listens
    return lambda *words, **options: CliRunner().invoke(app, ["game", *words], **options)


def test_a_token_is_shown_once_and_can_be_revoked(run):
    made = json.loads(run("token", "new", "--world", "old-harbour", "--name", "Harbour", "--json").stdout)
    assert made["token"].startswith(f"tkg_{made['id']}_")
    listed = run("token", "list").stdout
    assert made["id"] in listed
    assert "old-harbour" in listed
    assert made["token"] not in listed
    assert run("token", "revoke", made["id"]).exit_code == 0
    assert json.loads(run("token", "list", "--json").stdout)[0]["revoked_at"]


def test_by_default_a_token_opens_the_games_own_world(run):
    assert run("token", "new").stdout.startswith("tkg_")
    assert json.loads(run("token", "list", "--json").stdout)[0]["world"] == "game"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("token", "new", "--world", "No World"), 2),
        (("token", "revoke", "nope"), 2),
        (("simulate", "--url", "ws://127.0.0.1:1/ws"), 4),
    ],
)
def test_mistakes_are_told(run, words, code):
    done = run(*words)
    assert done.exit_code == code
    assert "Traceback" not in done.output


def test_the_schema_is_json(run):
    assert json.loads(run("schema").stdout)["title"] == "The Talekeeper game protocol"


def test_an_evening_in_the_tavern(run, monkeypatch):
    monkeypatch.setenv("TALEKEEPER_GAME_PACE", "30")
    lines = [
        "What happened to the north road?",
        "!Stop!",
        "Please check the stock of cider",
        "tom: what about the bridge?",
        "/give a ring",
        "/bell",
        "/what",
        "/quit",
    ]
    first = run("simulate", "--as", "Ana", input="\n".join(lines) + "\n")
    assert first.exit_code == 0, first.output
    assert "Mara:" in first.stdout
    assert " —" in first.stdout
    assert "goes to look: check_stock" in first.stdout
    assert "1 cask of cider" in first.stdout
    assert "The bridge could be mended" in first.stdout
    assert "Nobody here knows that command" in first.stdout
    again = run("simulate", "--as", "Ana", input="mara: Hello\n")
    cross = ("again", "finish", "forgotten", "sentence", "talked over")
    assert any(word in again.stdout.rpartition("> mara: Hello")[2] for word in cross), again.stdout
