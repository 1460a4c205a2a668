"""What a step may ask of an event beyond its kind: a value, one of several, more or less than, like or unlike a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from talekeeper.errors import BadInput

from .partial import Partial, State
from .record import Record

Test = Callable[[Record, State | None], bool]
"""Whether an event may join what an arc already holds."""


@dataclass(frozen=True, slots=True)
class SameAs:
    step: str
    field: str


@dataclass(frozen=True, slots=True)
class OtherThan:
    step: str
    field: str


def same_as(step: str) -> SameAs:
    """The same value as the named step's last event had; "step.field" compares with another of its fields."""
    name, _, field = step.partition(".")
    return SameAs(name, field)


def other_than(step: str) -> OtherThan:
    """A value that no event of the named step had."""
    name, _, field = step.partition(".")
    return OtherThan(name, field)


@dataclass(frozen=True, slots=True)
class Condition:
    words: str
    refers_to: str
    """The step it compares with, or nothing."""
    bind: Callable[[int, bool], Test]
    """Makes the test, given the number of the step it compares with and whether that is always a single event."""


def conditions(where: Mapping[str, Any]) -> tuple[Condition, ...]:
    """Each value is compared as it stands; a list means any of; a table holds one test by name."""
    return tuple(_condition(field, asked) for field, asked in where.items())


def _condition(field: str, asked: Any) -> Condition:
    if isinstance(asked, Mapping):
        if len(asked) != 1:
            raise BadInput(
                f"The condition on {field!r} must hold exactly one test.", f"Tests are: {', '.join(_TESTS)}."
            )
        ((name, value),) = asked.items()
        if name not in _TESTS:
            raise BadInput(f"{name!r} is no test that {field!r} could be put to.", f"Tests are: {', '.join(_TESTS)}.")
        return _TESTS[name](field, value)
    if isinstance(asked, SameAs):
        return _like(field, asked)
    if isinstance(asked, OtherThan):
        return _unlike(field, asked)
    if isinstance(asked, set | frozenset | list | tuple):
        return _any_of(field, asked)
    return _plain(f"{field} is {asked!r}", lambda record: bool(record.get(field) == asked))


def _plain(words: str, holds: Callable[[Record], bool]) -> Condition:
    return Condition(words, "", lambda *_: lambda record, _: holds(record))


def _any_of(field: str, values: Any) -> Condition:
    allowed = _several(values)
    return _plain(f"{field} is one of {sorted(map(str, allowed))}", lambda record: record.get(field) in allowed)


def _none_of(field: str, values: Any) -> Condition:
    refused = _several(values)
    return _plain(f"{field} is not {sorted(map(str, refused))}", lambda record: record.get(field) not in refused)


def _at_least(field: str, least: Any) -> Condition:
    return _plain(f"{field} is at least {least}", lambda record: _number(record.get(field)) >= _number(least))


def _at_most(field: str, most: Any) -> Condition:
    return _plain(f"{field} is at most {most}", lambda record: _number(record.get(field)) <= _number(most))


def _like(field: str, other: SameAs) -> Condition:
    theirs = other.field or field

    def bind(step: int, _single: bool) -> Test:
        def holds(record: Record, state: State | None) -> bool:
            value = record.get(field)
            if value is None or state is None:
                return False
            if not isinstance(state, Partial):
                return step == 0 and state.get(theirs) == value
            matched = state.of_step(step)
            return bool(matched) and matched[-1].get(theirs) == value

        return holds

    return Condition(f"{field} is the same as in {other.step}", other.step, bind)


def _unlike(field: str, other: OtherThan) -> Condition:
    theirs = other.field or field

    def bind(step: int, single: bool) -> Test:
        def holds(record: Record, state: State | None) -> bool:
            value = record.get(field)
            if value is None:
                return False
            if not isinstance(state, Partial):
                return state is None or step > 0 or state.get(theirs) != value
            return value not in [other.get(theirs) for other in state.of_step(step)]

        def differs(record: Record, state: State | None) -> bool:
            """The same where the step is the first and has one event: most arcs that compare agents."""
            value = record.keys.get(field) or record.fields.get(field)
            if value is None or state is None:
                return value is not None
            first = state.records[0] if isinstance(state, Partial) else state
            return bool((first.keys.get(theirs) or first.fields.get(theirs)) != value)

        return differs if single and step == 0 else holds

    return Condition(f"{field} is another than in {other.step}", other.step, bind)


def _several(values: Any) -> frozenset[Any]:
    return frozenset(values if isinstance(values, set | frozenset | list | tuple) else (values,))


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")


_TESTS: dict[str, Callable[[str, Any], Condition]] = {
    "any_of": _any_of,
    "none_of": _none_of,
    "at_least": _at_least,
    "at_most": _at_most,
    "same_as": lambda field, step: _like(field, same_as(step)),
    "other_than": lambda field, step: _unlike(field, other_than(step)),
}
