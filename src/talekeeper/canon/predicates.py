"""What can be said of things: each predicate with its type, cardinality, who may see it, and whether it is instant."""

from __future__ import annotations

from typing import Literal

import msgspec

Sight = Literal["open", "subject", "hidden"]
"""`open`: anyone may know. `subject`: the subject and those who were told. `hidden`: the rules and the game master."""


class Predicate(msgspec.Struct, frozen=True):
    name: str
    of: tuple[str, ...]
    """Kinds of subject it applies to."""
    value: Literal["text", "int", "number", "flag", "entity"]
    to: tuple[str, ...] = ()
    """Kinds of object (or of slot, for those keyed by an entity), when it names an entity."""
    slotted: Literal["no", "text", "entity"] = "no"
    """Single-valued, many by free key, or many by entity."""
    sight: Sight = "open"
    instant: bool = False
    """Decided in the turn that claims it; everything else is staged first."""
    low: int | None = None
    high: int | None = None
    says: str = "{subj} {pred}: {obj}"
    """How the fact reads as a sentence; {slot} and {obj} are shown by name."""


END_OF_TIME = 10**12
"""Minutes: two million years. A later time would not fit where times are kept."""

RELATIONS = ("trust", "affection", "respect", "fear", "debt")

_ANY = ("person", "place", "item", "faction", "event", "concept", "world")
_LIVING = ("person", "faction")


def _p(
    name: str, of: tuple[str, ...], value: Literal["text", "int", "number", "flag", "entity"], **more: object
) -> Predicate:
    return msgspec.convert({"name": name, "of": of, "value": value, **more}, Predicate)


PREDICATES: dict[str, Predicate] = {
    p.name: p
    for p in (
        _p("name", _ANY, "text", says="{subj} is called {obj}"),
        _p("alias", _ANY, "text", slotted="text", says="{subj} is also called {obj}"),
        _p("about", _ANY, "text", says="{obj}"),
        _p("role", ("person",), "text", says="{subj} is {obj}"),
        _p("look", ("person", "item", "place"), "text", says="{subj}: {obj}"),
        _p("voice", ("person",), "text", says="{subj} speaks {obj}"),
        _p("trait", ("person",), "text", slotted="text", says="{subj} is {obj}"),
        _p("goal", _LIVING, "text", slotted="text", sight="subject", says="{subj} wants {obj}"),
        _p("status", _ANY, "text", says="{subj} is {obj}"),
        _p("at", ("person", "item"), "entity", to=("place", "person"), instant=True, says="{subj} is at {obj}"),
        _p("fixed", ("item",), "flag", says="{subj} cannot be carried"),
        _p("state", ("item", "place"), "text", instant=True, says="{subj} is {obj}"),
        _p("exit", ("place",), "text", slotted="entity", to=("place",), says="from {subj} one reaches {slot} {obj}"),
        _p("barred", ("place",), "text", slotted="entity", to=("place",), instant=True, says="the way from {subj} to {slot} is barred: {obj}"),
        _p("stat", ("person",), "int", slotted="text", low=-10, high=100, says="{subj} has {slot} {obj}"),
        _p("harm", ("person",), "int", instant=True, low=0, high=10, says="{subj} has taken {obj} harm"),
        _p("condition", ("person",), "text", slotted="text", instant=True, says="{subj} is {obj}"),
        _p("mood", ("person",), "text", instant=True, says="{subj} seems {obj}"),
        _p("member_of", ("person",), "text", slotted="entity", to=("faction",), says="{subj} belongs to {slot} ({obj})"),
        *(
            _p(r, _LIVING, "int", slotted="entity", to=_LIVING, sight="subject", instant=True, low=-100, high=100,
               says="{subj} holds " + r + " {obj} towards {slot}")
            for r in RELATIONS
        ),
        _p("schedule", ("person",), "entity", slotted="text", to=("place",), sight="subject", says="{subj} is at {obj} in the {slot}"),
        _p("secret", _ANY, "text", slotted="text", sight="hidden", says="{obj}"),
        _p("secret_topic", _ANY, "text", slotted="text", sight="hidden", says="the secret {slot} is about {obj}"),
        _p("knows", ("person",), "text", slotted="text", sight="subject", instant=True, says="{subj} knows {slot} ({obj})"),
        _p("clock", ("faction", "concept"), "int", instant=True, low=0, high=24, says="the clock of {subj} stands at {obj}"),
        _p("clock_size", ("faction", "concept"), "int", low=2, high=24, says="the clock of {subj} has {obj} segments"),
        _p("clock_name", ("faction", "concept"), "text", says="{subj}: {obj}"),
        _p("thread", ("concept",), "text", instant=True, says="the matter of {subj} is {obj}"),
        _p("thread_beat", ("concept",), "int", instant=True, low=0, high=24, says="the matter of {subj} has reached beat {obj}"),
        _p("thread_size", ("concept",), "int", sight="hidden", low=1, high=24, says="the matter of {subj} has {obj} beats"),
        _p("thread_topic", ("concept",), "text", slotted="text", sight="hidden", says="{subj} touches {obj}"),
        _p("thread_clock", ("concept",), "entity", to=("faction", "concept"), sight="hidden", says="{subj} moves the clock of {obj}"),
        _p("note", _ANY, "text", slotted="text", says="{obj}"),
        _p("time", ("world",), "int", instant=True, low=0, high=END_OF_TIME, says="it is minute {obj}"),
        _p("weather", ("world",), "text", instant=True, says="the weather is {obj}"),
        _p("axiom", ("world",), "text", slotted="text", says="{obj}"),
    )
}  # fmt: skip
