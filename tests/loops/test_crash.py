"""Killed with SIGKILL at every step of a turn, on both databases: nothing acknowledged is lost, nothing happens twice."""

from __future__ import annotations

import random
from collections.abc import Iterator

import msgspec
import pytest
from sqlalchemy import Connection, select

from talekeeper.app.engine import open_store
from talekeeper.app.settings import Settings
from talekeeper.canon.replay import differences
from talekeeper.testing.crash import CrashHouse, Deed, Fate, Instant
from talekeeper.testing.house import WORLD, House
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import path
from talekeeper.timeline.outbox import outbox_table
from talekeeper.timeline.turns import Turn, turn_table
from talekeeper.timeline.vocabulary import ActionTaken, Event, NarrationTold, OutcomeResolved, RollMade

ROLLED = "search the room"
"""An action with a check, so that every write of a turn happens."""
WRITES = {
    1: "acceptance",
    2: "load_context",
    3: "resolve: the check",
    4: "resolve",
    5: "narrate",
    6: "persist_turn",
    7: "canonize",
}
INSTANTS = [Instant(at, n) for n in WRITES for at in ("before write", "inside write", "after write")] + [
    Instant("piece", n) for n in (1, 12)
]
RANDOM_KILLS = 15


@pytest.fixture(scope="module")
def crash_house() -> Iterator[CrashHouse]:
    house = CrashHouse()
    yield house
    house.close()


class Life:
    """One home, killed and started again."""

    def __init__(self, crash_house: CrashHouse, settings: Settings) -> None:
        self._house = crash_house
        self.settings = settings

    def deed(self, die: Instant | None) -> Fate:
        url = self.settings.store_database_url
        return self._house.do(
            Deed(str(self.settings.home), url.get_secret_value() if url else None, ROLLED, die, scene_turns=1)
        )

    def look(self) -> tuple[list[Turn], list[Event], int, list[str]]:
        def read(conn: Connection) -> tuple[list[Turn], list[Event], int, list[str]]:
            past = path(conn, WORLD, "t1")
            rows = conn.execute(select(turn_table).where(turn_table.c.world == WORLD)).all()
            jobs = conn.execute(select(outbox_table)).all()
            return (
                [Turn(**row._mapping) for row in rows],
                list(read_events(conn, past)),
                len(jobs),
                differences(conn, past),
            )

        store = open_store(self.settings)
        try:
            return store.read_now(read)
        finally:
            store.close()


def outlive(life: Life, die: Instant, *, forget_checkpoints: bool = False) -> None:
    """Kill, look, start again, and hold what is there against what was promised."""
    fate = life.deed(die)
    before, told_before, _, _ = life.look()
    if forget_checkpoints:
        for file in life.settings.home.glob("checkpoints.db*"):
            file.unlink()
    again = life.deed(None)
    turns, events, jobs, wrong = life.look()

    assert wrong == [], "what is stored is what a replay gives"
    assert [e.seq for e in events] == list(range(1, len(events) + 1)), "no gap"
    assert events[: len(told_before)] == told_before, "nothing that was there is gone"
    if not before:
        assert not fate.acknowledged, "nobody was told of a turn that is not there"
        assert turns == []
        return
    (was,), (now,) = before, turns
    if fate.acknowledged:
        assert now.id == fate.acknowledged
    assert now.state == "done"
    mine = [e for e in events if e.turn == now.id]
    for kind in (ActionTaken, RollMade, OutcomeResolved):
        assert sum(isinstance(e.body, kind) for e in mine) == 1, f"one {kind.kind}, neither lost nor doubled"
    assert any(isinstance(e.body, NarrationTold) for e in mine)
    assert jobs == 1, "one effect, asked for once"
    if was.state != "accepted":
        assert now.outcome == was.outcome, "outcome and dice stand"
    elif was.outcome is not None:
        check = msgspec.json.decode(was.outcome)["check"]
        assert msgspec.json.decode(now.outcome or "{}")["check"] == check, "the difficulty was written before the roll"
    assert now.attempt == (2 if was.state == "resolved" else 1), "told again only if it was being told"
    if was.running:
        assert again.resumed == (f"{now.id} done",)
    if was.prose is not None:
        assert now.prose == was.prose, "what was told whole is not told again"


@pytest.mark.parametrize("die", INSTANTS, ids=str)
def test_killed_at_every_step(house: House, crash_house: CrashHouse, die: Instant) -> None:
    outlive(Life(crash_house, house.settings()), die, forget_checkpoints=die.n % 2 == 0)


def test_killed_at_random_instants(house: House, crash_house: CrashHouse) -> None:
    rng = random.Random(20)
    for _ in range(RANDOM_KILLS):
        outlive(Life(crash_house, house.settings()), Instant("milliseconds", round(rng.uniform(0, 150), 1)))


def test_cut_off_twice_while_it_is_told_it_fails_and_can_be_retried(
    sqlite_house: House, crash_house: CrashHouse
) -> None:
    life = Life(crash_house, sqlite_house.settings())
    life.deed(Instant("piece", 3))
    (first,), *_ = life.look()
    assert (first.state, first.attempt) == ("resolved", 1)
    life.deed(None)
    (second,), *_ = life.look()
    assert (second.state, second.attempt) == ("done", 2)
