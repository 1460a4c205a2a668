"""A player's text as words: cleaned of what cannot be read, folded for comparing, with their place in the text kept."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

LONGEST_READ = 2000
MOST_WORDS = 200
"""Nobody says what they do in more words than this; the rest is left to the teller."""

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_QUOTES = str.maketrans("’‘`´“”„«»‹›「」『』", '\'\'\'\'"""""\'\'""""')
_PLAIN = re.compile(r"[a-z0-9']*\Z")


class Word(NamedTuple):
    text: str
    stem: str
    owner: bool
    """Said with 's: Mara's."""
    start: int
    end: int


class Line(NamedTuple):
    text: str
    words: tuple[Word, ...]

    def said(self, low: int, high: int) -> str:
        """The player's own words from word `low` up to `high`."""
        if low >= high:
            return ""
        return " ".join(self.text[self.words[low].start : self.words[high - 1].end].split())[:120]

    def gap(self, index: int) -> str:
        """What stands between a word and the one before it."""
        begin = self.words[index - 1].end if index else 0
        end = self.words[index].start if index < len(self.words) else len(self.text)
        return self.text[begin:end]


def read_line(text: str) -> Line:
    cleaned = clean(text)
    return Line(cleaned, tuple(_words(cleaned)))


def clean(text: str) -> str:
    """Normal form without control and formatting characters, lone surrogates included."""
    plain = unicodedata.normalize("NFKC", text[:LONGEST_READ])[:LONGEST_READ].translate(_QUOTES)
    if plain.isascii() and plain.isprintable():
        return plain
    return "".join(_readable(char) for char in plain)


def _readable(char: str) -> str:
    match unicodedata.category(char):
        case "Cf" | "Cs" | "Mn":
            return char if unicodedata.category(char) == "Mn" else ""
        case "Cc" | "Zl" | "Zp":
            return "\n" if char in "\n\r\u2028\u2029" else " "
        case _:
            return char


def _words(text: str) -> list[Word]:
    found = []
    for match in islice(_WORD.finditer(text), MOST_WORDS):
        folded = fold(match[0])
        owner = folded.endswith("'s") and folded not in _NOT_OWNERS
        if owner:
            folded = folded[:-2]
        found.append(Word(folded, stem(folded), owner, match.start(), match.end()))
    return found


_NOT_OWNERS = {"it's", "what's", "who's", "where's", "let's", "that's", "there's", "how's", "here's", "he's", "she's"}


@lru_cache(4096)
def fold(word: str) -> str:
    lowered = word.casefold()
    if _PLAIN.match(lowered):
        return lowered
    return "".join(char for char in unicodedata.normalize("NFKD", lowered) if unicodedata.category(char) != "Mn")


@lru_cache(8192)
def stem(word: str) -> str:
    """Singular and plural alike: enough to know lamps for a lamp."""
    if len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses")):
        return word[:-2]
    return word[:-1]


@lru_cache(4096)
def stems(name: str) -> tuple[str, ...]:
    """The words of a name, ready to compare."""
    return tuple(word.stem for word in read_line(name).words)


def one_typo(word: str, name: str, *, swapped_letter: bool = True) -> bool:
    """One letter missing, too many, exchanged with its neighbour, or (if `swapped_letter`) another."""
    short, long = (word, name) if len(word) <= len(name) else (name, word)
    if len(long) - len(short) > 1 or word == name:
        return False
    same = 0
    while same < len(short) and short[same] == long[same]:
        same += 1
    if len(short) < len(long):
        return short[same:] == long[same + 1 :]
    if swapped_letter and short[same + 1 :] == long[same + 1 :]:
        return True
    return short[same : same + 2] == long[same : same + 2][::-1] and short[same + 2 :] == long[same + 2 :]
