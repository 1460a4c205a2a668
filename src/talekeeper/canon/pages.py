"""Entity pages: what holds of something, as of when, and why we believe it."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from talekeeper.canon.facts import history, pointing_at
from talekeeper.canon.predicates import PREDICATES, RELATIONS
from talekeeper.canon.view import CanonView
from talekeeper.errors import BadInput, NotFound
from talekeeper.timeline.events import get_event
from talekeeper.timeline.ids import is_entity
from talekeeper.timeline.lineage import Path
from talekeeper.timeline.vocabulary import ProposalDecided, Value


class Line(msgspec.Struct, frozen=True):
    pred: str
    slot: str
    obj: Value
    says: str
    since: str
    role: str


class Page(msgspec.Struct, frozen=True):
    id: str
    name: str
    aliases: tuple[str, ...]
    status: str
    facts: tuple[Line, ...]
    relations: tuple[Line, ...]
    held: tuple[str, ...]
    """What or who is at, or carried by, this entity."""


class Reason(msgspec.Struct, frozen=True):
    """One step in the story of a fact."""

    event: str
    asserted: bool
    obj: Value
    role: str
    reason: str
    evidence: tuple[str, ...]
    note: str


def page(conn: Connection, past: Path, entity: str, *, hidden: bool = False) -> Page:
    """`hidden` also shows what only the game master may see."""
    view = CanonView(conn, past)
    entity = resolve_name(view, entity)
    facts: list[Line] = []
    relations: list[Line] = []
    known = view.facts_of(entity)
    view.load_names(e for fact in known for e in (str(fact.obj), fact.slot) if "/" in e and is_entity(e))
    for fact in known:
        if not hidden and PREDICATES[fact.pred].sight == "hidden":
            continue
        line = Line(fact.pred, fact.slot, fact.obj, view.say(fact), fact.event, fact.role)
        (relations if fact.pred in RELATIONS else facts).append(line)
    held = tuple(view.pointing_at("at", entity))
    aliases = tuple(str(f.obj) for f in view.many(entity, "alias"))
    return Page(entity, view.name(entity), aliases, view.text(entity, "status"), tuple(facts), tuple(relations), held)


def resolve_name(view: CanonView, said: str) -> str:
    """An id, a name or an alias, in any case."""
    said = said.strip()
    if is_entity(said):
        view.load([said])
        if view.exists(said):
            return said
    wanted = said.casefold().removeprefix("the ")
    names = view.with_predicate("name") + view.with_predicate("alias")
    exact = sorted({f.subj for f in names if str(f.obj).casefold().removeprefix("the ") == wanted})
    found = exact or sorted({f.subj for f in names if wanted and wanted in str(f.obj).casefold()})
    if not found:
        raise NotFound(
            f"Canon knows nobody and nothing called {said[:80]!r}.", "See `talekeeper canon show` for the names."
        )
    if len(found) > 1:
        raise BadInput(f"{said!r} could be any of {', '.join(found[:6])}.", "Use the id.")
    return found[0]


def why(conn: Connection, past: Path, subj: str, pred: str, slot: str = "") -> list[Reason]:
    """Why do we believe this: each decision about it along the path, with its evidence."""
    reasons = []
    for fact, asserted in history(conn, past, subj, pred, slot):
        body = get_event(conn, past.world, fact.event).body
        if isinstance(body, ProposalDecided):
            reasons.append(Reason(fact.event, asserted, fact.obj, body.role, body.reason, body.evidence, body.note))
    return reasons


def neighbours(conn: Connection, past: Path, entity: str, depth: int = 1) -> dict[str, int]:
    """Entities within `depth` steps, by any fact that names another entity; with the distance."""
    view = CanonView(conn, past)
    distance = {entity: 0}
    edge = [entity]
    for step in range(1, depth + 1):
        view.load(edge)
        ahead: set[str] = set()
        for near in edge:
            for fact in view.facts_of(near):
                ahead.update(e for e in (str(fact.obj), fact.slot) if "/" in e and is_entity(e))
            ahead.update(f.subj for f in pointing_at(conn, past, "at", near))
        edge = sorted(e for e in ahead if e not in distance and view.exists(e))
        distance.update(dict.fromkeys(edge, step))
    return distance
