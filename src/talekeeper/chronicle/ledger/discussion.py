"""Which lines of a long chat are worth keeping in the ledger: many voices, things said at length, things on the theme."""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Iterable
from typing import Protocol, TypeAlias, TypeVar

_WORD = re.compile(r"[^\W\d_]{3,}")
_ROOT = 5
_FULL_LENGTH = 30
_ON_THEME, _MOST_ON_THEME = 0.5, 3
_SAME_VOICE = 0.55
_SAYS_SOMETHING = 3
_HARDLY_ANYTHING = 5


class Spoken(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def at(self) -> float: ...


S = TypeVar("S", bound=Spoken)
_Weighed: TypeAlias = tuple[float, int, S]
"""What it is worth (less than nothing, so that the best sorts first), its place, the line."""


def choose_discussion(lines: Iterable[S], theme: str, limit: int = 12) -> list[S]:
    """The chosen ones in time order. The same words said again and commands to a bot are left out; so are one or two
    words, unless hardly anything else was said."""
    wanted = _roots(theme)
    told: list[_Weighed[S]] = []
    brief: list[_Weighed[S]] = []
    said: set[str] = set()
    for index, line in enumerate(lines):
        parts = line.text.casefold().split()
        plain = " ".join(parts)
        if plain and plain not in said and not plain.startswith("!"):
            said.add(plain)
            roots = _roots(plain if "://" not in plain else " ".join(part for part in parts if "://" not in part))
            weighed = (-_worth(roots, wanted), index, line)
            (told if len(roots) >= _SAYS_SOMETHING or roots & wanted else brief).append(weighed)
    chosen = _many_voices(told, limit)
    if len(chosen) < _HARDLY_ANYTHING:
        chosen += _many_voices(brief, min(limit, _HARDLY_ANYTHING) - len(chosen))
    return [one[2] for one in sorted(chosen, key=lambda one: (one[2].at, one[1]))]


def _many_voices(weighed: Iterable[_Weighed[S]], limit: int) -> list[_Weighed[S]]:
    """The best first, but each further line of one voice counts less."""
    voices: dict[str, list[_Weighed[S]]] = {}
    for one in weighed:
        voices.setdefault(one[2].name, []).append(one)
    for theirs in voices.values():
        theirs.sort(key=lambda one: one[:2], reverse=True)
    queue = [(theirs[-1][0], theirs[-1][1], name, 1.0) for name, theirs in voices.items()]
    heapq.heapify(queue)
    chosen: list[_Weighed[S]] = []
    while queue and len(chosen) < limit:
        _, _, name, share = heapq.heappop(queue)
        theirs = voices[name]
        chosen.append(theirs.pop())
        if theirs:
            share *= _SAME_VOICE
            heapq.heappush(queue, (theirs[-1][0] * share, theirs[-1][1], name, share))
    return chosen


def _worth(roots: frozenset[str], wanted: frozenset[str]) -> float:
    length = min(len(roots), _FULL_LENGTH) / _FULL_LENGTH
    return (0.05 + math.sqrt(length)) * (1 + _ON_THEME * min(len(roots & wanted), _MOST_ON_THEME))


def _roots(text: str) -> frozenset[str]:
    """Different words, told apart by how they begin: `lantern` and `lanterns` are one."""
    return frozenset(word[:_ROOT] for word in _WORD.findall(text.casefold()))
