"""The second part of a turn: how somebody takes it, and who is given the word."""

from __future__ import annotations

from typing import NamedTuple

from talekeeper.agents.situation import Person
from talekeeper.agents.storyteller.naming import sentence_case
from talekeeper.agents.storyteller.stage import Stage
from talekeeper.presets.preset import PresetPerson, Words

LOUD = frozenset({"attack", "threaten", "perform", "cast", "open", "attempt", "defend"})
"""What those present cannot overlook."""

HURTFUL = frozenset({"attack", "threaten", "take"})

PRIVATE = frozenset({"sneak", "move", "look"})
"""What nobody remarks on: it was unseen, or their presence was told already."""


class Reaction(NamedTuple):
    who: str
    text: str


class Cue(NamedTuple):
    who: str
    about: str


def reaction(stage: Stage) -> Reaction | None:
    person = _exposed(stage) or (stage.person if stage.person in stage.present else _onlooker(stage))
    if person is None:
        return None
    known = stage.book.person(person.id)
    pools = _pools(stage, known, person is stage.person) if known else ()
    text = stage.picker.pick_first(pools, stage.slots) or _mood(stage, person)
    return Reaction(person.id, text) if text else None


def _pools(stage: Stage, known: PresetPerson, addressed: bool) -> tuple[Words, ...]:
    """How it went for the player is not how it went for the one it was done to."""
    if _exposed(stage) is not None or (addressed and stage.verb in HURTFUL):
        return (known.sour,)
    if stage.tier in ("plain", "blocked"):
        return (known.idle,)
    if stage.tier in ("failure", "disaster"):
        return known.sour, known.idle
    if stage.tier == "cost" or (stage.tier == "success" and stage.verb in ("ask", "deceive")):
        return (known.idle,)
    return known.pleased, known.idle


def cues(stage: Stage) -> list[Cue]:
    """Who should speak: the one addressed, sometimes one who overhears; on arrival, one who greets."""
    if stage.answers is not None:
        said = [Cue(stage.answers.id, stage.outcome.topic)]
        bystander = _with_a_view(stage, besides=stage.answers.id)
        if bystander and stage.verb in ("ask", "talk") and stage.picker.chance(0.2):
            said.append(Cue(bystander.id, stage.outcome.topic))
        return said
    if not stage.present or stage.tier == "blocked":
        return []
    if stage.verb == "move" and stage.telling.arrived_from is not None:
        return [Cue(stage.present[0].id, "")] if stage.picker.chance(0.75) else []
    if stage.verb in ("attack", "threaten") and stage.person in stage.present and stage.person is not None:
        return [Cue(stage.person.id, stage.outcome.topic)]
    if stage.verb in PRIVATE:
        return []
    speaker = _with_a_view(stage) if stage.thing is not None else None
    speaker = speaker or stage.present[stage.telling.seed % len(stage.present)]
    share = 0.5 if stage.verb in LOUD else 0.3
    return [Cue(speaker.id, stage.thing.id if stage.thing else "")] if stage.picker.chance(share) else []


def _exposed(stage: Stage) -> Person | None:
    """Somebody present whose secret came out without their telling it."""
    holders = {reveal.holder for reveal in stage.outcome.reveals}
    return next((person for person in stage.present if person.id in holders and person is not stage.answers), None)


def _onlooker(stage: Stage) -> Person | None:
    if not stage.present or stage.verb in PRIVATE:
        return None
    if stage.verb not in LOUD and not stage.picker.chance(0.6):
        return None
    return stage.present[stage.picker.rng.randrange(len(stage.present))]


def _with_a_view(stage: Stage, besides: str = "") -> Person | None:
    """Somebody present who has something to say on the matter."""
    about = stage.thing.id if stage.thing else stage.outcome.topic
    return next((p for p in stage.present if p.id != besides and stage.book.topic(p.id, about)), None)


def _mood(stage: Stage, person: Person) -> str:
    moods = [str(claim.obj) for claim in stage.claims("mood") if claim.subj == person.id]
    mood = moods[0] if moods else person.mood
    frame = "mood" if mood else "still"
    return sentence_case(stage.frame(frame, mood=mood, target=stage.name(person), **stage.pronouns(person)))
