"""An arc that came to its end, with the events that prove it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .partial import Partial
from .pattern import Pattern
from .record import Record
from .template import company


class Told:
    """A step that is open-ended may still gather events after the arc is told; the fingerprint stays the same."""

    __slots__ = ("_partial", "fingerprint", "key", "pattern", "score")

    def __init__(self, pattern: Pattern, key: tuple[str, ...], partial: Partial) -> None:
        self.pattern = pattern
        self.key = key
        self._partial = partial
        # Readable, and the same whenever and wherever the same events are sifted.
        ids = [partial.records[begin].id for begin in partial.bounds]
        self.fingerprint = f"{pattern.name}:{'/'.join(key)}:{'+'.join(ids)}"
        self.score = 0.0

    @property
    def name(self) -> str:
        return self.pattern.name

    @property
    def records(self) -> list[Record]:
        return self._partial.records

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(record.id for record in self.records)

    @property
    def begin(self) -> float:
        return self._partial.records[0].at

    @property
    def end(self) -> float:
        return self._partial.records[-1].at

    @property
    def keys(self) -> dict[str, str]:
        return dict(zip(self.pattern.key, self.key, strict=True))

    @property
    def agents(self) -> list[str]:
        if "agent" in self.pattern.key:
            return [self.key[self.pattern.key.index("agent")]]
        return list(dict.fromkeys([str(name) for record in self.records if (name := record.get("agent"))]))

    @property
    def length(self) -> int:
        """How many events it took, even those no longer kept."""
        return sum(self._partial.counts)

    def count(self, step: str) -> int:
        return self.counts[step]

    @property
    def counts(self) -> dict[str, int]:
        return {step.name: count for step, count in zip(self.pattern.steps, self._partial.counts, strict=True)}

    def sentence(self, escape: Callable[[str], str] = str) -> str:
        steps = {step.name: self._partial.of_step(index) for index, step in enumerate(self.pattern.steps)}
        if self.pattern.template is None:
            return f"{escape(company(self.records))}: {self.pattern.title}."
        return self.pattern.template.fill(self.keys, steps, self.counts, escape)

    def to_dict(self) -> dict[str, Any]:
        return {
            "arc": self.name,
            "title": self.pattern.title,
            "key": self.keys,
            "sentence": self.sentence(),
            "ids": list(self.ids),
            "agents": self.agents,
            "begin": self.begin,
            "end": self.end,
            "fingerprint": self.fingerprint,
            "score": round(self.score, 3),
        }
