"""`talekeeper chronicle` and `talekeeper fleet` at the terminal."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from talekeeper.app.engine import Engine
from talekeeper.chronicle import AgentEvent, ChronicleWriter, EventKind
from talekeeper.cli import chronicle, fleet
from talekeeper.cli.chronicle_watch import WorldSource
from talekeeper.loops.intents import Act, Backtrack
from talekeeper.loops.scene.travel import backtrack
from talekeeper.testing.chat_service import ChatService, said
from talekeeper.testing.house import WORLD, House
from talekeeper.timeline.worlds import get_world

Run = Callable[..., Result]
START = 1_793_782_800.0


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TALEKEEPER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path))

    def invoke(*arguments: object, app=chronicle.app) -> Result:
        return CliRunner().invoke(app, [str(one) for one in arguments], env={"COLUMNS": "200"})

    return invoke


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "fleet.jsonl"
    story = [
        ("dispatch", "issue #7"),
        ("error", "red #7"),
        ("error", "redder #7"),
        ("recovery", "green #7"),
        ("error", "flood #9"),
    ]
    with ChronicleWriter(path) as writer:
        for number, (kind, detail) in enumerate(story):
            writer.ingest(AgentEvent(EventKind(kind), "mara", detail, START + number * 60))
    return path


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    path = tmp_path / "tower"
    git = ["git", "-c", "user.name=Mara", "-c", "user.email=m@x", "-C", str(path)]
    subprocess.run(["git", "init", "-q", path], check=True)
    for subject in ("wick: trim it", "wick: light it", 'Revert "wick: light it"', 'Reapply "wick: light it"'):
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", subject], check=True)
    return path


class TestGit:
    def test_it_is_printed_as_markdown(self, run: Run, repository: Path):
        result = run("git", repository)
        assert result.exit_code == 0
        assert result.stdout.startswith("# The chronicle of tower\n")
        assert "A second try" in result.stdout

    @pytest.mark.parametrize("name", ["a.html", "a.epub", "a.atom", "a.json", "a.md"])
    def test_the_ending_chooses_the_form(self, run: Run, repository: Path, tmp_path: Path, name: str):
        result = run("git", repository, "--out", tmp_path / "out" / name)
        assert result.exit_code == 0
        assert "1 chapter" in result.stdout
        assert (tmp_path / "out" / name).stat().st_size > 300

    def test_only_what_is_new(self, run: Run, repository: Path):
        assert "Mara wrote" in run("git", repository, "--new").stdout
        assert "Nothing has happened" in run("git", repository, "--new").stdout
        assert "Mara wrote" in run("git", repository).stdout

    @pytest.mark.parametrize(
        ("arguments", "says"),
        [
            (["git", "nowhere"], "git cannot read"),
            (["git", "tower", "--format", "pdf"], "no format of a book"),
            (["git", "tower", "--by", "decade"], "no length of chapter"),
            (["git", "tower", "--since", "soon"], "is no date"),
            (["git", "tower", "--format", "epub"], "--out"),
            (["git", "tower", "--patterns", "none.toml"], "no pattern file"),
            (["arcs", "fleet.jsonl", "--git", "tower"], "Choose one"),
            (["why-not", "nonsense", "x", "--git", "tower"], "There is no arc"),
            (["ingest", "none.jsonl", "--world", "w"], "There is no file"),
            (["book", "none"], "There is no world"),
        ],
    )
    def test_what_is_wrong_is_said_in_words(self, run: Run, repository: Path, arguments: list[str], says: str):
        result = run(*arguments)
        assert result.exit_code not in (0, 70)
        assert says in result.stderr

    def test_an_empty_repository(self, run: Run, tmp_path: Path):
        subprocess.run(["git", "init", "-q", tmp_path / "empty"], check=True)
        assert "Nothing has happened" in run("git", tmp_path / "empty").stdout


def test_a_log_goes_into_a_world_once_and_becomes_a_book(run: Run, log: Path):
    assert "5 of 5 events are new in my-fleet" in run("ingest", log, "--world", "my-fleet").stdout
    assert "0 of 5 events are new in my-fleet" in run("ingest", log, "--world", "my-fleet").stdout
    assert json.loads(run("ingest", log, "--world", "my-fleet", "--json").stdout)["added"] == 0
    book = run("book", "my-fleet").stdout
    assert "Struggle and recovery" in book
    assert "t1@3" in book
    assert "Struggle and recovery" in run("arcs", "--world", "my-fleet").stdout
    assert "Struggle and recovery" in run("book", "my-fleet", "--new", "--by", "day").stdout
    assert "Nothing has happened" in run("book", "my-fleet", "--new").stdout


def test_arcs_and_what_is_open(run: Run, log: Path):
    result = run("arcs", log, "--top", 3)
    assert "mara ran into “redder #7” on #7, held on" in result.stdout
    assert "mara is in trouble with #9" in result.stderr
    document = json.loads(run("arcs", log, "--json").stdout)
    assert document["arcs"][0]["arc"] == "struggle_and_recovery"
    assert document["arcs"][0]["ids"]


def test_why_not(run: Run, log: Path):
    result = run("why-not", "long_siege", "#7", log)
    assert "1 more of blow (error)" in result.stdout
    assert json.loads(run("why-not", "fall", "#9", log, "--json").stdout)["state"] == "open"


def test_arcs_of_ones_own(run: Run, log: Path, tmp_path: Path):
    mine = tmp_path / "mine.toml"
    steps = 'step = [{ name = "red", kind = "error", times = 2 }]'
    mine.write_text(
        f'[[arc]]\nname = "red_day"\nstakes = 9\nkey = "agent"\ntell = "A red day for {{agent}}."\n{steps}\n'
    )
    assert "A red day for mara." in run("arcs", log, "--patterns", mine).stdout
    mine.write_text("[[arc]]\nname = 3")
    assert "mine.toml, arc 1" in run("arcs", log, "--patterns", mine).stderr


def test_watch_tells_each_event_and_each_arc(run: Run, log: Path):
    result = run("watch", log, "--once")
    assert "09:01  mara ran into trouble: red #7." in result.stdout
    assert "Struggle and recovery: mara ran into" in result.stdout
    assert "Still open: mara is in trouble with #9" in result.stderr
    lines = [json.loads(line) for line in run("watch", log, "--once", "--json").stdout.splitlines()]
    assert [line.get("kind") or line["arc"] for line in lines].count("struggle_and_recovery") == 1


def test_watch_follows_a_world_where_it_goes(run: Run, log: Path):
    run("ingest", log, "--world", "tower")
    result = run("watch", "--world", "tower", "--once")
    assert "09:01  mara ran into trouble: red #7." in result.stdout
    assert "Struggle and recovery: mara ran into" in result.stdout
    assert "Choose one" in run("watch", log, "--world", "tower", "--once").stderr


def test_a_played_world_is_watched_through_a_backtrack(sqlite_house: House):
    engine = Engine.open(sqlite_house.settings())

    async def act(text: str) -> None:
        turn = await engine.scenes.act(Act(world=WORLD, text=text))
        await turn.ended.wait()

    async def play() -> None:
        source = WorldSource(engine.store, engine.store.read_now(lambda conn: get_world(conn, WORLD)))

        def told() -> list[str]:
            return [happened.text for happened in source.new() if happened.text]

        assert "The carrier put you down" in told()[0]
        await act("look around")
        assert "look around" in told()[0]
        await engine.command(backtrack, Backtrack(world=WORLD, to=0))
        assert told() == [], "the past they share has been told"
        await act("wait")
        assert "wait" in told()[0]
        await engine.close()

    asyncio.run(play())


class TestPolish:
    def test_without_a_model_it_says_what_to_do(self, run: Run, repository: Path):
        assert "There is no model to polish with" in run("git", repository, "--polish").stderr

    async def test_a_model_may_smooth_but_not_add(self, run: Run, repository: Path, monkeypatch: pytest.MonkeyPatch):
        async with ChatService() as service:
            monkeypatch.setenv("LLM_BASE_URL", service.base_url)
            monkeypatch.setenv("LLM_MODEL", "tiny")
            service.will(*[said("[1] Zoe stole the lamp.")] * 2)
            result = await asyncio.to_thread(run, "git", repository, "--polish")
        assert "Mara" in result.stdout
        assert "Zoe" not in result.stdout
        assert "said more than the events do" in result.stderr


def test_todays_log_is_the_default(run: Run):
    writer = ChronicleWriter()
    writer.ingest(AgentEvent(EventKind.MILESTONE, "mara", "first light"))
    assert "first light" in run("watch", "--once").stdout


class TestHooks:
    def test_a_new_hook_has_an_address_and_a_secret(self, run: Run):
        made = json.loads(run("hook", "new", "github", "my-fleet", "--json", app=fleet.app).stdout)
        assert made["address"] == "http://127.0.0.1:8000/hooks/github/my-fleet"
        assert len(made["secret"]) == 48
        assert "open" in run("hook", "list", app=fleet.app).stdout
        assert "can no longer tell" in run("hook", "revoke", made["id"], app=fleet.app).stdout
        assert "closed" in run("hook", "list", app=fleet.app).stdout

    def test_what_is_wrong(self, run: Run):
        assert "There are: github" in run("hook", "new", "pigeon", "w", app=fleet.app).stderr
        assert "cannot be the name of a world" in run("hook", "new", "github", "No Such", app=fleet.app).stderr
        assert "There is no hook" in run("hook", "revoke", "x", app=fleet.app).stderr
        assert "There is no webhook yet" in run("hook", "list", app=fleet.app).stderr
