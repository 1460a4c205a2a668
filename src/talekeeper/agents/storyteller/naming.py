"""How things are called in prose, and how a player's own words are turned round to be told back."""

from __future__ import annotations

import re

_ARTICLES = ("the ", "a ", "an ")
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
_PAST = {
    "is": "was", "are": "were", "has": "had", "have": "had", "cannot": "could not", "can": "could", "carries": "carried",
    "does not": "did not", "do not": "did not", "lies": "lay", "keeps": "kept", "leads": "led", "reaches": "reached",
    "see": "saw", "think": "thought", "mean": "meant", "know": "knew", "holds": "held", "stands": "stood", "will": "would",
    "takes": "took", "makes": "made", "goes": "went", "brings": "brought", "draws": "drew", "drains": "drained",
    "turns": "turned", "notices": "noticed", "learns": "learned", "hears": "heard", "breaks": "broke",
    "you take": "you took", "you give": "you gave", "you wake": "you woke", "you find": "you found", "you owe": "you owed",
    "you come": "you came",
}  # fmt: skip
_PRESENT = re.compile(
    r"\b(?:(do(?:es)? not|can(?:not)?) (\w+)|(?:to|could|would|should|might|must) \w+"
    r"|you (?:take|give|wake|find|owe|come)|[A-Za-z]+)\b"
)
_ABOUT = re.compile(r"\b(?:about|regarding|concerning)\s+(.+)\Z", re.IGNORECASE)
_QUOTED = re.compile(r'["\u201c]([^"\u201c\u201d]{2,})["\u201d]')
_SPOKEN = {
    "tell": "told", "say": "said", "ask": "asked", "explain": "explained", "promise": "promised", "warn": "warned",
    "swear": "swore", "confess": "confessed", "admit": "admitted", "show": "showed", "beg": "begged", "remind": "reminded",
    "whisper": "whispered", "shout": "shouted", "answer": "answered", "reply": "replied", "thank": "thanked",
}  # fmt: skip
_CLAUSE = re.compile(r"\b(?:that|why|whether|if|how|where|who|what|when|to|for)\b", re.IGNORECASE)
PRONOUNS = {
    "she": {"they": "she", "them": "her", "their": "her"},
    "he": {"they": "he", "them": "him", "their": "his"},
    "they": {"they": "they", "them": "them", "their": "their"},
}


def in_prose(name: str) -> str:
    """`The Otter` in mid-sentence is `the Otter`; `spade` is `the spade`; `Corrow Street` stays."""
    if name.startswith("The "):
        return f"the {name[4:]}"
    if not name or name[0].isupper() or name.lower().startswith(_ARTICLES):
        return name
    return f"the {name}"


def thing_in_prose(name: str) -> str:
    """`County list` is `the County list`; `Nan's jar` and `a cup` stay."""
    owned = "'s " in name or name.lower().startswith((*_ARTICLES, "your "))
    return in_prose(name) if owned or not name else f"the {name}"


def sentence_case(text: str) -> str:
    return text[:1].upper() + text[1:]


def full_stop(text: str) -> str:
    text = text.strip()
    return text if not text or text.endswith((".", "!", "?", '."', '!"', '?"')) else f"{text}."


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


def in_past(text: str) -> str:
    """What rules and canon state in the present, as narration tells it: only words that can hardly be anything else."""

    def told(match: re.Match[str]) -> str:
        # What follows a helping verb stays as it is: `did not have`, `could see`, `to know`.
        return f"{_PAST[match[1]]} {match[2]}" if match[1] else _PAST.get(match[0], match[0])

    return _PRESENT.sub(told, text)


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
    return f"You {past} {turned(rest)}."


def listed(names: list[str], joint: str = "and") -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {joint} {names[-1]}"
