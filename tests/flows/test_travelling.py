"""Back, aside and again: every journey is a fork, and everything the story knows goes along."""

from __future__ import annotations

import pytest

from talekeeper.errors import BadInput, NotAllowed, NotFound
from talekeeper.loops.intents import Backtrack, Direct, Fork, Retry, Switch
from talekeeper.loops.scene.commands import give_directive
from talekeeper.loops.scene.travel import backtrack, fork_timeline, switch
from talekeeper.memory.recall import recall
from talekeeper.testing.house import WORLD
from talekeeper.testing.scripted_teller import ScriptedTeller
from talekeeper.timeline.lineage import list_timelines, path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.vocabulary import ActionTaken, NarrationTold, RollMade
from talekeeper.timeline.worlds import get_world


def state(table) -> tuple[object, ...]:
    """Where the player is, when, and what the snapshot says of it."""
    where = table.active
    snapshot = table.engine.store.read_now(lambda conn: latest_snapshot(conn, path(conn, WORLD, where)))
    return snapshot, table.canon("world", "time"), [t.number for t in table.turns()]


def actions(table) -> list[str]:
    return [e.body.text for e in table.events(ActionTaken)]


async def test_back_to_a_turn_the_world_is_as_it_was_then(table) -> None:
    await table.act("look around")
    then = state(table)
    await table.act("go to the Row")
    await table.act("wait")
    assert state(table) != then
    arrival = await table.do(backtrack, Backtrack, to=1)
    assert (arrival.timeline, arrival.turn_number, table.active) == ("t2", 1, "t2")
    assert state(table) == then
    await table.act("ask Nan about the dam")
    assert actions(table) == ["look around", "ask Nan about the dam"]
    assert [t.id for t in table.turns()] == ["t1#1", "t2#2"]


async def test_the_old_future_stays_reachable(table) -> None:
    for line in ("look around", "go to the Row"):
        await table.act(line)
    before = state(table)
    await table.do(backtrack, Backtrack, back=1)
    arrival = await table.do(switch, Switch, timeline="t1")
    assert (arrival.timeline, arrival.turn_number) == ("t1", 2)
    assert state(table) == before
    assert actions(table) == ["look around", "go to the Row"]


async def test_nobody_remembers_what_was_undone(table) -> None:
    def remembered(cue: str) -> list[str]:
        where = table.active
        player = table.engine.store.read_now(lambda c: get_world(c, WORLD).player)
        return [m.text for m in table.engine.store.read_now(lambda c: recall(c, path(c, WORLD, where), player, cue))]

    await table.act("juggle the teacups")
    assert "juggle the teacups" in remembered("teacups")
    await table.do(backtrack, Backtrack)
    assert "juggle the teacups" not in remembered("teacups")


async def test_undo_is_one_turn_back_and_keeps_what_was_said_in_between(table) -> None:
    await table.act("look around")
    await table.do(give_directive, Direct, text="Keep it light.")
    await table.act("wait")
    await table.do(backtrack, Backtrack)
    assert actions(table) == ["look around"]
    assert [e.kind for e in table.events()][-2:] == ["directive.given", "timeline.forked"]


@pytest.mark.parametrize("where", [{"to": 999}, {"to": 3}, {"to": -1}, {"back": 4}, {"back": 0}, {"back": -2}])
async def test_there_is_no_way_to_where_one_never_was(table, where: dict[str, int]) -> None:
    for _ in range(3):
        await table.act("wait")
    before = table.events()
    with pytest.raises(BadInput, match="no way back") as refused:
        await table.do(backtrack, Backtrack, **where)
    assert "from 0 (the opening) to 2" in refused.value.hint
    assert (table.active, table.events()) == ("t1", before)


async def test_back_to_the_opening(table) -> None:
    opening = state(table)
    await table.act("wait")
    await table.act("wait")
    await table.do(backtrack, Backtrack, to=0)
    assert state(table) == opening
    with pytest.raises(BadInput, match="Nothing has happened"):
        await table.do(backtrack, Backtrack)


async def test_a_fork_here_and_a_fork_there(table) -> None:
    for line in ("look around", "wait"):
        await table.act(line)
    here = await table.do(fork_timeline, Fork, name="  what   if ")
    assert (here.timeline, here.turn_number) == ("t2", 2)
    there = await table.do(fork_timeline, Fork, at=1)
    assert (there.timeline, there.turn_number) == ("t3", 1)
    lines = table.engine.store.read_now(lambda conn: list_timelines(conn, WORLD))
    assert [(t.id, t.parent, t.name, t.reason) for t in lines] == [
        ("t1", None, "", ""), ("t2", "t1", "what if", "fork"), ("t3", "t1", "", "fork"),
    ]  # fmt: skip
    with pytest.raises(BadInput):
        await table.do(fork_timeline, Fork, at=7)
    with pytest.raises(NotFound):
        await table.do(switch, Switch, timeline="t9")
    with pytest.raises(BadInput):
        await table.do(switch, Switch)


async def test_told_again_with_the_same_dice(seat) -> None:
    table = seat(ScriptedTeller([["<narration>First telling.</narration>"], ["<narration>Second.</narration>"]]))
    await table.act("search the room")
    (rolled,) = table.events(RollMade)
    frames = await table.retry()
    assert frames[-1].state == "done"
    assert table.active == "t2"
    (again,) = table.events(RollMade)
    assert again.body == rolled.body
    assert table.outcome("t2#1") == table.outcome("t1#1")
    assert [e.body.text for e in table.events(NarrationTold) if e.turn] == ["Second."]
    assert [e.body.text for e in table.events(NarrationTold, timeline="t1") if e.turn] == ["First telling."]


async def test_the_storyteller_tells_it_in_other_words(table) -> None:
    await table.act("look around")
    first = [e.body.text for e in table.events(NarrationTold) if e.turn]
    await table.retry()
    second = [e.body.text for e in table.events(NarrationTold) if e.turn]
    assert first != second


async def test_swipes_are_siblings_and_marked(table) -> None:
    await table.act("look around")
    for _ in range(3):
        await table.retry(swipe=True)
    lines = table.engine.store.read_now(lambda conn: list_timelines(conn, WORLD))
    assert [(t.id, t.parent, t.reason) for t in lines[1:]] == [(f"t{n}", "t1", "swipe") for n in (2, 3, 4)]
    assert {t.fork_seq for t in lines[1:]} == {lines[1].fork_seq}
    where = table.active
    assert len(table.engine.store.read_now(lambda conn: path(conn, WORLD, where)).segments) == 2


async def test_there_may_be_nothing_to_tell_again(table) -> None:
    with pytest.raises(BadInput, match="no turn to tell again"):
        await table.retry()


async def test_a_changed_action_rolls_anew(table) -> None:
    await table.act("search the room")
    await table.do(backtrack, Backtrack)
    await table.act("search the room")
    first, second = table.events(RollMade, timeline="t1"), table.events(RollMade)
    assert first[0].body.seed != second[0].body.seed


async def test_moving_the_world_is_for_its_owner_or_game_master(table) -> None:
    await table.act("wait")
    for role in ("player", "spectator", "narrator", ""):
        with pytest.raises(NotAllowed):
            await table.do(backtrack, Backtrack, role=role)
        with pytest.raises(NotAllowed):
            await table.do(fork_timeline, Fork, role=role)
        with pytest.raises(NotAllowed):
            await table.do(switch, Switch, timeline="t1", role=role)
        with pytest.raises(NotAllowed):
            await table.engine.scenes.retry(Retry(world=WORLD, role=role))
    assert table.active == "t1"
    await table.do(backtrack, Backtrack, role="game_master")
