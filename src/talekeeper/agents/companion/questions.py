"""Questions and visible uncertainty in chat: what somebody said and nobody took up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from talekeeper.agents.companion.line import ChatLine

_ASKS = re.compile(r"\w[\"'”’)\]]*\s?\?")
_UNSURE = re.compile(
    r"\b(?:no idea|not sure|unsure|don'?t (?:get|understand|follow)|can'?t (?:tell|follow)|confus(?:ed|ing)|i'?m lost"
    r"|what(?:'s| is) (?:going on|happening)|(?:any(?:one|body)|some(?:one|body)) (?:know|explain|remember))\b",
    re.IGNORECASE,
)
_FEWEST_WORDS = 3
_OWN_LINES = 2


def asks(text: str) -> bool:
    """A question somebody could answer, or an open 'I do not understand': not a lone `what?`."""
    straight = text.replace("’", "'")
    if straight.startswith("!") or len(straight.split()) < _FEWEST_WORDS:
        return False
    return bool(_ASKS.search(straight) or _UNSURE.search(straight))


def unanswered(lines: Sequence[ChatLine]) -> ChatLine | None:
    """The question that nobody but its asker has spoken after; an asker who goes on and on has left it behind."""
    if not lines:
        return None
    asker = lines[-1].name
    for line in lines[: -2 - _OWN_LINES : -1]:
        if line.name != asker:
            return None
        if asks(line.text):
            return line
    return None
