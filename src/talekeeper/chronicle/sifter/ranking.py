"""Which arcs are worth telling first: the rare before the usual, high stakes before low, nothing twice."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable

from .told import Told

KEPT = 1024

_SEVERITY = {"critical": 1.0, "high": 0.6, "major": 0.6, "urgent": 0.8, "page": 0.8, "error": 0.2}
_FIRST_TIME = 2.0
_LOOK_AHEAD = 200
_SAME_ARC_AGAIN = 1.5
_SAME_AGENT_AGAIN = 0.75


class Ranking:
    """Learns from every arc told; keeps the best of them."""

    def __init__(self, patterns: int) -> None:
        self._patterns = patterns
        self._names: dict[str, int] = {}
        self._make_ups: dict[tuple[str, int, int, int], int] = {}
        """How often an arc of this name had this many agents, this many events, and took this long."""
        self._met: set[tuple[str, str]] = set()
        self._best: list[tuple[float, int, Told]] = []
        self._total = 0

    def add(self, told: Told) -> None:
        name, agents = told.name, told.agents
        make_up = (name, min(len(agents), 6), told.length.bit_length(), int(told.end - told.begin).bit_length() // 3)
        seen, alike = self._names.get(name, 0), self._make_ups.get(make_up, 0)
        surprise = math.log2((self._total + self._patterns) / (seen + 1))
        rarity = math.log2((seen + 4) / (alike + 1)) / 2
        told.score = score = (
            surprise + rarity + told.pattern.stakes * (1.0 + _severity(told)) + self._meet(name, agents)
        )
        self._total += 1
        self._names[name] = seen + 1
        self._make_ups[make_up] = alike + 1
        if len(self._best) < KEPT:
            heapq.heappush(self._best, (score, -self._total, told))
        elif score > self._best[0][0]:
            heapq.heapreplace(self._best, (score, -self._total, told))

    def best(self, count: int, among: Iterable[Told] | None = None) -> list[Told]:
        """The highest first. Each further arc of the same name or agent counts for less; a part of a greater arc is left out."""
        pool = _greatest(list(among) if among is not None else [told for _, _, told in self._best])
        pool.sort(key=lambda told: (-told.score, told.begin, told.fingerprint))
        chosen: list[Told] = []
        names: Counter[str] = Counter()
        agents: Counter[str] = Counter()

        def worth(index: int) -> float:
            told = pool[index]
            known = max((agents[agent] for agent in told.agents), default=0)
            return told.score - _SAME_ARC_AGAIN * names[told.name] - _SAME_AGENT_AGAIN * known

        while pool and len(chosen) < count:
            told = pool.pop(max(range(min(len(pool), _LOOK_AHEAD)), key=worth))
            chosen.append(told)
            names[told.name] += 1
            agents.update(told.agents)
        return chosen

    def _meet(self, name: str, agents: list[str]) -> float:
        """The bonus for an arc that one of its agents was never in before."""
        met, bonus = self._met, 0.0
        for agent in agents:
            if (name, agent) not in met:
                met.add((name, agent))
                bonus = _FIRST_TIME
        if len(met) > 64 * KEPT:
            met.clear()
        return bonus


def _greatest(pool: list[Told]) -> list[Told]:
    """Without those whose every event is in another arc of no smaller stakes."""
    ids = [frozenset(told.ids) for told in pool]
    holding: dict[str, list[int]] = {}
    for index, told in enumerate(pool):
        for one in told.ids:
            holding.setdefault(one, []).append(index)

    def covered(index: int) -> bool:
        own = ids[index]
        return any(
            own <= ids[other]
            and pool[index].pattern.stakes <= pool[other].pattern.stakes
            and (len(own) < len(ids[other]) or _place(pool[index]) < _place(pool[other]))
            for other in holding[pool[index].ids[0]]
            if other != index
        )

    return [told for index, told in enumerate(pool) if not covered(index)]


def _place(told: Told) -> tuple[float, str]:
    return told.pattern.stakes, told.fingerprint


def _severity(told: Told) -> float:
    """How bad the first or the last event says it is."""
    records = told.records
    worst = 0.0
    for record in (records[0], records[-1]):
        word = record.fields.get("severity")
        if word is not None:
            worst = max(worst, _SEVERITY.get(str(word).lower(), 0.0))
    return worst
