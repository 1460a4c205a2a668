"""An arc on its way: which step it has reached, with which events."""

from __future__ import annotations

from typing import Any

from .record import Record

KEPT = 64
"""Of a step that goes on and on, this many events are kept, the last of them always the newest."""

_FIRST = (0,)


class Partial:
    """Most arcs never get beyond their first event, and of those only the Record itself is kept: see `State`."""

    __slots__ = ("at", "bounds", "count", "done", "records", "refused", "seen", "step", "told")

    def __init__(self, record: Record) -> None:
        self.at = record.at
        self.step = 0
        self.records = [record]
        self.bounds: tuple[int, ...] = _FIRST
        """Where in `records` each step begins."""
        self.count = 1
        """How many events the present step has."""
        self.done: tuple[int, ...] = ()
        """How many each earlier step had."""
        self.told = False
        self.seen: set[Any] | None = None
        """The values met so far in a step whose events must be distinct."""
        self.refused: tuple[Record, int] | None = None

    def go_on(self, record: Record) -> None:
        """One more event of the present step."""
        self.count += 1
        records = self.records
        if len(records) - self.bounds[-1] < KEPT:
            records.append(record)
        else:
            records[-1] = record

    def step_forward(self, record: Record) -> None:
        self.step += 1
        self.done = (*self.done, self.count)
        self.bounds = (*self.bounds, len(self.records))
        self.records.append(record)
        self.count = 1
        self.seen = None

    def is_new(self, name: str, record: Record) -> bool:
        """Whether the present step has met no event with this value yet; remembers it."""
        value = record.get(name)
        if self.seen is None:
            self.seen = {other.get(name) for other in self.of_step(self.step)}
        if value is None or value in self.seen:
            return False
        self.seen.add(value)
        return True

    def of_step(self, index: int) -> list[Record]:
        if index < self.step:
            return self.records[self.bounds[index] : self.bounds[index + 1]]
        return self.records[self.bounds[index] :] if index == self.step else []

    @property
    def counts(self) -> tuple[int, ...]:
        return (*self.done, self.count)


State = Record | Partial
"""What an arc holds for a key: a partial, or the one event it began with. Both know `at`, when it began."""


def grown(state: State) -> Partial:
    return state if isinstance(state, Partial) else Partial(state)


def records_of(state: State) -> list[Record]:
    return state.records if isinstance(state, Partial) else [state]
