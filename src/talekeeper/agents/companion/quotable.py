"""Which words of people the companion may repeat aloud: calm, whole, theirs, and fit for any room."""

from __future__ import annotations

import re

from talekeeper.agents.companion.style import broken, clean
from talekeeper.agents.guard import suspicions

LONGEST = 140
FEWEST_WORDS = 5
_COARSE = re.compile(
    r"\b(?:(?:mother)?f+u+c+k\w*|sh[i1]t\w*|bullsh\w*|b[i1]tch\w*|cunt\w*|dick\w*|cock\w*|puss(?:y|ies)|ass(?:es|hole\w*)?|arse\w*"
    r"|butt\w*|tits?|boob\w*|porn\w*|sex\w*|horny|nud(?:e|es|ity)|rape\w*|kill (?:your|him|her|them|my)self|kys|suicid\w*"
    r"|nazi\w*|hitler|retard\w*|nigg\w*|fag\w*|trann\w*|whore\w*|slut\w*|damn\w*|piss\w*|crap\w*|die|stfu|wtf|lmf?ao+)\b",
    re.IGNORECASE,
)
_NOT_ALOUD = frozenset({"shouting", "exclamation", "link", "markup", "follow", "selling", "begging", "call_to_action"})
_ODD = re.compile(r"[@#]\w|\*\*\*|[\"“”«»<>{}\\|]|^[!/.]")
_PERSONAL = re.compile(r"\d{5,}|\S+@\S+\.\w", re.ASCII)


def quotable(text: str) -> str:
    """The text as it may be quoted, or nothing."""
    line = clean(text)
    if len(line) > LONGEST or len(line.split()) < FEWEST_WORDS:
        return ""
    if _COARSE.search(line) or _ODD.search(line) or _PERSONAL.search(line) or suspicions(line):
        return ""
    if any(rule.name in _NOT_ALOUD for rule in broken(line)):
        return ""
    return line


def nameable(name: str) -> bool:
    """Whether a name can be said aloud; some are chosen so that it cannot."""
    return bool(re.fullmatch(r"[^\W_]\w{1,24}", name)) and not _COARSE.search(re.sub(r"[\d_]+", " ", name))
