"""The pattern language: an arc is steps in order, what must not come between them, and how it is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from talekeeper.errors import BadInput

from .condition import Condition, conditions
from .template import Template

ANY = "*"


@dataclass(frozen=True, slots=True)
class Step:
    name: str
    kinds: frozenset[str]
    least: int = 1
    most: int | None = 1
    where: tuple[Condition, ...] = ()
    distinct: str = ""
    """A key that must be different in each event of this step."""
    after: float = 0.0
    """Seconds that must lie between this step and the last event before it."""

    def listens(self, kind: str) -> bool:
        return kind in self.kinds or ANY in self.kinds


@dataclass(frozen=True, slots=True)
class Ban:
    kinds: frozenset[str]
    begin: int
    end: int
    where: tuple[Condition, ...] = ()

    def listens(self, kind: str) -> bool:
        return kind in self.kinds or ANY in self.kinds


@dataclass(frozen=True, slots=True)
class Pattern:
    """Build one with `arc(...)` and the methods below, each of which gives a new pattern."""

    name: str
    key: tuple[str, ...]
    title: str = ""
    stakes: float = 1.0
    steps: tuple[Step, ...] = ()
    bans: tuple[Ban, ...] = ()
    seconds: float | None = None
    template: Template | None = None
    involves: Mapping[str, int] = field(default_factory=dict)

    def step(
        self,
        name: str,
        *,
        kind: str | Iterable[str],
        times: int | tuple[int, int | None] = 1,
        where: Mapping[str, Any] | None = None,
        distinct: str = "",
        after: float = 0.0,
    ) -> Pattern:
        """`times` is a number or (least, most), most None for any number. `after` is in seconds."""
        least, most = (times, times) if isinstance(times, int) else times
        if least < 1 or (most is not None and most < least):
            raise BadInput(
                f"Arc {self.name!r}, step {name!r}: times {times!r} cannot be.", "At least 1, and most >= least."
            )
        if not name.isidentifier() or any(name == other.name for other in self.steps) or name in self.key:
            raise BadInput(
                f"Arc {self.name!r}: {name!r} cannot be the name of a step.", "Use one new word for each step."
            )
        new = Step(name, _kinds(kind), least, most, self._conditions(name, where), distinct, after)
        return replace(self, steps=(*self.steps, new))

    def unless(
        self,
        kind: str | Iterable[str],
        *,
        between: tuple[str, str] | None = None,
        where: Mapping[str, Any] | None = None,
    ) -> Pattern:
        """An event of this kind breaks the arc, from the first named step until the second (by default, all the way)."""
        begin, end = (self._index(name) for name in between) if between else (0, len(self.steps) - 1)
        if begin >= end and between:
            raise BadInput(
                f"Arc {self.name!r}: nothing lies between {between[0]!r} and {between[1]!r}.", "Name them in order."
            )
        return replace(
            self, bans=(*self.bans, Ban(_kinds(kind), begin, max(end, 1), self._conditions("unless", where)))
        )

    def within(self, *, days: float = 0, hours: float = 0, minutes: float = 0) -> Pattern:
        seconds = days * 86400 + hours * 3600 + minutes * 60
        if seconds <= 0:
            raise BadInput(f"Arc {self.name!r}: a deadline must lie ahead.", "Give days, hours or minutes.")
        return replace(self, seconds=float(seconds))

    def among(self, **least: int) -> Pattern:
        """At least so many different values of a key over the whole arc: `among(agent=2)`."""
        return replace(self, involves=dict(least))

    def tell(self, template: str) -> Pattern:
        known = {*self.key, *(step.name for step in self.steps)}
        try:
            return replace(self, template=Template(template, known))
        except BadInput as error:
            raise BadInput(f"Arc {self.name!r}: {error.message}", error.hint) from None

    def _index(self, name: str) -> int:
        for index, step in enumerate(self.steps):
            if step.name == name:
                return index
        raise BadInput(
            f"Arc {self.name!r} has no step {name!r}.", f"Its steps: {', '.join(s.name for s in self.steps)}."
        )

    def _conditions(self, step: str, where: Mapping[str, Any] | None) -> tuple[Condition, ...]:
        try:
            made = conditions(where or {})
        except BadInput as error:
            raise BadInput(f"Arc {self.name!r}, {step!r}: {error.message}", error.hint) from None
        for condition in made:
            if condition.refers_to:
                self._index(condition.refers_to)
        return made


def arc(name: str, *, key: str | Iterable[str], title: str = "", stakes: float = 1.0) -> Pattern:
    """Begin a pattern. `key` names what tells one thread from another: ("agent", "task"), "scene", "relation", ..."""
    parts = (key,) if isinstance(key, str) else tuple(key)
    return Pattern(name, parts, title or name.replace("_", " "), stakes)


def _kinds(kind: str | Iterable[str]) -> frozenset[str]:
    kinds = frozenset((kind,) if isinstance(kind, str) else kind)
    if not kinds:
        raise BadInput("A step needs at least one kind of event.", 'Use "*" for any.')
    return kinds
