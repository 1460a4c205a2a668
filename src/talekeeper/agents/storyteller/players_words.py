"""The player's own words, turned round to be told back."""

from __future__ import annotations

import re

from talekeeper.agents.storyteller.tense import in_past

_PERSON = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself", "am": "are", "i'm": "you're",
    "i'll": "you'll", "i've": "you've", "i'd": "you'd", "we": "you", "us": "you", "our": "your",
}  # fmt: skip
_LEAD_IN = re.compile(
    r"\A(?:(?:so|then|now|well|ok|okay|please)[, ]+)*(?:i(?:'ll| will| would like to| want to| would)?\s+)?"
    r"(?:(?:try|attempt|want|decide|begin|start|go|proceed)\s+to\s+|try\s+and\s+)?",
    re.IGNORECASE,
)
_DEED = re.compile(r"[A-Za-z][A-Za-z'\u2019-]*(?:[ ,]+[\w'\u2019-]+){0,15}\Z")
_NOT_A_VERB = frozenset(
    """the a an my your his her its our their this that these those he she it they we you there here what who why how when
    where which is are was were am be been not no yes hello hi hey ok okay and but or if because maybe perhaps please
    i'm you're of in on at for with from to by as very so too just really""".split()
)
_HALF_A_SENTENCE = frozenset(
    """should would could can will did do does is are was were has have had am may might must shall you he she it they we
    not to isn't aren't wasn't don't doesn't didn't can't won't shouldn't going""".split()
)
_ABOUT = re.compile(r"\b(?:about|regarding|concerning)\s+(.+)\Z", re.IGNORECASE)
_QUOTED = re.compile(r'["\u201c]([^"\u201c\u201d]{2,})["\u201d]')
_SPOKEN = {
    "tell": "told", "say": "said", "ask": "asked", "explain": "explained", "promise": "promised", "warn": "warned",
    "swear": "swore", "confess": "confessed", "admit": "admitted", "show": "showed", "beg": "begged", "remind": "reminded",
    "whisper": "whispered", "shout": "shouted", "answer": "answered", "reply": "replied", "thank": "thanked",
}  # fmt: skip
_CLAUSE = re.compile(r"\b(?:that|why|whether|if|how|where|who|what|when|to|for)\b", re.IGNORECASE)


def turned(text: str) -> str:
    """First person to second: `my father's coat` becomes `your father's coat`."""
    return re.sub(
        r"[A-Za-z'\u2019]+", lambda m: _PERSON.get(m[0].replace("\u2019", "'").lower(), m[0]), " ".join(text.split())
    )


def deed(action: str) -> str:
    """What the player tried, so that it fits after `You tried to`; empty when it cannot be made to fit."""
    plain = " ".join(action.split()).rstrip(" .!?")
    plain = _LEAD_IN.sub("", plain, count=1)
    if len(plain) > 110 or _DEED.match(plain) is None:
        return ""
    first = plain.split(None, 1)[0].lower()
    if first in _NOT_A_VERB or first.endswith(("ing", "ed", "ly")):
        return ""
    words = turned(plain)
    return words[0].lower() + words[1:]


def as_topic(words: str) -> str:
    """The player's words as they stand after `about`; empty when they are half a sentence: `should I not trust`."""
    plain = turned(words).strip(" .?!,")
    first = plain.partition(" ")[0].lower()
    return "" if first in _HALF_A_SENTENCE else plain


def said_topic(action: str) -> str:
    """The player's own words for what they ask about, when they are few."""
    found = _ABOUT.search(" ".join(action.split()))
    words = turned(found[1]).strip(" .?!,") if found else ""
    return words if words and len(words.split()) <= 6 else ""


def spoken(action: str) -> str:
    """What the player's character said, told back: quoted words, or `told Nan that you would stay`; else empty."""
    plain = " ".join(action.split()).rstrip(" .!?")
    if quoted := _QUOTED.search(action):
        words = quoted[1].strip()
        return f'"{words}{"" if words.endswith((".", "!", "?")) else "."}"' if len(words) <= 160 else ""
    plain = _LEAD_IN.sub("", plain, count=1)
    verb, _, rest = plain.partition(" ")
    past = _SPOKEN.get(verb.lower())
    if past is None or not _CLAUSE.search(rest) or len(plain) > 160:
        return ""
    return f"You {past} {in_past(turned(rest))}."
