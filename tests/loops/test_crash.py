"""Killed with SIGKILL at every step of a turn, on both databases: nothing acknowledged is lost, nothing happens twice."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from talekeeper.app.engine import Engine
from talekeeper.loops.intents import Retry
from talekeeper.testing.crash import CrashHouse, Instant
from talekeeper.testing.house import WORLD, House
from talekeeper.testing.lives import WRITES, Life, outlive
from talekeeper.timeline.vocabulary import ActionTaken, RollMade

INSTANTS = [Instant(at, n) for n in WRITES for at in ("before write", "inside write", "after write")] + [
    Instant("piece", n) for n in (1, 12)
]
RANDOM_KILLS = 15


@pytest.fixture(scope="module")
def crash_house() -> Iterator[CrashHouse]:
    house = CrashHouse()
    yield house
    house.close()


@pytest.mark.parametrize("die", INSTANTS, ids=str)
def test_killed_at_every_step(house: House, crash_house: CrashHouse, die: Instant) -> None:
    trial = outlive(Life(crash_house, house.settings()), die, forget_checkpoints=die.n % 2 == 0)
    assert trial.fate.killed
    assert trial.faults == []


def test_killed_at_random_instants(house: House, crash_house: CrashHouse) -> None:
    dice = random.Random(20)
    for n in range(RANDOM_KILLS):
        instant = Instant("milliseconds", round(dice.uniform(0, 150), 1))
        trial = outlive(Life(crash_house, house.settings()), instant, forget_checkpoints=n % 2 == 0)
        assert trial.faults == [], f"killed after {instant.n} ms, found {trial.state or 'nothing'}"


async def test_cut_off_twice_while_it_is_told_it_fails_and_can_be_retried(
    open_engine, house: House, crash_house: CrashHouse
) -> None:
    life = Life(crash_house, house.settings())
    life.act(Instant("piece", 3))
    assert [(t.state, t.attempt) for t in life.look().turns] == [("resolved", 1)]
    assert life.start_again(Instant("piece", 3)).killed
    assert [(t.state, t.attempt) for t in life.look().turns] == [("resolved", 2)]
    before = life.look()
    assert life.start_again().resumed == ("t1#1 failed",)
    (failed,) = life.look().turns
    assert (failed.state, failed.attempt, failed.outcome) == ("failed", 3, before.turns[0].outcome)
    assert life.look().events == before.events, "no events of a turn that failed"

    engine: Engine = open_engine(life.settings)
    again = await engine.scenes.retry(Retry(world=WORLD))
    await again.ended.wait()
    assert (again.turn, again.result.state) == ("t1#1", "done")
    now = life.look()
    assert now.turns[0].outcome == failed.outcome, "the dice stand through it all"
    assert sum(isinstance(e.body, ActionTaken) for e in now.events) == 1
    assert sum(isinstance(e.body, RollMade) for e in now.events) == 1
