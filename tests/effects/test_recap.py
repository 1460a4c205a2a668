"""The recap of a turn belongs to that turn, however late it is written and whatever has been forked since."""

from __future__ import annotations

from talekeeper.app.engine import Engine
from talekeeper.effects.recap import RECAP
from talekeeper.loops.intents import Act, Backtrack, Fork
from talekeeper.loops.scene.travel import backtrack, fork_timeline
from talekeeper.memory.recaps import Recap, recaps
from talekeeper.testing.house import WORLD
from talekeeper.timeline.lineage import path
from talekeeper.timeline.outbox import list_jobs


async def act(engine: Engine, text: str) -> None:
    turn = await engine.scenes.act(Act(world=WORLD, text=text))
    await turn.ended.wait()
    assert turn.result.state == "done"


def recapped(engine: Engine, timeline: str = "t1") -> list[Recap]:
    return engine.store.read_now(lambda conn: recaps(conn, path(conn, WORLD, timeline)))


async def test_a_line_for_each_turn(engine: Engine) -> None:
    await act(engine, "look around")
    await act(engine, "ask Nan about the dam")
    assert recapped(engine) == []
    assert await engine.effects.drain() == 2
    lines = recapped(engine)
    assert [line.turn for line in lines] == ["t1#1", "t1#2"]
    assert lines[0].text.startswith("Turn 1. ")
    assert "ask Nan about the dam" in lines[1].text


async def test_a_fork_keeps_the_recaps_of_its_past_however_late_they_come(engine: Engine) -> None:
    """Forked at turn 2 before any recap was written; the branch has those of its past, and none of the other future."""
    for text in ("look around", "ask Nan about the dam", "wait"):
        await act(engine, text)
    early = (await engine.command(fork_timeline, Fork(world=WORLD, at=2))).timeline
    await act(engine, "look around")
    await engine.command(backtrack, Backtrack(world=WORLD, timeline="t1", to=1))
    await engine.effects.drain()
    assert [line.turn for line in recapped(engine, "t1")] == ["t1#1", "t1#2", "t1#3"]
    assert [line.turn for line in recapped(engine, early)] == ["t1#1", "t1#2", "t2#3"]
    assert [line.turn for line in recapped(engine, "t3")] == ["t1#1"]


async def test_running_it_again_changes_nothing(engine: Engine) -> None:
    await act(engine, "look around")
    await engine.effects.drain()
    once = recapped(engine)
    (job,) = engine.store.read_now(lambda conn: list_jobs(conn, ("done",)))
    for _ in range(3):
        await RECAP.run(engine.store, job)
    assert recapped(engine) == once
