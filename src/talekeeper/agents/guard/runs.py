"""Runs of words: finds where a text repeats another, whatever the case, the accents and the punctuation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

_WORD = re.compile(r"[^\W_]+")
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’)\]]*\s+|\n+")

Span = tuple[int, int]
Run = tuple[str, ...]


def words(text: str) -> list[str]:
    return [_plain(match[0]) for match in _WORD.finditer(text)]


def _plain(word: str) -> str:
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def runs(text: str, length: int) -> frozenset[Run]:
    """Every `length` words in a row."""
    found = words(text)
    return frozenset(tuple(found[n : n + length]) for n in range(len(found) - length + 1))


def repeats(text: str, forbidden: Iterable[frozenset[Run]]) -> list[Span]:
    """Where `text` has one of the runs, as stretches of whole sentences, in order and apart."""
    sets = [(len(next(iter(some))), some) for some in forbidden if some]
    if not sets:
        return []
    places = [(_plain(m[0]), m.start(), m.end()) for m in _WORD.finditer(text)]
    hits = [
        (places[n][1], places[n + length - 1][2])
        for length, some in sets
        for n in range(len(places) - length + 1)
        if tuple(word for word, _, _ in places[n : n + length]) in some
    ]
    return _merged(_to_sentences(text, hits)) if hits else []


def without(text: str, spans: Iterable[Span]) -> str:
    kept, at = [], 0
    for start, end in spans:
        kept.append(text[at:start])
        at = end
    return "".join([*kept, text[at:]]).strip()


def _to_sentences(text: str, hits: Iterable[Span]) -> Iterator[Span]:
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    for start, end in hits:
        yield max((e for e in ends if e <= start), default=0), min((e for e in ends if e >= end), default=len(text))


def _merged(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
