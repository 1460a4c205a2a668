"""`talekeeper prompt show` and `talekeeper audit`, as a person types them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
import typer
from typer.testing import CliRunner, Result

from talekeeper.cli import audit, prompt
from talekeeper.testing.house import House

Run = Callable[..., Result]


@pytest.fixture
def run(sqlite_house: House, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("TALEKEEPER_HOME", str(sqlite_house.settings().home))
    app = typer.Typer()
    app.add_typer(prompt.app, name="prompt")
    app.command()(audit.audit)
    return lambda *arguments: CliRunner().invoke(app, arguments)


def test_show_what_the_narrator_would_be_sent(run: Run) -> None:
    shown = run("prompt", "show", "--action", "ask Nan about the graves")
    assert shown.exit_code == 0
    assert "You are the narrator" in shown.stdout
    assert "<action>\nask Nan about the graves\n</action>" in shown.stdout
    assert "nothing was sent" in shown.stderr


def test_show_what_a_voice_would_be_sent_as_json(run: Run) -> None:
    shown = run("prompt", "show", "--action", "ask Nan about the graves", "--role", "voice", "--who", "Nan", "--json")
    system, user = json.loads(shown.stdout)
    assert (system["role"], user["role"]) == ("system", "user")
    assert "Nan Orchard (person/nan)" in system["content"]


def test_nothing_was_written(run: Run) -> None:
    before = run("prompt", "show").stdout
    run("prompt", "show", "--action", "go to the row")
    assert run("prompt", "show").stdout == before
    assert "No turn has been played yet." in run("audit").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("prompt", "show", "--role", "voice"),
        ("prompt", "show", "--role", "voice", "--who", "the Otter"),
        ("prompt", "show", "--role", "voice", "--who", "Merrit"),
        ("prompt", "show", "--action", ""),
        ("prompt", "show", "--world", "nowhere"),
    ],
)
def test_what_cannot_be_shown_is_said(run: Run, arguments: tuple[str, ...]) -> None:
    refused = run(*arguments)
    assert refused.exit_code == 2
    assert refused.stderr.strip()
