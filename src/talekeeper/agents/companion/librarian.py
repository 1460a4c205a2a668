"""The Librarian: which lines are worth keeping, and what a channel comes back to, stream after stream."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.words import stem, telling_words

LONG_ENOUGH = 50
MOST_THEMES = 5
_FEWEST_LINES = 3


class Theme(msgspec.Struct, frozen=True):
    word: str
    """As it was most often written."""
    lines: int
    speakers: int


class LongTheme(msgspec.Struct, frozen=True):
    theme: str
    sessions: int
    last: float


def worth_keeping(line: ChatLine, answered: bool) -> bool:
    """Long ones for what they say, short ones when they were part of an exchange. Flagged lines are not asked about."""
    if line.bot or line.foreign:
        return False
    return answered or len(" ".join(line.text.split())) > LONG_ENOUGH


def themes(lines: Iterable[ChatLine], most: int = MOST_THEMES) -> tuple[Theme, ...]:
    """What people talked about, the widest shared first: words that several lines, or several people, came back to."""
    told = [line for line in lines if not line.bot and not line.foreign]
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    speakers: defaultdict[str, set[str]] = defaultdict(set)
    said: Counter[str] = Counter()
    for line in told:
        for key, word in {stem(word): word for word in telling_words(line.text)}.items():
            written[key][word.casefold()] += 1
            speakers[key].add(line.name)
            said[key] += 1
    found = [
        Theme(min(written[key], key=lambda w: (-written[key][w], w)), count, len(speakers[key]))
        for key, count in said.items()
        if count >= _FEWEST_LINES and len(speakers[key]) > 1
    ]
    return tuple(sorted(found, key=lambda theme: (-theme.speakers, -theme.lines, theme.word))[:most])


def long_themes(sessions: Iterable[tuple[float, Sequence[str]]]) -> tuple[LongTheme, ...]:
    """The themes of many sessions (each with its start), those that came back most often first."""
    times: defaultdict[str, list[float]] = defaultdict(list)
    written: dict[str, str] = {}
    for started, named in sessions:
        for theme in dict.fromkeys(" ".join(name.split()) for name in named if name.strip()):
            times[theme.casefold()].append(started)
            written.setdefault(theme.casefold(), theme)
    found = (LongTheme(written[key], len(at), max(at)) for key, at in times.items())
    return tuple(sorted(found, key=lambda theme: (-theme.sessions, -theme.last, theme.theme)))
