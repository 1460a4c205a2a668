"""Runs of words: finds where a text repeats another, whatever the case, the accents and the punctuation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

_WORD = re.compile(r"[^\W_]+")
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’)\]]*\s+|\n+")

Span = tuple[int, int]


def words(text: str) -> list[str]:
    return _WORD.findall(_plain(text))


def _plain(text: str) -> str:
    text = text.casefold()
    if text.isascii():
        return text
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def runs(text: str, length: int) -> frozenset[str]:
    """Every `length` words in a row."""
    return runs_of(words(text), length)


def runs_of(found: list[str], length: int) -> frozenset[str]:
    return frozenset(" ".join(found[n : n + length]) for n in range(len(found) - length + 1))


def flat(found: Iterable[str]) -> str:
    """A text in which a run can be looked for as it is."""
    return f" {' '.join(found)} "


def holds(flat_text: str, run: str) -> bool:
    return f" {run} " in flat_text


def sentences_with(text: str, some: Collection[str]) -> list[Span]:
    """The sentences of `text` that have part in one of these runs, in order and apart."""
    lengths = {run.count(" ") + 1 for run in some}
    places = [(_plain(match[0]), match.start(), match.end()) for match in _WORD.finditer(text)]
    hits = [
        (places[n][1], places[n + length - 1][2])
        for length in lengths
        for n in range(len(places) - length + 1)
        if " ".join(word for word, _, _ in places[n : n + length]) in some
    ]
    # A letter that falls apart in its plain form may hide the place: then no sentence is safe.
    return _merged(_to_sentences(text, hits)) if hits else [(0, len(text))]


def sentence_spans(text: str) -> list[Span]:
    """The sentences of a text, end to end, each with the space after it."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    bounds = [0, *ends] if ends and ends[-1] == len(text) else [0, *ends, len(text)]
    return list(pairwise(bounds))


def last_sentence_end(text: str) -> int:
    return max((match.end() for match in _SENTENCE_END.finditer(text)), default=0)


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
