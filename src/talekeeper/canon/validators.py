"""What canon refuses, and why: deterministic checks, each naming the fact in the way and where it came from."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from math import isfinite

import msgspec

from talekeeper.canon.facts import Fact
from talekeeper.canon.predicates import END_OF_TIME, PREDICATES, RELATIONS, Predicate
from talekeeper.canon.view import CanonView
from talekeeper.timeline.ids import WORLD_ENTITY, entity_kind, is_entity
from talekeeper.timeline.vocabulary import Claim

MAX_TEXT = 2000
_DEEDS = frozenset({"at", "mood", "goal", "knows", "condition", "schedule", "harm", *RELATIONS})
"""What the dead no longer do."""


class Objection(msgspec.Struct, frozen=True):
    reason: str
    contradicts: str = ""


class Update(msgspec.Struct, frozen=True):
    """A set of claims that stand or fall together."""

    claims: tuple[Claim, ...]
    why: str = ""
    evidence: tuple[str, ...] = ()
    staged_seq: int | None = None
    """When it was staged; facts that changed since make it stale."""


Validator = Callable[[CanonView, Claim, Update], Objection | None]


def validate(view: CanonView, update: Update) -> Objection | None:
    """The first objection to an update, or None. The view is not changed."""
    if not update.claims:
        return Objection("It claims nothing.")
    for claim in update.claims:
        for validator in VALIDATORS:
            objection = validator(view, claim, update)
            if objection is not None:
                return objection
    return None


def well_formed(view: CanonView, update: Update) -> bool:
    """Not even the game master can store what canon cannot read."""
    return bool(update.claims) and not any(
        check(view, claim, update) for claim in update.claims for check in (schema, cardinality)
    )


def _cite(view: CanonView, fact: Fact) -> str:
    where = fact.event if fact.seq else "decided just now"
    return f"{view.say(fact)} [{where}]"


def _named_here(update: Update, entity: str) -> bool:
    return any(c.subj == entity and c.pred == "name" and not c.retract for c in update.claims)


def schema(_view: CanonView, claim: Claim, _update: Update) -> Objection | None:
    predicate = PREDICATES.get(claim.pred)
    if predicate is None:
        return Objection(f"`{claim.pred[:60]}` is not something canon can say.")
    if not is_entity(claim.subj):
        return Objection(f"{claim.subj[:80]!r} is not the id of an entity.")
    if entity_kind(claim.subj) not in predicate.of:
        return Objection(f"`{claim.pred}` is not said of a {entity_kind(claim.subj)}.")
    if claim.valid_from is not None and claim.valid_to is not None and claim.valid_to <= claim.valid_from:
        return Objection("It would end before it begins.")
    if any(when is not None and abs(when) > END_OF_TIME for when in (claim.valid_from, claim.valid_to)):
        return Objection("It reaches past the end of time.")
    if isinstance(claim.obj, float) and not isfinite(claim.obj):
        return Objection(f"`{claim.pred}` is a number.")
    return None if claim.retract else _bad_value(predicate, claim)


def _bad_value(predicate: Predicate, claim: Claim) -> Objection | None:
    value = claim.obj
    if predicate.value == "flag":
        return None if isinstance(value, bool) else Objection(f"`{claim.pred}` is yes or no.")
    if predicate.value in ("int", "number"):
        if isinstance(value, bool) or not isinstance(value, int | float):
            return Objection(f"`{claim.pred}` is a number.")
        if predicate.value == "int" and not isinstance(value, int):
            return Objection(f"`{claim.pred}` is a whole number.")
        if (predicate.low is not None and value < predicate.low) or (
            predicate.high is not None and value > predicate.high
        ):
            return Objection(f"`{claim.pred}` lies between {predicate.low} and {predicate.high}, not at {value}.")
        return None
    if not isinstance(value, str) or not value.strip():
        return Objection(f"`{claim.pred}` needs words.")
    if len(value) > MAX_TEXT:
        return Objection(f"`{claim.pred}` is longer than {MAX_TEXT} characters.")
    if not _readable(value):
        return Objection(f"`{claim.pred}` contains control characters.")
    if predicate.value == "entity" and entity_kind(value) not in predicate.to:
        return Objection(f"`{claim.pred}` points at a {' or '.join(predicate.to)}, not at {value[:80]!r}.")
    return None


def _readable(text: str) -> bool:
    return not any(unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t" for c in text)


def cardinality(_view: CanonView, claim: Claim, update: Update) -> Objection | None:
    predicate = PREDICATES[claim.pred]
    if predicate.slotted == "no" and claim.slot:
        return Objection(f"`{claim.pred}` has one value only.")
    if predicate.slotted != "no" and not claim.slot:
        return Objection(f"`{claim.pred}` has several values and needs to say which.")
    if len(claim.slot) > 120 or not _readable(claim.slot) or "\n" in claim.slot:
        return Objection(f"The slot of `{claim.pred}` does not read.")
    same = [c for c in update.claims if (c.subj, c.pred, c.slot) == (claim.subj, claim.pred, claim.slot)]
    if len(same) > 1:
        return Objection(f"It says two things at once about `{claim.pred}` of {claim.subj}.")
    return None


def existence(view: CanonView, claim: Claim, update: Update) -> Objection | None:
    predicate = PREDICATES[claim.pred]
    pointed = []
    if predicate.value == "entity" and not claim.retract:
        pointed.append(str(claim.obj))
    if predicate.slotted == "entity":
        pointed.append(claim.slot)
    for entity in (claim.subj, *pointed):
        if not is_entity(entity):
            return Objection(f"{entity[:80]!r} is not the id of an entity.")
        if not view.exists(entity) and not _named_here(update, entity):
            return Objection(f"Nobody has heard of {entity}.")
    if predicate.slotted == "entity" and entity_kind(claim.slot) not in predicate.to:
        return Objection(f"`{claim.pred}` is towards a {' or '.join(predicate.to)}, not {claim.slot}.")
    return None


def the_dead_do_not_act(view: CanonView, claim: Claim, _update: Update) -> Objection | None:
    if claim.pred not in _DEEDS or entity_kind(claim.subj) != "person":
        return None
    status = view.fact(claim.subj, "status")
    if status is not None and status.obj == "dead":
        return Objection(f"{view.name(claim.subj)} is dead.", _cite(view, status))
    return None


def whereabouts(view: CanonView, claim: Claim, update: Update) -> Objection | None:
    """One place per person, one holder per item, and no stepping through walls where there is a map."""
    if claim.pred != "at" or claim.retract:
        return None
    before = view.fact(claim.subj, "at")
    if before is None or before.obj == claim.obj:
        return None
    here, there = place_of(view, str(before.obj)), place_of(view, str(claim.obj), update)
    name = view.name(claim.subj)
    if entity_kind(claim.subj) == "item":
        if here is not None and there is not None and here != there:
            return Objection(
                f"{name} is not within reach: it is at {view.name(here)}, and that is at {view.name(there)}.",
                _cite(view, before),
            )
        return None
    if entity_kind(str(claim.obj)) != "place":
        return Objection(f"{name} cannot be held by {view.name(str(claim.obj))}.", _cite(view, before))
    if here is not None and there is not None and not reachable(view, here, there):
        return Objection(f"No way leads from {view.name(here)} to {view.name(there)}.", _cite(view, before))
    return None


def place_of(view: CanonView, holder: str, update: Update | None = None) -> str | None:
    """The place something is in, through whoever carries it."""
    for _ in range(4):
        if entity_kind(holder) == "place":
            return holder
        moved = next(
            (str(c.obj) for c in (update.claims if update else ()) if c.subj == holder and c.pred == "at"), None
        )
        holder = moved or view.text(holder, "at")
        if not holder:
            return None
    return None


def reachable(view: CanonView, start: str, goal: str) -> bool:
    """Through exits that are not barred; where no map is drawn, anything is."""
    if not view.many(start, "exit"):
        return True
    seen, edge = {start}, [start]
    while edge:
        view.load(edge)
        ahead: list[str] = []
        for place in edge:
            for way in view.many(place, "exit"):
                if way.slot not in seen and view.fact(place, "barred", way.slot) is None:
                    seen.add(way.slot)
                    ahead.append(way.slot)
        if goal in seen:
            return True
        edge = sorted(ahead)
    return goal in seen


def time_runs_forward(view: CanonView, claim: Claim, _update: Update) -> Objection | None:
    if claim.pred != "time" or claim.subj != WORLD_ENTITY:
        return None
    now = view.fact(WORLD_ENTITY, "time")
    if now is not None and (claim.retract or float(claim.obj) < float(now.obj)):
        return Objection("Time does not run backwards.", _cite(view, now))
    return None


def axioms(view: CanonView, claim: Claim, _update: Update) -> Objection | None:
    """An axiom `never SUBJECT PREDICATE OBJECT`, with * as a wild card, binds; any other wording is advice to the teller."""
    if claim.retract or claim.pred == "axiom":
        return None
    for axiom in view.many(WORLD_ENTITY, "axiom"):
        words = str(axiom.obj).split(maxsplit=3)
        if len(words) == 4 and words[0] == "never":
            _, subj, pred, obj = words
            if fnmatchcase(claim.subj, subj) and fnmatchcase(claim.pred, pred) and fnmatchcase(str(claim.obj), obj):
                return Objection(f"An axiom of this world forbids it: {axiom.obj}.", _cite(view, axiom))
    return None


def fresh_evidence(view: CanonView, claim: Claim, update: Update) -> Objection | None:
    if update.staged_seq is None:
        return None
    fact = view.fact(claim.subj, claim.pred, claim.slot)
    if fact is not None and fact.seq > update.staged_seq:
        return Objection(f"`{claim.pred}` of {view.name(claim.subj)} has changed since.", _cite(view, fact))
    return None


VALIDATORS: Sequence[Validator] = (
    schema, cardinality, existence, the_dead_do_not_act, whereabouts, time_runs_forward, axioms, fresh_evidence,
)  # fmt: skip
