"""Words that carry meaning: what a line or a theme is about, rough enough to compare two of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_WORD = re.compile(r"(?<![\w'’])[^\W\d_]+(?:['’][^\W\d_]+)*(?!\w)")
_EMOTE = re.compile(r"[a-z]+[A-Z]\w*|LUL|KEKW\w*|Pog\w*")
_ADDRESS = re.compile(r"https?://\S+|www\.\S+|[@!]\w+")
_ENDINGS = ("ingly", "edly", "ings", "ing", "ness", "ies", "ied", "ed", "es", "ly", "s")
_SHORTEST = 3
_LONGEST = 24
_STEM = 4

PLAIN = frozenset(
    """
    a about above after again against all almost along already also although always am an and another any anybody anyone
    anything are aren't around as at away back bad be because been before behind being below best better between big both
    but by call came can can't cannot come comes could couldn't day did didn't do does doesn't doing don't done down each
    either else end enough even ever every everybody everyone everything exactly far feel felt few find first for found
    from gave get gets getting give given gives go goes going gone gonna good got gotta great guess guy guys had hadn't
    happen has hasn't have haven't having he he's hear heard hello her here here's hers hey hi him himself his how how's
    however i i'd i'll i'm i've idk if ill im in into is isn't it it's its itself just keep kind knew know known last later
    least left less let let's lets like likely little lol long look looking looks lot lots made make makes making man many
    may maybe me mean means might mine more most much must my myself near need needs never new next nice no nobody none
    nor not nothing now of off often oh ok okay old on once one ones only or other others our ours out over own part people
    perhaps please pretty probably put quite rather real really right said same saw say says see seem seems seen set shall
    she she's should shouldn't show since so some somebody somehow someone something sometimes somewhere soon sorry still
    stream streamer streaming streams stuff such sure take taken takes talk tell than thank thanks that that's the their
    theirs them themselves then there there's these they they're they've thing things think this those though thought
    through thus till time times to today together told tomorrow tonight too took toward towards tried try trying turn two
    under until up upon us use used very via wait wanna want wanted wants was wasn't watch watching way we we'd we'll
    we're we've week welcome well went were weren't what what's when where where's whether which while who who's whole
    whom whose why will with within without won't wonder work would wouldn't yeah year years yep yes yesterday yet yo you
    you'd you'll you're you've your yours yourself chat channel twitch game games gaming play played player players
    playing plays live haha lmao lmfao wow omg tbh imo ngl gg follow follows followed follower followers following
    subscribed subscriber prime tier sub subs raid host viewer viewers lul
    """.split()
)  # fmt: skip
"""Words so common in talk or on a stream that sharing one says nothing."""


@lru_cache(20_000)
def stem(word: str) -> str:
    """One form for `wander`, `wanders` and `wandering`; no more than that."""
    word = word.casefold().replace("’", "'").split("'")[0]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > _STEM and word[-1] in "ey" else word


def telling_words(text: str) -> list[str]:
    """The words of a text that say what it is about, in order, as they were written."""
    found = _WORD.findall(_ADDRESS.sub(" ", text))
    return [
        word
        for word in found
        if _SHORTEST <= len(word) <= _LONGEST
        and word.casefold().replace("’", "'") not in PLAIN
        and not _EMOTE.fullmatch(word)
    ]


@lru_cache(4_000)
def stems(text: str) -> frozenset[str]:
    """Kept for a while: a theme is asked for with every line, and a line with every look."""
    return frozenset(map(stem, telling_words(text)))


def stems_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*map(stems, texts))


def on_theme(text: str, theme: str) -> bool:
    """Whether they share a word that means something. Without a theme nothing is on it."""
    return not stems(text).isdisjoint(stems(theme))
