"""Why an arc was not told, in words and with the events that say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .change import Change, Key
from .machine import Machine
from .partial import Partial, State, grown, records_of
from .pattern import Pattern, Step
from .template import duration


class WhyNot(NamedTuple):
    """`state` is told, open, broken, expired or unseen."""

    arc: str
    key: tuple[str, ...]
    state: str
    text: str
    ids: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text


def why_not(machine: Machine, key: str | Sequence[str], told: Sequence[tuple[str, ...]], now: float) -> WhyNot:
    """`key` may be any part of the arc's key; `told` are the keys this arc was told for."""
    pattern = machine.pattern
    wanted = (key,) if isinstance(key, str) else tuple(key)
    for found, state in machine.partials.items():
        if _matches(found, wanted):
            partial = grown(state)
            if not partial.told:
                return WhyNot(
                    pattern.name,
                    _tuple(found),
                    "open",
                    _waiting(pattern, partial, machine.seconds - (now - state.at)),
                    _ids(partial),
                )
    for done in reversed(told):
        if _matches(done, wanted):
            return WhyNot(pattern.name, done, "told", f"{pattern.name} was told for {_name(done)}.")
    for ending in reversed(machine.endings):
        if _matches(ending.raw_key, wanted):
            text = _ended(pattern, ending, grown(ending.state))
            return WhyNot(pattern.name, ending.key, ending.what, text, ending.ids)
    first = pattern.steps[0]
    text = f"{pattern.name} never began for {_name(wanted)}: nothing like {_step(first)} was seen there."
    return WhyNot(pattern.name, wanted, "unseen", text)


def _waiting(pattern: Pattern, partial: Partial, left: float) -> str:
    step, count = pattern.steps[partial.step], partial.count
    if count < step.least:
        wants = f"{step.least - count} more of {_step(step)}"
    elif partial.step + 1 < len(pattern.steps):
        wants = _step(pattern.steps[partial.step + 1])
    else:
        wants = " and ".join(f"{least} different {name}s" for name, least in pattern.involves.items())
    text = f"{pattern.name} is still open: it has {_so_far(pattern, partial)} and waits for {wants}"
    if partial.refused is not None:
        record, index = partial.refused
        asked = pattern.steps[index]
        text += (
            f"; {record.id} would have been {asked.name}, but it asks that {' and '.join(c.words for c in asked.where)}"
        )
    if left != float("inf"):
        text += f"; {duration(left)} are left"
    return text + "."


def _ended(pattern: Pattern, ending: Change, partial: Partial) -> str:
    so_far = _so_far(pattern, partial)
    if ending.what == "broken":
        return f"{pattern.name} was broken: it had {so_far}, then came {ending.breaker}."
    short = partial.count < pattern.steps[partial.step].least
    missing = pattern.steps[partial.step if short else min(partial.step + 1, len(pattern.steps) - 1)]
    return f"{pattern.name} ran out of time: it had {so_far}, and {_step(missing)} did not come in time."


def _so_far(pattern: Pattern, partial: Partial) -> str:
    parts = [f"{count} of {step.name}" for step, count in zip(pattern.steps, partial.counts, strict=False)]
    return " and ".join(parts)


def _step(step: Step) -> str:
    kinds = "any event" if "*" in step.kinds else " or ".join(sorted(step.kinds))
    conditions = " and ".join(condition.words for condition in step.where)
    text = f"{step.name} ({kinds}{' where ' + conditions if conditions else ''})"
    return f"{text} after {duration(step.after)} of quiet" if step.after else text


def _ids(state: State) -> tuple[str, ...]:
    return tuple(record.id for record in records_of(state))


def _tuple(key: Key) -> tuple[str, ...]:
    return key if isinstance(key, tuple) else (key,)


def _matches(found: Key, wanted: tuple[str, ...]) -> bool:
    parts = _tuple(found)
    return all(any(part == want or part.endswith(want) for part in parts) for want in wanted)


def _name(key: tuple[str, ...]) -> str:
    return " and ".join(key) or "anything"
