"""Chooses lines: by the seed, fitting the moment, and never one that was told before along this path."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from talekeeper.agents.storyteller.naming import sentence_case
from talekeeper.presets.line import Line, line_id, read_lines
from talekeeper.presets.preset import Words

_SLOT = re.compile(r"\{(\w+)\}")
_STARTS = re.compile(r"(?:\A|[.!?]\s+)[\"']?\Z")
TELLING_SLOTS = frozenset({"target", "thing", "topic", "deed", "from", "other", "cost", "blocked"})
"""Slots that tie a line to this very action; a line that has one says more than a line that has none."""


class Picker:
    def __init__(
        self, seed: int, used: frozenset[str], here: frozenset[str], conditions: tuple[frozenset[str], ...]
    ) -> None:
        """`here` are the tags that hold now; `conditions` the dayparts and the weathers there can be."""
        self.rng = random.Random(seed)
        self._used = set(used)
        self._here = here
        self._conditions = conditions
        self.taken: list[str] = []

    def is_used(self, line: Line) -> bool:
        return line.id in self._used

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def fresh(self, words: Words, slots: Mapping[str, str]) -> list[Line]:
        return [
            line
            for line in read_lines(words)
            if line.id not in self._used and self._fits(line) and all(slots.get(slot) for slot in line.slots)
        ]

    def pick(self, words: Words, slots: Mapping[str, str], *, tag: str = "") -> str:
        """A line not yet told, rendered; empty when there is none. With `tag`, only lines that carry it."""
        lines = self.fresh(words, slots)
        if tag:
            lines = [line for line in lines if tag in line.tags]
        if not lines:
            return ""
        best = max(map(self._weight, lines))
        # Mostly the line that says most about this moment, so that the plain ones are left for plain moments.
        if best and self.chance(0.8):
            lines = [line for line in lines if self._weight(line) == best]
        line = self.rng.choice(lines)
        self._take(line.id)
        return render(line.text, slots)

    def pick_first(self, pools: Iterable[Words], slots: Mapping[str, str]) -> str:
        for words in pools:
            if text := self.pick(words, slots):
                return text
        return ""

    def compose(self, parts: Sequence[Sequence[str]], join: Callable[[tuple[str, ...]], str], tries: int = 24) -> str:
        """One sentence out of parts, another each time; empty when chance finds no new one."""
        if not all(parts):
            return ""
        for _ in range(tries):
            if text := self.once(join(tuple(self.rng.choice(part) for part in parts))):
                return text
        return ""

    def once(self, text: str) -> str:
        """The text, unless these very words were told before."""
        text = sentence_case(text)
        if not text or line_id(text) in self._used:
            return ""
        self._take(line_id(text))
        return text

    def _take(self, id_: str) -> None:
        self._used.add(id_)
        self.taken.append(id_)

    def _fits(self, line: Line) -> bool:
        """One of the dayparts named, one of the weathers named, every entity named, and none that is named with `!`."""
        for tag in line.tags:
            if tag[1:] in self._here if tag[0] == "!" else "/" in tag and tag not in self._here:
                return False
        for kind in self._conditions:
            named = kind.intersection(line.tags)
            if named and not named & self._here:
                return False
        return True

    def _weight(self, line: Line) -> int:
        tied = sum(slot in TELLING_SLOTS for slot in line.slots)
        return tied + sum(tag in self._here for tag in line.tags)


def render(text: str, slots: Mapping[str, str]) -> str:
    def filled(match: re.Match[str]) -> str:
        value = slots.get(match[1], "")
        return sentence_case(value) if _STARTS.search(text, 0, match.start()) else value

    return _SLOT.sub(filled, text)
