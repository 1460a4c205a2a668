"""Summaries of the talk with their times: who spoke, about what, in whose words, between which silences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from talekeeper.agents.companion.librarian import themes
from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.quotable import nameable, quotable
from talekeeper.agents.companion.words import stem, stems, telling_words

GAP = 600.0
LONGEST = 1_800.0
_FEWEST_LINES = 2
_MOST_NAMES = 4


class Deed(msgspec.Struct, frozen=True):
    """What the companion did, and when."""

    at: float
    mode: str
    text: str


class SummaryPart(msgspec.Struct, frozen=True):
    start: float
    end: float
    text: str


def summarise(lines: Sequence[ChatLine], actions: Iterable[Deed] = ()) -> list[SummaryPart]:
    """One part for each stretch of talk, cut where it paused for long."""
    deeds = list(actions)
    said = [line for line in lines if not line.bot and not line.foreign]
    return [_part(stretch, deeds) for stretch in _stretches(said) if len(stretch) >= _FEWEST_LINES]


def listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def _stretches(lines: Iterable[ChatLine]) -> Iterator[list[ChatLine]]:
    stretch: list[ChatLine] = []
    for line in lines:
        if stretch and (line.at - stretch[-1].at > GAP or line.at - stretch[0].at > LONGEST):
            yield stretch
            stretch = []
        stretch.append(line)
    if stretch:
        yield stretch


def _part(stretch: Sequence[ChatLine], deeds: Iterable[Deed]) -> SummaryPart:
    start, end = stretch[0].at, stretch[-1].at
    spoke = sum(start <= deed.at <= end + GAP for deed in deeds)
    own = f" The companion acted {'once' if spoke == 1 else f'{spoke} times'}." if spoke else ""
    return SummaryPart(start, end, f"{_who(stretch)}{_about(stretch)}.{_quote(stretch)}{own}")


def _who(stretch: Sequence[ChatLine]) -> str:
    counts = Counter(line.speaker for line in stretch)
    names = [name for name, _ in counts.most_common(_MOST_NAMES)]
    rest = len(counts) - len(names)
    return listed([*names, f"{rest} more"]) if rest else listed(names)


def _about(stretch: Sequence[ChatLine]) -> str:
    shared = [theme.word for theme in themes(stretch, 3)]
    if not shared:
        counts = Counter(stem(word) for line in stretch for word in telling_words(line.text))
        often = {key for key, count in counts.items() if count > 1}
        words = {stem(word): word.casefold() for line in stretch for word in telling_words(line.text)}
        shared = [words[key] for key, _ in counts.most_common() if key in often][:3]
    if shared:
        return f" on {listed(shared)}"
    alone = len({line.name for line in stretch}) == 1
    return f" {'wrote' if alone else 'exchanged'} {len(stretch)} lines"


def _quote(stretch: Sequence[ChatLine]) -> str:
    """The fullest line that may be repeated, so that the summary has a voice in it."""
    # The fullest first: whether a line may be repeated takes far longer to say than how full it is.
    full = sorted((line for line in stretch if len(stems(line.text)) > 2), key=lambda line: -len(stems(line.text)))
    best = next((line for line in full if quotable(line.text) and nameable(line.speaker)), None)
    return f" {best.speaker}: “{quotable(best.text)}”" if best else ""
