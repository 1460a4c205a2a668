"""Compares what a store says of a timeline with what replaying its events says; every difference is a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection

from talekeeper.canon import facts
from talekeeper.canon.proposals import proposals
from talekeeper.canon.replay import State, stored
from talekeeper.canon.view import CanonView
from talekeeper.memory.recall import recall
from talekeeper.testing import oracle
from talekeeper.timeline.directives import directives
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import Path, get_timeline, path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.told_lines import told_lines
from talekeeper.timeline.transcript import transcript
from talekeeper.timeline.turns import last_turn, turns_along


def differences(
    conn: Connection,
    world: str,
    timeline: str,
    history: oracle.History,
    *,
    holders: Sequence[str],
    words: Sequence[str],
) -> list[str]:
    """Empty in a healthy world. `holders` and `words` say whose memories to look into, and for what."""
    past = path(conn, world, timeline)
    head = get_timeline(conn, world, timeline).head
    found = [f"the head is {head}, not {len(history)}"] if head != len(history) else []
    found += _compare(conn, past, history)
    found += _pictures(conn, past, history)
    found += _memories(conn, past, history, holders, words)
    return [f"{world}/{timeline}: {difference}" for difference in found]


def differences_as_of(conn: Connection, world: str, timeline: str, history: oracle.History, seq: int) -> list[str]:
    """What can be asked at any earlier event, in the middle of a turn as well."""
    past = path(conn, world, timeline).until(seq)
    return [f"{world}/{timeline} as of {seq}: {d}" for d in _compare(conn, past, history[:seq])]


def _compare(conn: Connection, past: Path, history: oracle.History) -> Iterator[str]:
    if list(read_events(conn, past)) != list(history):
        yield "the events have changed"
    replayed = oracle.canon(history)
    yield from _differ("canon by its tables", stored(conn, past), replayed)
    view = CanonView(conn, past)
    view.load({key[0] for key in replayed})
    yield from _differ("canon by its view", _viewed(view, replayed), replayed)
    place = max((str(obj) for (_, pred, _), (obj, _) in replayed.items() if pred == "at"), default="")
    there = sorted(s for (s, pred, _), (obj, _) in replayed.items() if pred == "at" and obj == place)
    yield from _differ(f"who is at {place}", view.pointing_at("at", place), there)
    linked = sorted(f.subj for f in facts.pointing_at(conn, past, "at", place))
    yield from _differ(f"who is at {place} by its tables", linked, there)
    yield from _differ("proposals", {p.id: p.status for p in proposals(conn, past)}, oracle.proposals(history))
    yield from _differ("told lines", set(told_lines(conn, past)), oracle.told_lines(history))
    told = {p.event: p.text for turn in transcript(conn, past) for p in turn.passages if p.kind == "narration.told"}
    yield from _differ("narrations", told, oracle.narrations(history))


def _pictures(conn: Connection, past: Path, history: oracle.History) -> Iterator[str]:
    turns = turns_along(conn, past)
    yield from _differ("turns", [t.id for t in turns], oracle.turns(history))
    numbers = [t.number for t in turns]
    yield from _differ("turn numbers", numbers, list(range(1, len(numbers) + 1)))
    newest = last_turn(conn, past)
    yield from _differ("last turn", newest.id if newest else None, next(reversed(oracle.turns(history)), None))
    snapshot = latest_snapshot(conn, past)
    yield from _differ("snapshot", snapshot, oracle.snapshot(history))
    if snapshot is not None:
        number = snapshot.turn_number + 1
        given = {d.event for d in directives(conn, past, snapshot.scene, number)}
        yield from _differ("directives", given, oracle.directives(history, snapshot.scene, number))


def _viewed(view: CanonView, replayed: State) -> State:
    """Canon through a view, asked subject by subject and by predicate."""
    subjects = {key[0] for key in replayed}
    found = {(f.subj, f.pred, f.slot): (f.obj, f.seq) for subj in sorted(subjects) for f in view.facts_of(subj)}
    for pred in ("name", "trust"):
        found |= {(f.subj, f.pred, f.slot): (f.obj, f.seq) for f in view.with_predicate(pred)}
    return dict(sorted(found.items()))


def _memories(
    conn: Connection, past: Path, history: oracle.History, holders: Sequence[str], words: Sequence[str]
) -> Iterator[str]:
    for holder in holders:
        for word in words:
            found = {m.event for m in recall(conn, past, holder, word, limit=10_000)}
            yield from _differ(f"what {holder} remembers of {word}", found, oracle.remembered(history, holder, word))


def _differ(what: str, kept: object, replayed: object) -> Iterator[str]:
    if kept != replayed:
        if isinstance(kept, dict) and isinstance(replayed, dict):
            keys = sorted(k for k in kept.keys() | replayed.keys() if kept.get(k) != replayed.get(k))
            kept, replayed = {k: kept.get(k) for k in keys}, {k: replayed.get(k) for k in keys}
        yield f"{what}: stored {kept}, replayed {replayed}"
