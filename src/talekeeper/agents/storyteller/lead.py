"""The last part of a turn: one new thing to act on, from a thread, a clock, the place, its things, or a way out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from talekeeper.agents.situation import ClockFace, Thread
from talekeeper.agents.storyteller.naming import in_prose, thing_in_prose
from talekeeper.agents.storyteller.stage import Stage
from talekeeper.presets.preset import Words
from talekeeper.timeline.vocabulary import Claim


class Step(NamedTuple):
    """A thread that moved this turn."""

    thread: Thread
    beat: int
    name: str
    text: str


def steps(stage: Stage) -> list[Step]:
    told = []
    for claim in stage.claims("thread_beat"):
        thread = next((thread for thread in stage.telling.threads if thread.id == claim.subj), None)
        known = stage.book.thread(claim.subj)
        beat = _count(claim)
        if thread is None or known is None or not 0 < beat <= len(known.beats):
            continue
        text = stage.picker.pick(known.beats[beat - 1].tell, stage.slots)
        if text:
            told.append(Step(thread, beat, known.beats[beat - 1].name, text))
    return told


def omens(stage: Stage) -> list[str]:
    """A line for each clock that moved."""
    told = []
    for claim in stage.claims("clock"):
        face = next((clock for clock in stage.telling.clocks if clock.id == claim.subj), None)
        if face is None or face.filled < _count(claim):
            text = _omen(stage, claim.subj, _count(claim))
            told.append(text or (stage.frame("clock", clock=face.name) if face else ""))
    return [text for text in told if text]


def lead(stage: Stage, moved: list[Step]) -> str:
    for step in moved:
        if text := stage.picker.pick(_leads(stage, step.thread.id, step.beat), stage.slots):
            return text
    for pool in _pools(stage):
        if text := stage.picker.pick(pool, stage.slots):
            return text
    return _made(stage)


def _pools(stage: Stage) -> Iterator[Words]:
    """Every pool that could give a lead, in an order of chance weighted by how much each matters now."""
    telling = stage.telling
    weighted: list[tuple[float, Words]] = []
    for thread in telling.threads:
        if thread.status == "open":
            weight = 2.0 + min(thread.idle_turns, 12) / 4 + 6.0 * _touched(stage, thread)
            weighted.append((weight, _leads(stage, thread.id, thread.beat)))
    for clock in telling.clocks:
        weighted.append((0.6, _omens(stage, clock)))
    place = stage.book.place(telling.place.id)
    looking = 6.0 if stage.verb in ("search", "look") else 1.0
    if place is not None:
        weighted.append((2.5 * looking, place.leads))
    for thing in telling.place.things:
        known = stage.book.thing(thing.id)
        if known is not None and thing is not stage.thing:
            weighted.append((1.5 * looking, known.leads))
    rng = stage.picker.rng
    # Efraimidis and Spirakis: sorting by u ** (1 / w) draws without replacement by weight.
    order = sorted(((rng.random() ** (1 / weight), n) for n, (weight, _) in enumerate(weighted)), reverse=True)
    return (weighted[n][1] for _, n in order)


def _touched(stage: Stage, thread: Thread) -> bool:
    near = {*stage.outcome.targets, stage.outcome.topic, thread.id}
    return thread.id == stage.outcome.topic or not near.isdisjoint(thread.topics)


def _made(stage: Stage) -> str:
    """When nothing written is left: from the exits, things, people and threads that are here."""
    telling = stage.telling
    leads = stage.book.bank.leads
    slots: list[tuple[str, dict[str, str]]] = []
    slots += [("exit", {"where": in_prose(way.name), "way": way.way}) for way in telling.place.exits if not way.barred]
    slots += [("barred", {"where": in_prose(way.name), "why": way.barred}) for way in telling.place.exits if way.barred]
    slots += [("thing", {"thing": thing_in_prose(t.name)}) for t in telling.place.things if t is not stage.thing]
    for person in stage.present:
        who = {"who": stage.name(person), **stage.pronouns(person)}
        slots.append(("person", who))
        slots += [("person_thread", {**who, "matter": in_prose(t.name)}) for t in telling.threads if t.status == "open"]
    slots += [("thread", {"matter": in_prose(t.name)}) for t in telling.threads if t.status == "open"]
    slots += [("held", {"thing": thing_in_prose(thing.name)}) for thing in telling.actor.holds]
    slots.append(("alone", {}))
    stage.picker.rng.shuffle(slots)
    return next((text for kind, more in slots if (text := stage.once_of(leads[kind], **more))), "")


def _leads(stage: Stage, thread: str, beat: int) -> Words:
    known = stage.book.thread(thread)
    if known is None:
        return ()
    return known.beats[min(beat, len(known.beats)) - 1].leads if beat and known.beats else known.leads


def _omens(stage: Stage, clock: ClockFace) -> Words:
    faction = stage.book.faction(clock.id)
    written = faction.clock.omens if faction and faction.clock else ()
    return written[clock.filled - 1] if 0 < clock.filled <= len(written) else ()


def _omen(stage: Stage, faction: str, filled: int) -> str:
    return stage.picker.pick(_omens(stage, ClockFace(faction, "", filled, 0)), stage.slots)


def _count(claim: Claim) -> int:
    return claim.obj if isinstance(claim.obj, int) else 0
