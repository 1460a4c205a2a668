"""A home that is killed and started again, and what must hold of it afterwards; every fault is a sentence."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import psycopg
from sqlalchemy import Connection, select

from talekeeper.app.engine import open_store
from talekeeper.app.settings import Settings
from talekeeper.canon.replay import differences
from talekeeper.testing.crash import CrashHouse, Deed, Fate, Instant
from talekeeper.testing.house import WORLD
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import path
from talekeeper.timeline.outbox import outbox_table
from talekeeper.timeline.turns import Turn, turn_table
from talekeeper.timeline.vocabulary import ActionTaken, Event, NarrationTold, OutcomeResolved, RollMade

ROLLED = "search the room"
"""An action with a check, so that every write of a turn happens."""

WRITES = {
    1: "acceptance",
    2: "resolve: the check",
    3: "resolve",
    4: "narrate",
    5: "persist_turn",
    6: "canonize",
    7: "what is done behind the turn",
}
"""What a turn writes, in order, when its scene ends with it: each is the boundary of a node."""

_LATER = 60.0


class Seen(msgspec.Struct):
    turns: list[Turn]
    events: list[Event]
    jobs: int
    differences: list[str]


class Trial(msgspec.Struct):
    """One death and what came after it."""

    fate: Fate
    state: str
    """The turn's state when it was found; empty when it had not been accepted yet."""
    faults: list[str]


class Life:
    def __init__(self, crash_house: CrashHouse, settings: Settings) -> None:
        self._house = crash_house
        self.settings = settings
        self._starts = 0

    def act(self, die: Instant | None = None) -> Fate:
        return self._live(ROLLED, die)

    def start_again(self, die: Instant | None = None) -> Fate:
        self._starts += 1
        return self._live("", die)

    def _live(self, action: str, die: Instant | None) -> Fate:
        url = self.settings.store_database_url
        deed = Deed(
            str(self.settings.home), url.get_secret_value() if url else None, action, die,
            scene_turns=1, later=self._starts * _LATER,
        )  # fmt: skip
        return self._house.do(deed)

    def forget_checkpoints(self) -> None:
        """Nothing may need them."""
        for file in self.settings.home.glob("checkpoints.db*"):
            file.unlink()
        if self.settings.store_database_url is not None:
            with psycopg.connect(self.settings.store_database_url.get_secret_value(), autocommit=True) as connection:
                connection.execute("drop schema if exists talekeeper_checkpoints cascade")

    def look(self) -> Seen:
        def read(conn: Connection) -> Seen:
            past = path(conn, WORLD, "t1")
            turns = conn.execute(select(turn_table).where(turn_table.c.world == WORLD)).all()
            jobs = len(conn.execute(select(outbox_table)).all())
            return Seen(
                [Turn(**row._mapping) for row in turns], list(read_events(conn, past)), jobs, differences(conn, past)
            )

        store = open_store(self.settings)
        try:
            return store.read_now(read)
        finally:
            store.close()


def outlive(life: Life, die: Instant, *, forget_checkpoints: bool = False) -> Trial:
    """Act, die, look, start again, and hold what is there against what was promised."""
    fate = life.act(die)
    found = life.look()
    if forget_checkpoints:
        life.forget_checkpoints()
    again = life.start_again()
    state = found.turns[0].state if found.turns else ""
    return Trial(fate, state, list(_faults(fate, found, again, life.look())))


def _faults(fate: Fate, found: Seen, again: Fate, now: Seen) -> Iterator[str]:
    yield from now.differences
    if [e.seq for e in now.events] != list(range(1, len(now.events) + 1)):
        yield "the events have a gap"
    if now.events[: len(found.events)] != found.events:
        yield "something that was there is gone"
    if not found.turns:
        if fate.acknowledged:
            yield "a turn was acknowledged that is not there"
        if now.turns:
            yield "a turn came from nowhere"
        return
    yield from _faults_of_turn(fate, found.turns[0], again, now)


def _faults_of_turn(fate: Fate, was: Turn, again: Fate, now: Seen) -> Iterator[str]:
    turn = now.turns[0]
    mine = [e for e in now.events if e.turn == turn.id]
    if len(now.turns) != 1 or (fate.acknowledged and turn.id != fate.acknowledged):
        yield "not the turn that was acknowledged"
    if turn.state != "done":
        yield f"it ended {turn.state}: {turn.error}"
    for kind in (ActionTaken, RollMade, OutcomeResolved):
        count = sum(isinstance(e.body, kind) for e in mine)
        if count != 1:
            yield f"{count} times {kind.kind}"
    if not any(isinstance(e.body, NarrationTold) for e in mine):
        yield "nothing was told"
    if now.jobs != 1:
        yield f"{now.jobs} effects were asked for"
    if was.state != "accepted" and turn.outcome != was.outcome:
        yield "the outcome or the dice have changed"
    if was.state == "accepted" and was.outcome is not None and _check(turn) != _check(was):
        yield "the difficulty has changed after it was written down"
    if was.manifest is not None and turn.manifest != was.manifest:
        yield "the context was made anew"
    if was.prose is not None and turn.prose != was.prose:
        yield "what was told whole was told again"
    if turn.attempt != was.attempt + (was.state == "resolved"):
        yield f"attempt {turn.attempt} after {was.attempt} {was.state}"
    if was.running and again.resumed != (f"{turn.id} done",):
        yield f"taken up: {again.resumed}"


def _check(turn: Turn) -> object:
    return msgspec.json.decode(turn.outcome or "{}").get("check")
