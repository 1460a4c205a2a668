"""What the companion has in its ear: the last lines of people, who has been here, what was flagged. Memory only."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable

import msgspec

from talekeeper.agents.companion.line import ChatLine
from talekeeper.loops.companion.hearing import Flagged

MOST_LINES = 2000
"""More than that within half an hour is no lull, however one counts."""
MOST_WEIGHED = 120
MOST_SHOWN = 300
MOST_IDS = 20_000
NEW_FOR = 30 * 60.0
_STRANGERS_AMONG = 5
"""Where fewer are known, everybody is new, and that says nothing."""


class Shown(msgspec.Struct):
    """A line as the console shows it."""

    line: ChatLine
    flag: Flagged | None = None


class Room:
    def __init__(self, silent: Iterable[str], known: Iterable[str] = ()) -> None:
        """`silent` names are not people; `known` ones have been here in earlier streams or before a restart."""
        self.people: deque[ChatLine] = deque(maxlen=MOST_LINES)
        self.shown: deque[Shown] = deque(maxlen=MOST_SHOWN)
        self.last_human_at: float | None = None
        self._silent = frozenset(silent)
        self._known = set(known)
        self._first: OrderedDict[str, float] = OrderedDict()
        self._ids: OrderedDict[str, None] = OrderedDict()

    def is_person(self, line: ChatLine) -> bool:
        return not (line.bot or line.foreign or line.name in self._silent)

    def has(self, message: str) -> bool:
        """It was heard before; transports tell some lines twice."""
        if not message:
            return False
        if message in self._ids:
            return True
        self._ids[message] = None
        if len(self._ids) > MOST_IDS:
            self._ids.popitem(last=False)
        return False

    def take(self, line: ChatLine, flag: Flagged | None) -> bool:
        """Whether somebody unknown has written."""
        self.shown.append(Shown(line, flag))
        if flag is not None or not self.is_person(line):
            return False
        self.people.append(line)
        self.last_human_at = max(line.at, self.last_human_at or line.at)
        if line.name in self._known:
            return False
        if len(self._known) >= _STRANGERS_AMONG:
            self._first[line.name] = line.at
        self._known.add(line.name)
        return True

    def latest(self) -> tuple[ChatLine, ...]:
        """What a decision is made on: where more was said in half an hour, it is no lull either way."""
        people = self.people
        return tuple(people[at] for at in range(max(0, len(people) - MOST_WEIGHED), len(people)))

    def newcomers(self, now: float) -> int:
        while self._first and now - next(iter(self._first.values())) > NEW_FOR:
            self._first.popitem(last=False)
        return len(self._first)

    def flag(self, flags: Iterable[Flagged]) -> None:
        """Lines that looked well until another completed them."""
        late = {flag.message: flag for flag in flags}
        if not late:
            return
        for shown in self.shown:
            shown.flag = late.get(shown.line.id, shown.flag)
        self._keep(line for line in self.people if line.id not in late)

    def remove(self, message: str = "", name: str = "") -> None:
        def gone(line: ChatLine) -> bool:
            return line.id == message if message else not name or line.name == name.lower()

        self._keep(line for line in self.people if not gone(line))
        self.shown = deque((one for one in self.shown if not gone(one.line)), maxlen=MOST_SHOWN)

    def _keep(self, lines: Iterable[ChatLine]) -> None:
        self.people = deque(list(lines), maxlen=MOST_LINES)
        # A flagged or removed line was no human activity; one that has left the memory cannot be newer than these.
        self.last_human_at = self.people[-1].at if self.people else None
