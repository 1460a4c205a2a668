"""Two timelines side by side: how much past they share, and what is true on one and not on the other."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from talekeeper.canon.facts import Fact, Key, all_facts
from talekeeper.canon.predicates import PREDICATES, Sight
from talekeeper.canon.view import CanonView
from talekeeper.timeline.lineage import OPEN_END, Path, get_timeline

_ALL: tuple[Sight, ...] = ("open", "subject", "hidden")


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that holds on `a`, on `b`, or differently on both; empty where nothing is said."""

    subj: str
    name: str
    pred: str
    slot: str
    a: str
    b: str


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    a: str
    b: str
    shared_seq: int
    """The last event both have."""
    differences: tuple[Difference, ...]


def compare(conn: Connection, a: Path, b: Path, *, sights: tuple[Sight, ...] = _ALL) -> Comparison:
    """`sights` says whose eyes look: what is not open to them is left out."""
    there, here = all_facts(conn, a), all_facts(conn, b)
    views = CanonView(conn, a), CanonView(conn, b)
    changed = [key for key in sorted({*there, *here}) if _value(there, key) != _value(here, key) and _seen(key, sights)]
    for view in views:
        view.load(key[0] for key in changed)
    return Comparison(
        a=a.timeline, b=b.timeline, shared_seq=shared_seq(conn, a, b),
        differences=tuple(_difference(key, views, there.get(key), here.get(key)) for key in changed),
    )  # fmt: skip


def shared_seq(conn: Connection, a: Path, b: Path) -> int:
    shared = a.shared_with(b)
    return get_timeline(conn, a.world, a.timeline).head if shared == OPEN_END else shared


def _value(facts: dict[Key, Fact], key: Key) -> object:
    found = facts.get(key)
    return None if found is None else found.obj


def _seen(key: Key, sights: tuple[Sight, ...]) -> bool:
    predicate = PREDICATES.get(key[1])
    return predicate is not None and predicate.sight in sights


def _difference(key: Key, views: tuple[CanonView, CanonView], on_a: Fact | None, on_b: Fact | None) -> Difference:
    subj, pred, slot = key
    known = views[0] if views[0].exists(subj) else views[1]
    return Difference(
        subj=subj, name=known.name(subj), pred=pred, slot=slot,
        a=views[0].say(on_a) if on_a else "", b=views[1].say(on_b) if on_b else "",
    )  # fmt: skip
