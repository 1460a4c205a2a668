"""Lines and veils in the prose itself: a sentence that has all the words of one crosses it.

A teller is told what the table means; this finds what was said. It knows words and not what they stand for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from talekeeper.agents.guard.runs import Span, sentence_spans, words

MOST_WORDS = 4
"""A boundary of more words is prose: no sentence would ever have them all."""

_APART = re.compile(r"[,;\n]|\bor\b|[.!?](?:\s|$)", re.IGNORECASE)
_SMALL = frozenset(
    """a an the no not never none nothing nobody any anything anybody some of to on in at by for from with without against
    about into and is are be being it its this that these those there please do don tell show describe mention talk
    story want wants see hear t s my me i we us our""".split()
)
_IRREGULAR = {
    "children": "child", "men": "man", "women": "woman", "mice": "mouse", "teeth": "tooth", "feet": "foot",
    "died": "die", "dying": "die", "dead": "die", "death": "die", "blood": "bleed", "bloody": "bleed",
}  # fmt: skip
_ENDINGS = (("ies", "y"), ("ied", "y"), ("ingly", ""), ("ings", ""), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_DOUBLED = re.compile(r"([b-df-hj-np-tv-z])\1$")
_SHORTEST = 3
_LONG = 5


class Boundaries:
    def __init__(self, wished: Iterable[str]) -> None:
        self._keys = tuple(dict.fromkeys(key for text in wished for key in _keys(text)))

    def __bool__(self) -> bool:
        return bool(self._keys)

    def crossings(self, text: str) -> list[Span]:
        """The sentences that cross one of them."""
        if not self._keys:
            return []
        return [span for span in sentence_spans(text) if self._crossed({*map(_stem, words(text[slice(*span)]))})]

    def _crossed(self, said: set[str]) -> bool:
        return any(key <= said for key in self._keys)


def _keys(text: str) -> Iterator[frozenset[str]]:
    for part in _APART.split(text):
        key = frozenset(_stem(word) for word in words(part) if word not in _SMALL)
        if 0 < len(key) <= MOST_WORDS:
            yield key


@lru_cache(20_000)
def _stem(word: str) -> str:
    """One form for spider and spiders, crawl and crawling."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = _DOUBLED.sub(r"\1", word[: -len(ending)]) + instead
            break
    return word[:-1] if len(word) >= _LONG and word[-1] in "ey" else word
