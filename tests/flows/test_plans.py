"""No statement of play walks a history: SQLite is asked how it would carry out each of them."""

from __future__ import annotations

import re
import sqlite3

import pytest
from sqlalchemy import event
from sqlalchemy.pool import Pool

from talekeeper.app.engine import Engine
from talekeeper.loops.intents import Act, Backtrack, Decide, Direct, Edit, EndScene, Fork, Retry, Roll, Switch
from talekeeper.loops.scene.commands import close_scene, decide_proposal, edit_narration, give_directive, roll_dice
from talekeeper.loops.scene.travel import backtrack, fork_timeline, switch
from talekeeper.testing.house import WORLD, House
from talekeeper.testing.scripted_teller import ScriptedTeller
from talekeeper.timeline.feed import follow

NARROW = {
    "event": r"seq[=<>]|idem=|turn=|kind=",
    "turn": r"turn_running|turn_unfinished|number[=>]|last_seq|\bid=|idem=",
    "snapshot": r"seq<",
    "recap": r"seq[=<]",
    "outbox": r"outbox_due|seq=",
    "fact": r"subj=|seq",
    "fact_key": r"subj=|pred=",
    "episode": r"rowid|seq=",
    "told_line": r"timeline=",
}
"""For each table that grows with play, what a search in it must be narrowed by."""

CHEAP = ("select count(*)", "from fact_key k where k.world", "select max(episode.id)")
"""Asked when a timeline is first read on a connection and bounded by the things there are; or the end of an index."""


@pytest.fixture
def statements(open_engine, sqlite_house: House):
    """An engine, and every statement SQLite is given, by its shape."""
    made: dict[str, str] = {}

    def note(statement: str) -> None:
        made.setdefault(re.sub(r"'(?:[^']|'')*'|\b[\d.]+\b", "?", statement), statement)

    def listen(connection: sqlite3.Connection, _record: object) -> None:
        connection.set_trace_callback(note)

    event.listen(Pool, "connect", listen)
    claim = '<propose subj="person/nan" pred="trait" slot="sly" obj="sly">she winked</propose>'
    said = f'<narration>Nan winked.</narration>{claim}<cue who="person/nan" about="the dam"/>'
    engine: Engine = open_engine(sqlite_house.settings(), teller=ScriptedTeller([[said]] * 9))
    made.clear()
    yield engine, made
    event.remove(Pool, "connect", listen)


async def test_every_statement_of_play_finds_its_rows_by_an_index(statements) -> None:
    engine, made = statements
    await play(engine)
    wide = []
    with sqlite3.connect(engine.settings.database) as connection:
        for statement in list(made.values()):
            if not re.match(r"\s*(select|update|delete)", statement, re.IGNORECASE) or "FROM world" in statement:
                continue
            for *_, step in connection.execute(f"explain query plan {statement}"):
                found = re.match(r"(SCAN|SEARCH) (\w+)(.*)", step)
                table = found and next((t for t in NARROW if _is(t, found[2], statement)), None)
                if table and not re.search(NARROW[table], found[3]) and not any(o in _plain(statement) for o in CHEAP):
                    wide.append(f"{step}  <-  {_plain(statement)[:200]}")
    connection.close()
    assert wide == []
    assert len(made) > 40, "the play has asked enough to mean something"


async def play(engine: Engine) -> None:
    async def act(text: str) -> None:
        turn = await engine.scenes.act(Act(world=WORLD, text=text, idem=text))
        await turn.ended.wait()
        assert turn.result.state == "done"

    await act("ask Nan about the dam")
    await act("search the room")
    await engine.effects.drain()
    (proposal,) = [
        e for e in engine.store.read_now(lambda c: follow(c, WORLD, "t1", 0)) if e.kind == "proposal.staged"
    ][:1]
    told = next(e for e in engine.store.read_now(lambda c: follow(c, WORLD, "t1", 0)) if e.kind == "narration.told")
    for carry_out, intent in (
        (decide_proposal, Decide(world=WORLD, proposal=proposal.id, decision="accepted")),
        (edit_narration, Edit(world=WORLD, event=told.id, text="It was otherwise.")),
        (give_directive, Direct(world=WORLD, text="Softly.")),
        (roll_dice, Roll(world=WORLD, notation="2d6")),
        (close_scene, EndScene(world=WORLD)),
        (backtrack, Backtrack(world=WORLD, to=1)),
        (fork_timeline, Fork(world=WORLD, name="aside")),
        (switch, Switch(world=WORLD, timeline="t1")),
    ):
        await engine.command(carry_out, intent)
    retold = await engine.scenes.retry(Retry(world=WORLD))
    await retold.ended.wait()
    await act("look around")
    await engine.effects.drain()
    await engine.scenes.resume(leases_void=True)


def _is(table: str, name: str, statement: str) -> bool:
    """Whether `name` is the table, or another word for it in this statement."""
    return name == table or re.search(rf"\b{table}\s+(as\s+)?{name}\b", statement, re.IGNORECASE) is not None


def _plain(statement: str) -> str:
    return " ".join(statement.split()).lower()
