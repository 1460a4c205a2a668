"""Cuts a line into clauses and finds the verb each begins with. The first deed a player names is the one tried."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from talekeeper.agents.resolver.lexicon import BY_FIRST, Phrase
from talekeeper.agents.resolver.words import Line, Word, one_typo

_STOPS = frozenset(".;!?\n,:—–…")
_SENTENCE_END = re.compile(r"[.!?;\n]")
_JOINING = frozenset(("and", "then", "but", "before", "after", "while", "because", "so", "until", "or"))
_ALWAYS_CUT = frozenset(("then", "because", "while"))
_LEAD = frozenset(
    "i i'll i'm i've i'd im ill we we'll let's us will would to please now then just also so well gonna am decided"
    " intend must should shall might myself again next first finally instead maybe perhaps been still simply ahead and"
    " carefully slowly".split()
)
_LEAD_BEFORE_TO = frozenset(
    "want need try trying tried like attempt attempting begin began start started continue hope have had dare choose"
    " manage decide decided going proceed go let".split()
)
_HANDLED = frozenset(("it", "him", "her", "them", "the", "my", "a"))
_PARTICLES = frozenset(("up", "in", "down", "open", "into", "on", "off", "out", "over"))
_LONGEST_LEAD = 12
_LONG_VERB = 6
_LONG_VERBS: dict[str, list[str]] = {}
for _known in BY_FIRST:
    if len(_known) >= _LONG_VERB:
        _LONG_VERBS.setdefault(_known[0], []).append(_known)


class Clause(NamedTuple):
    low: int
    high: int
    question: bool
    quoted: bool


class Start(NamedTuple):
    """A phrase and the word after it; `end` is where its objects stop when its particle closes the clause."""

    phrase: Phrase
    after: int
    end: int


def clauses(line: Line) -> list[Clause]:
    quoted = _quoted(line)
    cuts: list[tuple[int, int]] = []
    low = 0
    for index, word in enumerate(line.words):
        if index and (quoted[index] != quoted[index - 1] or not _STOPS.isdisjoint(line.gap(index))):
            cuts.append((low, index))
            low = index
        if word.text in _JOINING and index > low and _cuts_here(line, index):
            cuts.append((low, index))
            low = index + 1
    cuts.append((low, len(line.words)))
    return [Clause(a, b, _asked(line, b), quoted[a]) for a, b in cuts if a < b]


def _asked(line: Line, high: int) -> bool:
    """Whether the sentence that goes on after word `high` ends in a question mark."""
    end = _SENTENCE_END.search(line.text, line.words[high - 1].end)
    return end is not None and end[0] == "?"


def _cuts_here(line: Line, index: int) -> bool:
    if line.words[index].text in _ALWAYS_CUT:
        return True
    start = skip_lead(line, index + 1, len(line.words))
    if start > index + 1 and line.words[index + 1].text in ("i", "i'll", "i'm", "we"):
        return True
    handled = start + 1 < len(line.words) and line.words[start + 1].text in _HANDLED
    return any(handled or not found.phrase.need for found in starts(line, start, len(line.words)))


def _quoted(line: Line) -> list[bool]:
    inside, flags = False, []
    for index in range(len(line.words)):
        if line.gap(index).count('"') % 2:
            inside = not inside
        flags.append(inside)
    return flags


def skip_lead(line: Line, low: int, high: int, own_name: frozenset[str] = frozenset()) -> int:
    """Past "I", "I want to", "carefully", the actor's own name, and the like."""
    index = low
    while index < min(high, low + _LONGEST_LEAD) and _leads(
        line, index, high, own_name if index == low else frozenset()
    ):
        index += 1
    return index


def _leads(line: Line, index: int, high: int, own_name: frozenset[str]) -> bool:
    word = line.words[index].text
    following = line.words[index + 1].text if index + 1 < high else ""
    if word in _LEAD_BEFORE_TO:
        if word in ("go", "going", "proceed", "continue") and following not in ("and", "ahead"):
            # "Go talk to her" leads to a deed, "go to the market" is one.
            after = index + 2 if following == "to" else index + 1
            return any(not start.phrase.need for start in starts(line, after, high))
        return following in ("to", "and", "ahead", "by", "me", "us")
    if word in ("can", "could", "may", "should", "do", "did"):
        return following in ("i", "we")
    if word == "you":
        return following in BY_FIRST
    if word.endswith("ly") and len(word) > 4:
        return word not in BY_FIRST
    return word in _LEAD or word in own_name


def starts(line: Line, index: int, high: int) -> Iterator[Start]:
    """Every phrase that could begin here, the likeliest first."""
    if index >= high:
        return
    words = line.words
    first = words[index].text
    found = BY_FIRST.get(first)
    if found is None:
        corrected = _mistyped(first)
        if corrected is None:
            return
        found = BY_FIRST[corrected]
    short = []
    for phrase in found:
        size = len(phrase.words)
        if size == 1:
            short.append(Start(phrase, index + 1, high))
        elif _follows(words, index, high, phrase):
            yield Start(phrase, index + size, high)
        elif size == 2 and phrase.words[1] in _PARTICLES:
            apart = _apart(words, index, high, phrase.words[1])
            if apart is not None:
                yield Start(phrase, index + 1, apart)
    yield from short


def _follows(words: tuple[Word, ...], index: int, high: int, phrase: Phrase) -> bool:
    rest = phrase.words[1:]
    return index + len(rest) < high and all(words[index + 1 + n].text == word for n, word in enumerate(rest))


def _apart(words: tuple[Word, ...], index: int, high: int, particle: str) -> int | None:
    """Where the particle stands in "pick the lantern up" or "talk Mara into"."""
    if particle == "into":
        return next((n for n in range(index + 2, min(high, index + 6)) if words[n].text == particle), None)
    return high - 1 if high - index > 2 and words[high - 1].text == particle else None


@lru_cache(1024)
def _mistyped(word: str) -> str | None:
    # Another letter in place of one would turn "stroke" into "strike": only slips of the fingers count for verbs.
    if len(word) < _LONG_VERB:
        return None
    return next((known for known in _LONG_VERBS.get(word[0], ()) if one_typo(word, known, swapped_letter=False)), None)
