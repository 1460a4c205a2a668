"""Appending: the only way anything enters a timeline. Held by whoever holds a turn lease; effects never come here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, and_, bindparam, insert, select, update

from talekeeper.errors import BadInput, HeadMoved, NotFound
from talekeeper.observe.clock import Clock
from talekeeper.timeline.events import event_table, from_row, redact, to_row
from talekeeper.timeline.lineage import Path, lineage_table, path, timeline_table
from talekeeper.timeline.store.asked import Question
from talekeeper.timeline.vocabulary import Body, Draft, Event, is_kind

Projection = Callable[[Connection, Path, Sequence[Event]], None]
"""Derives rows from just-appended events, in the same transaction. Replaying the events gives the same rows."""


class Held(NamedTuple):
    """A timeline whose row the transaction has locked."""

    head: int
    past: Path


Forgetting = Callable[[Connection, Event], None]
"""Takes back what was derived from an event whose text has been blanked."""


class Appender:
    def __init__(
        self, clock: Clock, projections: Sequence[Projection] = (), forgettings: Sequence[Forgetting] = ()
    ) -> None:
        self._clock = clock
        self._projections = tuple(projections)
        self._forgettings = tuple(forgettings)

    def append(
        self,
        conn: Connection,
        world: str,
        timeline: str,
        drafts: Sequence[Draft],
        *,
        expected_head: int | None = None,
    ) -> list[Event]:
        """One event per draft, in order; a draft whose idempotency key is already on the path gives the event it made then.

        Locks the timeline row, so that seqs are gapless and their order is the commit order.
        """
        held = hold(conn, world, timeline)
        if expected_head is not None and expected_head != held.head:
            raise HeadMoved(f"{timeline} has gone on from {expected_head} to {held.head}.", "Look again, then repeat.")
        return self.append_held(conn, held, drafts)

    def append_held(self, conn: Connection, held: Held, drafts: Sequence[Draft]) -> list[Event]:
        """The same on a timeline this transaction holds already, and has appended nothing to since."""
        head, past = held
        known = _already_there(conn, past, [d.idem for d in drafts if d.idem is not None])
        result: list[Event] = []
        fresh: list[Event] = []
        for draft in drafts:
            if draft.idem is not None and draft.idem in known:
                result.append(known[draft.idem])
                continue
            head += 1
            event = self._event(past.world, past.timeline, head, draft)
            fresh.append(event)
            result.append(event)
            if draft.idem is not None:
                known[draft.idem] = event
        if fresh:
            conn.execute(_INSERT, [to_row(e) for e in fresh])
            _set_head(conn, past.world, past.timeline, head)
            for project in self._projections:
                project(conn, past, fresh)
        return result

    def project_again(self, conn: Connection, past: Path, events: Sequence[Event]) -> None:
        """Derive the rows of events that were stored by other means (an import)."""
        for project in self._projections:
            project(conn, past, events)

    def redact(self, conn: Connection, event: Event, body: Body) -> None:
        """Blank what somebody had the right to take back, here and in what was derived from it."""
        redact(conn, event, body)
        for forget in self._forgettings:
            forget(conn, event)

    def _event(self, world: str, timeline: str, seq: int, draft: Draft) -> Event:
        kind = draft.kind or draft.body.kind
        if not is_kind(kind):
            raise BadInput(f"{kind!r} is not a kind of event.", "The kinds are listed in the vocabulary.")
        return Event(
            world=world, timeline=timeline, seq=seq, kind=kind, at=self._clock() if draft.at is None else draft.at,
            story_time=draft.story_time, scene=draft.scene, turn=draft.turn, by=draft.by, place=draft.place,
            witnesses=draft.witnesses, cause=draft.cause, body=draft.body, idem=draft.idem,
        )  # fmt: skip


_t = timeline_table.c
_LOCK_HEAD = Question(
    select(_t.head).where(_t.world == bindparam("world"), _t.id == bindparam("timeline")).with_for_update()
)
_SET_HEAD = update(timeline_table).where(_t.world == bindparam("of_world"), _t.id == bindparam("of_timeline"))
_INSERT = insert(event_table)


def lock_head(conn: Connection, world: str, timeline: str) -> int:
    """The timeline's last seq, with the row locked until the transaction ends."""
    head: int | None = _LOCK_HEAD.one(conn, {"world": world, "timeline": timeline})
    if head is None:
        raise NotFound(f"The world {world} has no timeline {timeline[:40]!r}.", "See `talekeeper timeline list`.")
    return head


def hold(conn: Connection, world: str, timeline: str) -> Held:
    return Held(lock_head(conn, world, timeline), path(conn, world, timeline))


def _set_head(conn: Connection, world: str, timeline: str, head: int) -> None:
    conn.execute(_SET_HEAD, {"of_world": world, "of_timeline": timeline, "head": head})


_e = event_table.c
_BY_KEY = Question(
    select(event_table)
    .join(lineage_table, and_(lineage_table.c.world == _e.world, lineage_table.c.ancestor == _e.timeline))
    .where(lineage_table.c.world == bindparam("world"), lineage_table.c.timeline == bindparam("timeline"))
    .where(_e.idem == bindparam("key"), _e.seq <= lineage_table.c.max_seq)
)


def _already_there(conn: Connection, past: Path, keys: list[str]) -> dict[str, Event]:
    known: dict[str, Event] = {}
    for key in dict.fromkeys(keys):
        where = {"world": past.world, "timeline": past.timeline, "key": key}
        known.update((key, from_row(row)) for row in _BY_KEY.ask(conn, where))
    return known
