"""Seeds of articles: threads that more than one person put thought into."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec

from talekeeper.agents.companion.librarian import themes
from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.quotable import nameable
from talekeeper.agents.companion.scribe.summary import listed
from talekeeper.agents.companion.words import stem, stems

MOST_SEEDS = 3
FEWEST_LINES = 3
_THOUGHT = 40
_MOST_LINES = 12
_MOST_NAMES = 4


class BlogSeed(msgspec.Struct, frozen=True):
    topic: str
    description: str
    line_ids: tuple[str, ...]


def blog_seeds(lines: Sequence[ChatLine], theme: str = "") -> list[BlogSeed]:
    """The threads with most thought in them, those on the theme first; no line belongs to two."""
    thoughtful = [line for line in lines if len(line.text) >= _THOUGHT and not line.bot and not line.foreign]
    about: defaultdict[str, list[ChatLine]] = defaultdict(list)
    for line in thoughtful:
        for key in stems(line.text):
            about[key].append(line)
    wanted, used = stems(theme), set[str]()
    ranked = sorted(
        themes(thoughtful, 40),
        key=lambda t: (
            stem(t.word) not in wanted,
            -t.speakers * sum(len(line.text) for line in about[stem(t.word)]),
            t.word,
        ),
    )
    seeds = []
    for found in ranked:
        thread = [line for line in about[stem(found.word)] if line.id not in used][:_MOST_LINES]
        if len(thread) < FEWEST_LINES or len({line.name for line in thread}) < 2:
            continue
        used |= {line.id for line in thread}
        seeds.append(BlogSeed(found.word, _description(found.word, thread), tuple(line.id for line in thread)))
        if len(seeds) == MOST_SEEDS:
            break
    return seeds


def _description(word: str, thread: Sequence[ChatLine]) -> str:
    names = list(dict.fromkeys(line.speaker for line in thread if nameable(line.speaker)))
    shown = [*names[:_MOST_NAMES], *([f"{len(names) - _MOST_NAMES} more"] if len(names) > _MOST_NAMES else [])]
    beside = [theme.word for theme in themes(thread, 4) if theme.word != word][:2]
    also = f", with {listed(beside)} beside it" if beside else ""
    return f"{listed(shown) or 'Several people'} came back to {word} in {len(thread)} lines{also}."
