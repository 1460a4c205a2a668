"""One pattern at work: at most one greedy partial for each key."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from .change import Change, Key, What
from .condition import Condition, Test
from .partial import Partial, State
from .pattern import Pattern
from .record import Record
from .told import Told
from .wheel import Wheel

REMEMBERED = 1024
"""How many ends of partials each arc remembers, so that `why_not` has an answer."""

Ear = tuple[
    dict[Key, State],
    Callable[[Key, Record, list[Change]], None] | None,
    Callable[[Key, State, Record, list[Change]], None],
]
"""For one kind of event: where to look for a partial, how to begin one, how to go on with one."""

# A Change for every step of every arc: made without the detour through its constructor.
_make: Any = tuple.__new__


class Machine:
    """`finished` is where completed arcs are announced, besides the changes."""

    def __init__(self, pattern: Pattern, limit: int, finished: list[Told]) -> None:
        self.pattern = pattern
        self._finished = finished
        self.seconds = float("inf") if pattern.seconds is None else pattern.seconds
        self.partials: dict[Key, State] = {}
        self.endings: deque[Change] = deque(maxlen=REMEMBERED)
        self.wheel = Wheel(self.seconds)
        self._steps = pattern.steps
        self._indexes = {step.name: index for index, step in enumerate(pattern.steps)}
        self._last = len(pattern.steps) - 1
        self._limit = limit

    def ear(self, kind: str) -> Ear | None:
        """What this pattern does with an event of one kind; None when it does nothing.

        Closures over everything that does not change, because this is what every event of a stream goes through.
        """
        steps, last_step, seconds, name = self._steps, self._last, self.seconds, self.pattern.name
        hits = (*(step.listens(kind) for step in steps), False)
        bans = [(ban.begin, ban.end, self._tests(ban.where)) for ban in self.pattern.bans if ban.listens(kind)]
        if not any(hits) and not bans:
            return None
        partials, add, grow, end = self.partials, self.wheel.add, self._grow, self._end
        tests = [self._tests(step.where) for step in steps]
        first, first_tests, limit = steps[0], tests[0], self._limit
        at_once = last_step == 0 and first.least == 1

        def begin(key: Key, record: Record, changes: list[Change]) -> None:
            if first_tests and not _all(first_tests, record, None):
                return
            partials[key] = record
            add(key, record.at)
            if at_once:
                self._complete(key, Partial(record), changes)
            else:
                changes.append(_make(Change, ("advanced", name, key, record, 1, None, "")))
            if len(partials) > limit:
                self._forget(changes)

        def go_on(key: Key, state: State, record: Record, changes: list[Change]) -> None:
            at = record.at
            if at - state.at > seconds:
                end(key, state, "expired", "", changes)
                if hits[0]:
                    begin(key, record, changes)
                return
            if isinstance(state, Partial):
                index, count, before = state.step, state.count, state.records[-1].at
            else:
                index, count, before = 0, 1, state.at
            for begins, ends, banned in bans:
                if begins <= index < ends and (not banned or _all(banned, record, state)):
                    end(key, state, "broken", record.id, changes)
                    if hits[0]:
                        begin(key, record, changes)
                    return
            current = steps[index]
            if hits[index + 1] and count >= current.least:
                following = steps[index + 1]
                if not following.after or at - before >= following.after:
                    if not following.where or _all(tests[index + 1], record, state):
                        partial = grow(key, state)
                        partial.step_forward(record)
                        self._progress(key, partial, changes)
                        return
                    grow(key, state).refused = (record, index + 1)
            if not hits[index]:
                return
            if current.most is None or count < current.most:
                if current.where and not _all(tests[index], record, state):
                    return
                partial = grow(key, state)
                if not current.distinct or partial.is_new(current.distinct, record):
                    partial.go_on(record)
                    if count < current.least or (index == last_step and not partial.told):
                        self._progress(key, partial, changes)
            elif index == 0 and (not first_tests or _all(first_tests, record, None)):
                # Still waiting for the second step: the tightest arc begins with the newest first event.
                partials[key] = record

        def gather(key: Key, state: State, record: Record, changes: list[Change]) -> None:
            """`go_on` for a kind that can only be one more of the first step: the usual case by far."""
            if record.at - state.at > seconds:
                end(key, state, "expired", "", changes)
                begin(key, record, changes)
            elif not isinstance(state, Partial):
                partial = partials[key] = Partial(state)
                partial.go_on(record)
                if first.least > 1:
                    self._progress(key, partial, changes)
            elif state.step == 0:
                count = state.count + 1
                state.go_on(record)
                if count < first.least:
                    changes.append(_make(Change, ("advanced", name, key, state, len(state.records), None, "")))
                elif count == first.least or (last_step == 0 and not state.told):
                    self._progress(key, state, changes)

        def roll(key: Key, state: State, record: Record, changes: list[Change]) -> None:
            """`go_on` for a kind that is first step and, after a pause, second step of two."""
            if record.at - state.at < steps[1].after:
                partials[key] = record
            else:
                go_on(key, state, record, changes)

        if hits == (True, True, False) and first.most == 1 and steps[1].after and not (bans or first.where):
            return partials, begin, roll
        plain = first.most is None and not first.where and not first.distinct and not any(hits[1:]) and not bans
        return partials, begin if hits[0] else None, gather if hits[0] and plain else go_on

    def expire(self, now: float, changes: list[Change]) -> None:
        """End what is past its deadline."""
        partials, earliest, name = self.partials, now - self.seconds, self.pattern.name
        endings = self.endings
        for keys in self.wheel.passed(now):
            for key in keys:
                state = partials.pop(key, None)
                if state is None:
                    continue
                if state.at >= earliest:  # begun again since
                    partials[key] = state
                    self.wheel.add(key, state.at)
                elif not isinstance(state, Partial):
                    ended = _make(Change, ("expired", name, key, state, 1, None, ""))
                    endings.append(ended)
                    changes.append(ended)
                else:
                    partials[key] = state
                    self._end(key, state, "expired", "", changes)

    def _forget(self, changes: list[Change]) -> None:
        """Too many at once: let the oldest eighth go, so that this is rare."""
        oldest = sorted(self.partials.items(), key=lambda item: item[1].at)[: max(1, self._limit // 8)]
        for key, state in oldest:
            self._end(key, state, "expired", "", changes)

    def _grow(self, key: Key, state: State) -> Partial:
        if isinstance(state, Partial):
            return state
        partial = self.partials[key] = Partial(state)
        return partial

    def _progress(self, key: Key, partial: Partial, changes: list[Change]) -> None:
        index = partial.step
        if index == self._last and partial.count >= self._steps[index].least and self._enough(partial):
            self._complete(key, partial, changes)
        else:
            changes.append(_make(Change, ("advanced", self.pattern.name, key, partial, len(partial.records), None, "")))

    def _complete(self, key: Key, partial: Partial, changes: list[Change]) -> None:
        told = Told(self.pattern, key if isinstance(key, tuple) else (key,), partial)
        self._finished.append(told)
        changes.append(_make(Change, ("completed", self.pattern.name, key, partial, len(partial.records), told, "")))
        partial.told = True
        if self._steps[-1].most is None:
            self.partials[key] = partial
            return
        record = partial.records[-1]
        if self._last and self._steps[0].listens(record.kind) and not self._steps[0].where:
            # The end of one telling may be the beginning of the next: it fell, rose, fell - and rises again.
            self.partials[key] = record
        else:
            del self.partials[key]

    def _end(self, key: Key, state: State, what: What, breaker: str, changes: list[Change]) -> None:
        del self.partials[key]
        size = 1
        if isinstance(state, Partial):
            if state.told:
                return
            size = len(state.records)
        ended = _make(Change, (what, self.pattern.name, key, state, size, None, breaker))
        self.endings.append(ended)
        changes.append(ended)

    def _enough(self, partial: Partial) -> bool:
        involves = self.pattern.involves
        return not involves or all(
            len({value for record in partial.records if (value := record.get(name)) is not None}) >= least
            for name, least in involves.items()
        )

    def _tests(self, where: tuple[Condition, ...]) -> tuple[Test, ...]:
        tests = []
        for condition in where:
            index = self._indexes.get(condition.refers_to, -1)
            tests.append(condition.bind(index, index >= 0 and self._steps[index].most == 1))
        return tuple(tests)


def _all(tests: tuple[Test, ...], record: Record, state: State | None) -> bool:
    for test in tests:  # noqa: SIM110 - a generator would cost more than the tests
        if not test(record, state):
            return False
    return True
