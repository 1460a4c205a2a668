"""Which lines of a long chat are worth keeping in the ledger: many voices, things said at length, things on the theme."""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Iterable
from typing import Protocol, TypeVar

_WORD = re.compile(r"[^\W\d_]{3,}")
_ROOT = 5
_FULL_LENGTH = 30
_ON_THEME, _MOST_ON_THEME = 0.5, 3
_SAME_VOICE = 0.55


class Spoken(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def at(self) -> float: ...


S = TypeVar("S", bound=Spoken)


def choose_discussion(lines: Iterable[S], theme: str, limit: int = 12) -> list[S]:
    """The chosen ones in time order. The same words said again and commands to a bot are left out."""
    wanted = _roots(theme)
    voices: dict[str, list[tuple[float, float, int, S]]] = {}
    said: set[str] = set()
    for index, line in enumerate(lines):
        plain = " ".join(line.text.casefold().split())
        if plain and plain not in said and not plain.startswith("!"):
            said.add(plain)
            voices.setdefault(line.name, []).append((-_worth(line.text, wanted), line.at, index, line))
    for theirs in voices.values():
        heapq.heapify(theirs)
    queue = [(theirs[0][0], theirs[0][2], name, 1.0) for name, theirs in voices.items()]
    heapq.heapify(queue)
    chosen: list[tuple[float, int, S]] = []
    while queue and len(chosen) < limit:
        _, _, name, share = heapq.heappop(queue)
        _, at, index, line = heapq.heappop(voices[name])
        chosen.append((at, index, line))
        if theirs := voices[name]:
            share *= _SAME_VOICE
            heapq.heappush(queue, (theirs[0][0] * share, theirs[0][2], name, share))
    return [line for _, _, line in sorted(chosen, key=lambda one: one[:2])]


def _worth(text: str, wanted: frozenset[str]) -> float:
    roots = _roots(text)
    length = min(len(roots), _FULL_LENGTH) / _FULL_LENGTH
    return (0.05 + math.sqrt(length)) * (1 + _ON_THEME * min(len(roots & wanted), _MOST_ON_THEME))


def _roots(text: str) -> frozenset[str]:
    """Different words, told apart by how they begin: `lantern` and `lanterns` are one."""
    return frozenset(word[:_ROOT] for word in _WORD.findall(text.casefold()))
