"""Several at once: one action a scene, whoever asks and from whichever process; and turns left behind are taken up."""

from __future__ import annotations

import asyncio

import pytest

from talekeeper.app.engine import Engine
from talekeeper.errors import TurnInProgress
from talekeeper.loops.frames import TurnRestarted
from talekeeper.loops.intents import Act, Backtrack, Edit, EndScene, Switch
from talekeeper.loops.scene.commands import close_scene, edit_narration
from talekeeper.loops.scene.travel import backtrack, switch
from talekeeper.testing.clock import FakeClock
from talekeeper.testing.house import WORLD, House
from talekeeper.testing.scripted_teller import ScriptedTeller
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import path
from talekeeper.timeline.turns import LEASE_SECONDS, get_turn
from talekeeper.timeline.vocabulary import ActionTaken, NarrationTold

KNOCK = Act(world=WORLD, text="knock")


def actions(engine: Engine) -> list[str]:
    events = engine.store.read_now(lambda conn: list(read_events(conn, path(conn, WORLD, "t1"))))
    return [e.body.text for e in events if isinstance(e.body, ActionTaken)]


async def test_of_two_actions_at_once_one_wins(open_engine, house: House) -> None:
    engine = open_engine(house.settings(), teller=ScriptedTeller())
    results = await asyncio.gather(
        *(engine.scenes.act(Act(world=WORLD, text=f"knock {n}")) for n in range(5)), return_exceptions=True
    )
    refused = [r for r in results if isinstance(r, TurnInProgress)]
    (turn,) = (r for r in results if not isinstance(r, BaseException))
    assert len(refused) == 4
    assert refused[0].retry_after == 1.0
    await turn.ended.wait()
    assert len(actions(engine)) == 1


async def test_of_two_processes_one_wins(open_engine, house: House) -> None:
    settings = house.settings()
    engines = [open_engine(settings, teller=ScriptedTeller()) for _ in range(2)]
    results = await asyncio.gather(*(engine.scenes.act(KNOCK) for engine in engines), return_exceptions=True)
    (turn,) = (r for r in results if not isinstance(r, BaseException))
    assert sum(isinstance(r, TurnInProgress) for r in results) == 1
    await turn.ended.wait()
    assert actions(engines[0]) == actions(engines[1]) == ["knock"]


async def test_the_same_request_from_two_sides_is_one_turn(open_engine, house: House) -> None:
    engine = open_engine(house.settings(), teller=ScriptedTeller())
    one, other = await asyncio.gather(*(engine.scenes.act(Act(world=WORLD, text="knock", idem="k")) for _ in range(2)))
    assert one.turn == other.turn
    await one.ended.wait()
    assert actions(engine) == ["knock"]


async def test_nothing_moves_under_a_turn_that_is_being_told(seat) -> None:
    moment = asyncio.Event()
    table = seat(
        ScriptedTeller([["<narration>Before.</narration>"], ["<narration>Then", moment, " it ended.</narration>"]])
    )
    await table.act("look around")
    told = table.events(NarrationTold)[-1]
    turn = await table.begin("wait")
    for carry_out, intent, fields in (
        (backtrack, Backtrack, {}),
        (switch, Switch, {"timeline": "t1"}),
        (close_scene, EndScene, {}),
        (edit_narration, Edit, {"event": told.id, "text": "After."}),
    ):
        with pytest.raises(TurnInProgress):
            await table.do(carry_out, intent, **fields)
    with pytest.raises(TurnInProgress):
        await table.retry()
    moment.set()
    await turn.ended.wait()
    assert (turn.result.state, table.active) == ("done", "t1")


async def test_a_shutdown_in_mid_turn_is_taken_up_by_the_next_start(open_engine, house: House) -> None:
    settings = house.settings()
    teller = ScriptedTeller([["<narration>It was", asyncio.Event()]])
    first = open_engine(settings, teller=teller)
    await first.start()
    cut = await first.scenes.act(KNOCK)
    await teller.reached.wait()
    await first.close()
    assert cut.result.error == {"code": "shutdown", "message": "Shutting down."}

    second = open_engine(settings, teller=ScriptedTeller())
    (resumed,) = await second.start()
    frames = [frame async for frame in resumed.watch()]
    assert any(isinstance(frame, TurnRestarted) for frame in frames)
    assert {frame.attempt for frame in frames} == {2}
    assert frames[-1].state == "done"
    assert actions(second) == ["knock"]


@pytest.mark.postgres
async def test_a_dead_process_is_survived_by_its_neighbours(
    open_engine, postgres_house: House, clock: FakeClock
) -> None:
    """Not a restart: another process notices that the lease has run out, and goes on."""
    settings = postgres_house.settings()
    teller = ScriptedTeller([["<narration>It was", asyncio.Event()]])
    dying = open_engine(settings, teller=teller, clock=clock)
    neighbour = open_engine(settings, teller=ScriptedTeller(), clock=clock)
    turn = await dying.scenes.act(KNOCK)
    await teller.reached.wait()
    assert await neighbour.scenes.resume(leases_void=False) == []
    clock.advance(LEASE_SECONDS + 1)
    (taken,) = await neighbour.scenes.resume(leases_void=False)
    await taken.ended.wait()
    assert (taken.turn, taken.result.state) == (turn.turn, "done")
    assert neighbour.store.read_now(lambda conn: get_turn(conn, WORLD, turn.turn)).attempt == 2
    # The first one was not dead after all: it is fenced off and writes nothing more.
    await dying.tasks.close()
    assert actions(neighbour) == ["knock"]


async def test_a_turn_that_outlives_its_lease_is_not_taken_from_oneself(seat, clock: FakeClock) -> None:
    moment = asyncio.Event()
    teller = ScriptedTeller([["<narration>Slow", moment, " words.</narration>"]])
    table = seat(teller)
    turn = await table.begin("knock")
    await teller.reached.wait()
    assert await table.engine.scenes.resume(leases_void=True) == []
    moment.set()
    await turn.ended.wait()
    assert turn.result.state == "done"


async def test_one_who_lost_the_lease_writes_nothing(open_engine, house: House, clock: FakeClock) -> None:
    settings = house.settings()
    moment = asyncio.Event()
    teller = ScriptedTeller([["<narration>Slow", moment, " words.</narration>"]])
    slow, quick = (
        open_engine(settings, teller=teller, clock=clock),
        open_engine(settings, teller=ScriptedTeller(), clock=clock),
    )
    late = await slow.scenes.act(KNOCK)
    await teller.reached.wait()
    clock.advance(LEASE_SECONDS + 1)
    (taken,) = await quick.scenes.resume(leases_void=False)
    await taken.ended.wait()
    moment.set()
    await late.ended.wait()
    assert (taken.result.state, late.result.state) == ("done", "failed")
    assert actions(quick) == ["knock"]
    assert quick.store.read_now(lambda conn: get_turn(conn, WORLD, taken.turn)).state == "done"
