"""Writes small histories straight onto a store: what a loop would append, without a loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from sqlalchemy import Connection

from talekeeper.app.schema import FORGETTINGS, PROJECTIONS
from talekeeper.observe.clock import Clock
from talekeeper.testing.clock import FakeClock
from talekeeper.timeline.append import Appender
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import Path, Timeline, create_first_timeline, fork, path
from talekeeper.timeline.store import Store
from talekeeper.timeline.store.store import Work
from talekeeper.timeline.vocabulary import (
    PUBLIC,
    Body,
    Claim,
    Decision,
    Draft,
    Event,
    LineSpoken,
    ProposalDecided,
    ProposalStaged,
)
from talekeeper.timeline.worlds import World, create_world

T = TypeVar("T")


class Scribe:
    """One world on a store. Every method is one transaction."""

    def __init__(self, store: Store, world: str = "quay", *, clock: Clock | None = None) -> None:
        self.store = store
        self.world = world
        self.clock = clock or FakeClock()
        self.appender = Appender(self.clock, PROJECTIONS, FORGETTINGS)
        self.write(self._begin)

    def _begin(self, conn: Connection) -> None:
        now = self.clock()
        create_world(conn, World(self.world, self.world.title(), 1, "", "simple-d20", "", "t1", now, now))
        create_first_timeline(conn, self.world, now)

    def read(self, work: Work[T]) -> T:
        return self.store.read_now(work)

    def write(self, work: Work[T]) -> T:
        return self.store.write_now(work)

    def append(self, drafts: Sequence[Draft], timeline: str = "t1", *, expected_head: int | None = None) -> list[Event]:
        return self.write(
            lambda conn: self.appender.append(conn, self.world, timeline, drafts, expected_head=expected_head)
        )

    def happen(
        self,
        body: Body,
        timeline: str = "t1",
        *,
        by: str = "rules",
        witnesses: tuple[str, ...] = PUBLIC,
        idem: str | None = None,
    ) -> Event:
        return self.append([Draft(body=body, by=by, witnesses=witnesses, idem=idem)], timeline)[0]

    def say(
        self,
        text: str,
        timeline: str = "t1",
        *,
        speaker: str = "person/mara",
        witnesses: tuple[str, ...] = PUBLIC,
        idem: str | None = None,
    ) -> Event:
        return self.happen(LineSpoken(speaker=speaker, text=text), timeline, by=speaker, witnesses=witnesses, idem=idem)

    def stage(self, *claims: Claim, timeline: str = "t1", role: str = "narrator") -> Event:
        return self.happen(ProposalStaged(role=role, claims=claims), timeline, by=role, witnesses=())

    def decide(
        self,
        *claims: Claim,
        timeline: str = "t1",
        role: str = "owner",
        decision: Decision = "accepted",
        proposal: str = "",
    ) -> Event:
        """Claims decided without asking the updater: for tests of what becomes of a decision."""
        body = ProposalDecided(decision=decision, role=role, claims=claims, proposal=proposal)
        return self.happen(body, timeline, by=role, witnesses=())

    def fork(self, timeline: str = "t1", at: int | None = None, *, reason: str = "fork") -> Timeline:
        """At the head, unless told where."""

        def work(conn: Connection) -> Timeline:
            seq = at if at is not None else max(e.seq for e in read_events(conn, path(conn, self.world, timeline)))
            return fork(conn, self.world, timeline, seq, reason=reason, name="", now=self.clock())

        return self.write(work)

    def path(self, timeline: str = "t1") -> Path:
        return self.read(lambda conn: path(conn, self.world, timeline))

    def events(self, timeline: str = "t1", *, until: int | None = None) -> list[Event]:
        return self.read(lambda conn: list(read_events(conn, path(conn, self.world, timeline).until(until))))


def texts(events: Iterable[Event]) -> list[str]:
    """What was said, in order."""
    return [event.body.text for event in events if isinstance(event.body, LineSpoken)]
