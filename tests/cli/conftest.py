"""A home in which an evening was played, and the program to look at it with."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Connection
from typer.testing import CliRunner

from talekeeper.agents.storyteller import Storyteller
from talekeeper.app.engine import Engine
from talekeeper.cli.main import app
from talekeeper.loops.intents import Act, Backtrack, Intent, Retry
from talekeeper.loops.scene.travel import backtrack
from talekeeper.testing.house import WORLD, House, settings_for
from talekeeper.timeline.vocabulary import Claim, Draft, ProposalStaged
from talekeeper.timeline.worlds import get_world

TRACE = "Traceback"


class Said(msgspec.Struct, frozen=True):
    """How a command ended, and what it said where."""

    code: int
    out: str
    err: str

    def json(self) -> object:
        return msgspec.json.decode(self.out)


Run = Callable[..., Said]


@pytest.fixture(scope="session")
def evening(sqlite_house: House) -> Path:
    """Five turns; the last told three times; then back to turn 2 and one other turn; a claim that waits."""
    settings = sqlite_house.settings()
    asyncio.run(_play(Engine.open(settings, teller=Storyteller())))
    return settings.home


async def _play(engine: Engine) -> None:
    for text in ("look around", "wait", "search the room", "wait", "look at the fire"):
        await _end(engine, Act(world=WORLD, text=text))
    await _end(engine, Retry(world=WORLD, swipe=True))
    await _end(engine, Retry(world=WORLD, swipe=True))
    await engine.command(backtrack, Backtrack(world=WORLD, to=2))
    await _end(engine, Act(world=WORLD, text="wait"))
    await engine.store.write(lambda conn: _claim(conn, engine))
    await engine.effects.drain()
    await engine.close()


async def _end(engine: Engine, intent: Intent) -> None:
    running = await (engine.scenes.act(intent) if isinstance(intent, Act) else engine.scenes.retry(intent))  # type: ignore[arg-type]
    await running.ended.wait()


def _claim(conn: Connection, engine: Engine) -> None:
    claim = Claim(subj="person/nan", pred="note", slot="pipe", obj="Nan smokes a pipe when nobody looks.")
    staged = ProposalStaged(role="narrator", claims=(claim,), why="she put something away")
    dead = Claim(subj="person/nobody", pred="mood", obj="cheerful")
    wrong = ProposalStaged(role="narrator", claims=(dead,), why="somebody said so")
    drafts = [Draft(body=body, by="narrator") for body in (staged, wrong)]
    engine.services.appender.append(conn, WORLD, get_world(conn, WORLD).active, drafts)


@pytest.fixture
def home(evening: Path, tmp_path: Path) -> Path:
    """That home, to do with as one likes."""
    return Path(shutil.copytree(evening, tmp_path / "home"))


@pytest.fixture
def run(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """`talekeeper ...` in that home, in this process."""
    monkeypatch.chdir(tmp_path)

    def invoke(*args: str, given: str | None = None, **environment: str) -> Said:
        env = {"TALEKEEPER_HOME": str(home), "COLUMNS": "200", "TALEKEEPER_TEST_RUN": None, **environment}
        result = CliRunner().invoke(app, list(args), input=given, env=env, prog_name="talekeeper")
        assert TRACE not in result.stderr, result.stderr
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return Said(result.exit_code, result.stdout, result.stderr)

    return invoke


@pytest.fixture
def engine(home: Path) -> Engine:
    """The same home from within."""
    return Engine.open(settings_for(home), teller=Storyteller())
