"""Finds the stories in a stream of events, one event at a time, in bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import NamedTuple

from talekeeper.errors import BadInput

from .change import Change, Key
from .machine import Ear, Machine
from .partial import grown
from .pattern import Pattern
from .ranking import Ranking
from .record import Record
from .told import Told
from .why_not import WhyNot, why_not

MOST_OPEN = 50_000
_FINGERPRINTS = 100_000


_Route = list[tuple[Callable[[Mapping[str, str]], Key], list[Ear]]]
"""For one kind of event: how to find its key, and who listens under that key."""


class Open(NamedTuple):
    """An arc on its way, and how far it has come (0 to 1)."""

    pattern: Pattern
    key: tuple[str, ...]
    records: tuple[Record, ...]
    progress: float
    deadline: float

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(record.id for record in self.records)


class Sifter:
    """`push` each record in turn. The cost is the number of arcs that listen to its kind, whatever came before."""

    def __init__(self, patterns: Iterable[Pattern], *, most_open: int = MOST_OPEN, told: Iterable[str] = ()) -> None:
        """`most_open` bounds the partials of each arc; `told` are fingerprints of arcs that were told before."""
        self._finished: list[Told] = []
        self._machines = {one.name: Machine(_checked(one), most_open, self._finished) for one in patterns}
        self._routes: dict[str, _Route] = {}
        self._shortest = min((machine.seconds for machine in self._machines.values()), default=0.0)
        self._look_again = float("-inf")
        self._newest: Record | None = None
        self._fingerprints = dict.fromkeys(told)
        self._ranking = Ranking(len(self._machines))
        self._told_keys: dict[str, deque[tuple[str, ...]]] = {name: deque(maxlen=1024) for name in self._machines}

    def push(self, record: Record) -> list[Change]:
        changes: list[Change] = []
        self._newest = record
        if record.at > self._look_again:
            self._expire(record.at, changes)
        route = self._routes.get(record.kind)
        if route is None:
            route = self._routes[record.kind] = self._route(record.kind)
        keys = record.keys
        for key_of, ears in route:
            try:
                key = key_of(keys)
            except KeyError:
                continue
            for partials, begin, go_on in ears:
                state = partials.get(key)
                if state is not None:
                    go_on(key, state, record, changes)
                elif begin is not None:
                    begin(key, record, changes)
        return self._note(changes) if self._finished else changes

    def open(self, limit: int | None = None) -> list[Open]:
        """Arcs on their way, the furthest first."""
        found = []
        now = self._newest.at if self._newest is not None else 0.0
        for machine in self._machines.values():
            steps = machine.pattern.steps
            for key, state in machine.partials.items():
                partial, deadline = grown(state), state.at + machine.seconds
                if partial.told or deadline < now:
                    continue
                progress = (partial.step + min(1.0, partial.count / steps[partial.step].least)) / len(steps)
                parts = key if isinstance(key, tuple) else (key,)
                found.append(Open(machine.pattern, parts, tuple(partial.records), min(progress, 0.99), deadline))
        found.sort(key=lambda one: (-one.progress, -one.pattern.stakes, -one.records[-1].at, one.pattern.name, one.key))
        return found[:limit]

    def rank(self, count: int = 10, among: Iterable[Told] | None = None) -> list[Told]:
        """The arcs most worth telling; `among` narrows the choice to some of those that `push` reported."""
        return self._ranking.best(count, among)

    def why_not(self, arc: str, key: str | Sequence[str]) -> WhyNot:
        machine = self._machines.get(arc)
        if machine is None:
            raise BadInput(f"There is no arc {arc!r}.", f"There are: {', '.join(sorted(self._machines))}.")
        return why_not(machine, key, self._told_keys[arc], self._newest.at if self._newest is not None else 0.0)

    @property
    def told(self) -> tuple[str, ...]:
        """Fingerprints of everything told, to be given to the next sifter."""
        return tuple(self._fingerprints)

    def _note(self, changes: list[Change]) -> list[Change]:
        self._finished.clear()
        fresh = []
        for change in changes:
            told = change.told
            if told is not None:
                if told.fingerprint in self._fingerprints:
                    continue
                self._fingerprints[told.fingerprint] = None
                if len(self._fingerprints) > _FINGERPRINTS:
                    del self._fingerprints[next(iter(self._fingerprints))]
                self._told_keys[told.name].append(told.key)
                self._ranking.add(told)
            fresh.append(change)
        return fresh

    def _route(self, kind: str) -> _Route:
        by_key: dict[tuple[str, ...], list[Ear]] = {}
        for machine in self._machines.values():
            ear = machine.ear(kind)
            if ear is not None:
                by_key.setdefault(machine.pattern.key, []).append(ear)
        return [(itemgetter(*names), ears) for names, ears in by_key.items()]

    def _expire(self, now: float, changes: list[Change]) -> None:
        soonest = now + self._shortest
        for machine in self._machines.values():
            if machine.wheel.due < now:
                machine.expire(now, changes)
            soonest = min(soonest, machine.wheel.due)
        self._look_again = soonest


def _checked(pattern: Pattern) -> Pattern:
    if not pattern.steps or not pattern.key:
        raise BadInput(f"Arc {pattern.name!r} has no {'key' if pattern.steps else 'steps'}.", "Give it at least one.")
    return pattern
