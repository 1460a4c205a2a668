"""Moments worth a clip: bursts of many people at once, measured against the channel's own level."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import median

import msgspec

from talekeeper.agents.companion.line import ChatLine

BIN = 10.0
LEAD = 25.0
"""A clip starts this long before its peak: people write after they have seen."""
TAIL = 15.0
APART = 120.0
MOST_AN_HOUR = 4
FEWEST_SPEAKERS = 5
STEEPNESS = 5.0
_SPREAD = 1.4826
"""Makes the median deviation comparable with a standard deviation."""
_KINDS = {
    "laughter": re.compile(r"\b(?:l+o+l+|lm+f?ao+|lul\w*|kek\w*|omega\w*|rofl|(?:ha|he|xd){2,}\w*|xd+)\b", re.IGNORECASE),
    "surprise": re.compile(r"\b(?:wo+w|omg|wtf|what|wut|holy|jeez|pog\w*|no way|monka\w*|o+h+)\b|\?{2,}", re.IGNORECASE),
    "applause": re.compile(r"\b(?:gg+|wp|clap\w*|nice|let'?s go+|yes+|well played|ez\w*|hype\w*)\b", re.IGNORECASE),
}  # fmt: skip


class ClipCandidate(msgspec.Struct, frozen=True):
    start: float
    peak: float
    end: float
    reason: str
    speakers: int
    score: float
    """How many usual deviations above the channel's level."""


def find(lines: Iterable[ChatLine]) -> list[ClipCandidate]:
    """The steepest bursts, a few an hour at most, in time order."""
    bins: defaultdict[int, list[ChatLine]] = defaultdict(list)
    for line in lines:
        if not line.bot and not line.foreign:
            bins[int(line.at // BIN)].append(line)
    if not bins:
        return []
    speakers = {number: len({line.name for line in said}) for number, said in bins.items()}
    usual, spread = _level(speakers, max(bins) - min(bins) + 1)
    bursts = [
        (round((count - usual) / spread, 2), number)
        for number, count in speakers.items()
        if count >= FEWEST_SPEAKERS and (count - usual) / spread >= STEEPNESS
    ]
    return [_candidate(number, score, bins, speakers, usual) for number, score in sorted(_spaced(bursts), key=_when)]


def _level(speakers: dict[int, int], all_bins: int) -> tuple[float, float]:
    """The usual number of speakers in ten seconds, silent ones included, and how far it usually strays."""
    counts = [*speakers.values(), *([0] * (all_bins - len(speakers)))] if all_bins < 100_000 else [*speakers.values()]
    usual = median(counts)
    return usual, max(1.0, _SPREAD * median(abs(count - usual) for count in counts))


def _spaced(bursts: Sequence[tuple[float, int]]) -> list[tuple[int, float]]:
    """The steepest first, none close to another, and only so many in any hour."""
    chosen: list[tuple[int, float]] = []
    for score, number in sorted(bursts, key=lambda burst: (-burst[0], burst[1])):
        near = [abs(number - other) * BIN for other, _ in chosen]
        if all(gap >= APART for gap in near) and sum(gap < 3600 for gap in near) < MOST_AN_HOUR:
            chosen.append((number, score))
    return chosen


def _when(burst: tuple[int, float]) -> int:
    return burst[0]


def _candidate(
    number: int, score: float, bins: dict[int, list[ChatLine]], speakers: dict[int, int], usual: float
) -> ClipCandidate:
    peak, last = number * BIN, number
    while speakers.get(last + 1, 0) > max(usual, speakers[number] / 2) and last - number < 5:
        last += 1
    kinds = Counter(kind for line in bins[number] for kind, pattern in _KINDS.items() if pattern.search(line.text))
    kind, times = next(iter(kinds.most_common(1)), ("", 0))
    what = f"A burst of {kind}" if times * 3 >= len(bins[number]) else "A burst of talk"
    reason = f"{what}: {speakers[number]} people in ten seconds, where {usual:.0f} is usual."
    return ClipCandidate(peak - LEAD, peak, (last + 1) * BIN + TAIL, reason, speakers[number], score)
