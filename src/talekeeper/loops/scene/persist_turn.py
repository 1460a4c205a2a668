"""The fourth node: the turn's events, its rule-based consequences, the snapshot and the outbox, in ONE transaction."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection

from talekeeper.agents.schedules import scheduled_moves
from talekeeper.canon.updater import propose, propose_together
from talekeeper.canon.validators import Update
from talekeeper.canon.view import CanonView
from talekeeper.loops.scene.work import Prose, TurnWork
from talekeeper.presets.calendar import daypart_at
from talekeeper.timeline.append import hold
from talekeeper.timeline.ids import WORLD_ENTITY, entity_kind, event_id
from talekeeper.timeline.outbox import Job, put
from talekeeper.timeline.snapshots import WorldSnapshot, keep_snapshot, latest_snapshot
from talekeeper.timeline.turns import Turn, write_turn
from talekeeper.timeline.vocabulary import (
    UNSEEN,
    Body,
    Claim,
    DeedDone,
    Draft,
    LineSpoken,
    NarrationTold,
    OutcomeResolved,
    SecretTold,
    TimePassed,
)
from talekeeper.timeline.worlds import touch

MOST_PROPOSALS = 8
_LETS_GO = frozenset({"wait", "rest", "move"})
"""Actions during which those present may follow their own day."""


async def persist_turn(work: TurnWork) -> None:
    if work.turn.last_seq is None:
        work.turn = await work.services.store.write(lambda conn: _persist(conn, work))


def _persist(conn: Connection, work: TurnWork) -> Turn:
    services, turn = work.services, work.turn
    held = hold(conn, turn.world, turn.timeline)
    view = CanonView(conn, held.past)
    drafts = _Drafts(work, view, held.head).write()
    last = services.appender.append_held(conn, held, drafts)[-1].seq
    now = services.clock()
    snapshot = _snapshot(conn, work, view)
    keep_snapshot(conn, turn.world, turn.timeline, last, snapshot)
    work.left_at = (snapshot, view.name(snapshot.place) if snapshot.place else "")
    put(conn, [Job(e, v, turn.world, turn.timeline, last, due_at=now, created_at=now) for e, v in services.effects])
    touch(conn, turn.world, now)
    if snapshot.scene_turns >= services.max_scene_turns:
        # The scene ends with this turn: it is done when canonize is.
        return write_turn(conn, turn, last_seq=last)
    return write_turn(conn, turn, last_seq=last, state=final_state(work.prose), ended_at=now)


def final_state(prose: Prose) -> str:
    return "done" if prose.complete else "interrupted"


def _snapshot(conn: Connection, work: TurnWork, view: CanonView) -> WorldSnapshot:
    before = latest_snapshot(conn, view.path)
    place = view.text(work.turn.actor, "at")
    return WorldSnapshot(
        scene=work.turn.scene,
        scene_seq=before.scene_seq if before else 1,
        scene_turns=(before.scene_turns if before else 0) + 1,
        turn_number=max(work.turn.number, before.turn_number if before else 0),
        place=place,
        now=view.now,
        weather=view.text(WORLD_ENTITY, "weather"),
        participants=tuple(_people(view, place)),
    )


def _people(view: CanonView, place: str) -> list[str]:
    return [e for e in view.pointing_at("at", place) if entity_kind(e) == "person"] if place else []


class _Drafts:
    """The turn's events in the order in which they happened."""

    def __init__(self, work: TurnWork, view: CanonView, head: int) -> None:
        self._work = work
        self._view = view
        self._head = head
        self._outcome: OutcomeResolved = work.outcome
        self._drafts: list[Draft] = []

    def write(self) -> list[Draft]:
        work, view = self._work, self._view
        actor, start = work.turn.actor, view.now
        left = view.text(actor, "at")
        saw_it_begin = self._witnesses(left)
        resolution = work.resolution
        self._add(resolution.action, actor, saw_it_begin, left, start, idem=f"turn:{work.turn.id}")
        if resolution.roll is not None:
            self._add(resolution.roll, "rules", UNSEEN, left, start)
        self._add(self._outcome, "rules", UNSEEN, left, start)
        self._consequences(left, start)
        here = view.text(actor, "at")
        saw_it_end = tuple(sorted({*self._witnesses(here), *(saw_it_begin if here == left else ())}))
        for reveal in self._outcome.reveals:
            heard = tuple(sorted({reveal.holder, *(reveal.to or (actor,))}))
            told = SecretTold(secret=reveal.secret, teller=reveal.holder, to=reveal.to or (actor,), text=reveal.text)
            self._add(told, reveal.holder, heard, here, view.now)
        for body, by in _told(work.prose, actor):
            self._add(body, by, saw_it_end, here, view.now)
        for act in work.prose.acts:
            self._add(act, "guard", UNSEEN, here, view.now)
        self._claims()
        if view.now > start:
            self._add(TimePassed(minutes=view.now - start, now=view.now), "rules", UNSEEN, here, view.now)
        return self._drafts

    def _add(self, body: Body, by: str, seen: tuple[str, ...], place: str, now: int, idem: str | None = None) -> None:
        turn = self._work.turn
        self._drafts.append(
            Draft(
                body=body, by=by, witnesses=seen, story_time=now, scene=turn.scene, turn=turn.id, place=place or None,
                cause=event_id(turn.timeline, self._head + 1) if self._drafts else None, idem=idem,
            )
        )  # fmt: skip

    def _consequences(self, place: str, start: int) -> None:
        why = f"{self._outcome.verb}: {self._outcome.tier}"
        self._decide(list(self._outcome.consequences), why, place)
        calendar = self._work.services.calendar(self._work.world)
        before, after = daypart_at(calendar, start), daypart_at(calendar, self._view.now)
        if before.id != after.id:
            here = _people(self._view, self._view.text(self._work.turn.actor, "at"))
            stay = UNSEEN if self._outcome.verb in _LETS_GO else tuple(here)
            moves = scheduled_moves(self._view, after.id, busy=frozenset({self._work.turn.actor, *stay}))
            self._decide(moves, f"the {after.name} has come", place)
        sky = self._work.services.weather(self._work.world, self._view.now)
        if sky and sky != self._view.text(WORLD_ENTITY, "weather"):
            self._decide([Claim(WORLD_ENTITY, "weather", sky)], "the weather turned", place)

    def _decide(self, claims: list[Claim], why: str, place: str) -> None:
        for decided in propose_together(self._view, "rules", claims, why):
            self._add(decided, "rules", UNSEEN, place, self._view.now)

    def _claims(self) -> None:
        """What the tellers claimed, through the gate, with the passages that say so as evidence."""
        told = ("narration.told", "line.spoken", "deed.done")
        evidence = tuple(
            event_id(self._work.turn.timeline, self._head + n)
            for n, draft in enumerate(self._drafts, 1)
            if draft.body.kind in told
        )
        for claimed in self._work.prose.claims[:MOST_PROPOSALS]:
            update = Update((claimed.claim,), claimed.why, evidence)
            for body in propose(self._view, claimed.role, [update]):
                self._add(body, claimed.role, UNSEEN, self._view.text(self._work.turn.actor, "at"), self._view.now)

    def _witnesses(self, place: str) -> tuple[str, ...]:
        alive = [p for p in _people(self._view, place) if self._view.text(p, "status") != "dead"]
        return tuple(sorted({self._work.turn.actor, *alive}))


def _told(prose: Prose, actor: str) -> Iterable[tuple[Body, str]]:
    for segment in prose.segments:
        if segment.tag == "say" and segment.who:
            line = segment.lines[0] if segment.lines else ""
            yield LineSpoken(speaker=segment.who, text=segment.text, to=actor, line=line), segment.who
        elif segment.tag == "do" and segment.who:
            yield DeedDone(actor=segment.who, text=segment.text), segment.who
        else:
            yield NarrationTold(text=segment.text, teller=prose.teller, lines=segment.lines), "narrator"
