"""Reads the situation of the acting character from canon: where they are, who and what is there, what is at stake."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

from talekeeper.agents.situation import ClockFace, Exit, Known, Person, Place, Secret, Situation, Thing, Thread
from talekeeper.canon.predicates import RELATIONS
from talekeeper.canon.view import CanonView
from talekeeper.timeline.events import read_events
from talekeeper.timeline.ids import WORLD_ENTITY, entity_kind
from talekeeper.timeline.turns import Turn
from talekeeper.timeline.vocabulary import LineSpoken
from talekeeper.timeline.worlds import World

_MOST_KNOWN = 400
"""Names recognised though not present; past this a world is too large to hold every name in mind."""


def situate(conn: Connection, view: CanonView, world: World, turn: Turn, seed: int) -> Situation:
    actor, here = turn.actor, view.text(turn.actor, "at")
    inside = view.pointing_at("at", here) if here else []
    carried = {who: view.pointing_at("at", who) for who in [actor, *inside] if entity_kind(who) == "person"}
    exits = [way.slot for way in view.many(here, "exit")] if here else []
    view.load([WORLD_ENTITY, actor, here, *inside, *exits, *(thing for held in carried.values() for thing in held)])
    present = [p for p in inside if p != actor and entity_kind(p) == "person"]
    near = {actor, here, *inside, *(thing for held in carried.values() for thing in held)}
    return Situation(
        world=world.slug, title=world.title, preset=world.preset, rules=world.rules,
        timeline=turn.timeline, head=turn.base_seq, scene=turn.scene, turn=turn.id, turn_number=turn.number, seed=seed,
        now=view.now, weather=view.text(WORLD_ENTITY, "weather"),
        actor=read_person(view, actor, actor, carried.get(actor, [])),
        stats={f.slot: view.number(actor, "stat", f.slot) for f in view.many(actor, "stat")},
        place=read_place(view, here, inside),
        present=tuple(read_person(view, p, actor, carried.get(p, [])) for p in present),
        elsewhere=_elsewhere(view, near),
        threads=_threads(view, turn.number),
        clocks=_clocks(view),
        secrets=_secrets(view, actor, [*present, here, *(t for t in near if entity_kind(t) == "item")]),
        focus=_last_speaker(conn, view, present),
    )  # fmt: skip


def read_person(view: CanonView, person: str, towards: str, holds: Iterable[str] = ()) -> Person:
    return Person(
        id=person, name=view.name(person), aliases=_aliases(view, person), role=view.text(person, "role"),
        look=view.text(person, "look"), voice=view.text(person, "voice"), mood=view.text(person, "mood"),
        status=view.text(person, "status") or "alive", harm=view.number(person, "harm"),
        conditions=tuple(f.slot for f in view.many(person, "condition")),
        holds=tuple(read_thing(view, thing) for thing in holds),
        regard={r: value for r in RELATIONS if (value := view.number(person, r, towards)) and person != towards},
    )  # fmt: skip


def read_place(view: CanonView, place: str, inside: Iterable[str]) -> Place:
    exits = tuple(
        Exit(way.slot, view.name(way.slot), str(way.obj), view.text(place, "barred", way.slot))
        for way in view.many(place, "exit")
    )
    things = tuple(read_thing(view, thing) for thing in inside if entity_kind(thing) == "item")
    return Place(place, view.name(place), view.text(place, "about"), exits, things)


def read_thing(view: CanonView, thing: str) -> Thing:
    return Thing(
        id=thing, name=view.name(thing), aliases=_aliases(view, thing), look=view.text(thing, "look"),
        about=view.text(thing, "about"), fixed=view.value(thing, "fixed") is True, state=view.text(thing, "state"),
    )  # fmt: skip


def _aliases(view: CanonView, entity: str) -> tuple[str, ...]:
    return tuple(str(f.obj) for f in view.many(entity, "alias"))


def _elsewhere(view: CanonView, near: set[str]) -> tuple[Known, ...]:
    names = {f.subj: str(f.obj) for f in view.with_predicate("name") if f.subj not in near}
    aliases: dict[str, list[str]] = {}
    for alias in view.with_predicate("alias"):
        aliases.setdefault(alias.subj, []).append(str(alias.obj))
    far = [e for e in names if entity_kind(e) != "concept" and e != WORLD_ENTITY][:_MOST_KNOWN]
    return tuple(Known(e, names[e], tuple(aliases.get(e, ()))) for e in far)


def _threads(view: CanonView, turn_number: int) -> tuple[Thread, ...]:
    subjects = [f.subj for f in view.with_predicate("thread")]
    view.load(subjects)
    return tuple(
        Thread(
            id=t, name=view.name(t), about=view.text(t, "about"), status=view.text(t, "thread") or "open",
            beat=view.number(t, "thread_beat"), size=view.number(t, "thread_size"), idle_turns=turn_number - _last_moved(view, t),
            topics=tuple(str(f.obj) for f in view.many(t, "thread_topic")), clock=view.text(t, "thread_clock"),
        )
        for t in subjects
    )  # fmt: skip


def _last_moved(view: CanonView, thread: str) -> int:
    beat = view.fact(thread, "thread_beat")
    return 0 if beat is None else view.turn_of(beat)


def _clocks(view: CanonView) -> tuple[ClockFace, ...]:
    subjects = [f.subj for f in view.with_predicate("clock_size")]
    view.load(subjects)
    return tuple(
        ClockFace(c, view.text(c, "clock_name") or view.name(c), view.number(c, "clock"), view.number(c, "clock_size"))
        for c in subjects
    )


def _secrets(view: CanonView, actor: str, holders: Iterable[str]) -> tuple[Secret, ...]:
    known = {f.slot for f in view.many(actor, "knows")}
    found = []
    for holder in sorted(set(holders) - {""}):
        topics = view.many(holder, "secret_topic")
        for fact in view.many(holder, "secret"):
            if fact.slot not in known:
                about = tuple(str(t.obj) for t in topics if t.slot.partition("#")[0] == fact.slot)
                found.append(Secret(fact.slot, holder, str(fact.obj), about))
    return tuple(found)


def _last_speaker(conn: Connection, view: CanonView, present: Sequence[str]) -> str:
    for event in read_events(conn, view.path, kinds=[LineSpoken.kind], newest_first=True, limit=1):
        if isinstance(event.body, LineSpoken) and event.body.speaker in present:
            return event.body.speaker
    return ""
