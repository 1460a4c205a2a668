"""One event as one sentence."""

from __future__ import annotations

from collections.abc import Callable

from .event import AgentEvent
from .phrases import PHRASES, WITHOUT_DETAIL

LONGEST = 400
"""A detail longer than this is cut: a chronicle quotes, it does not reprint."""

Escape = Callable[[str], str]


def sentence(event: AgentEvent, turn: int, escape: Escape | None = None) -> str:
    """`turn` picks the phrasing; `escape` makes names and details safe for where the sentence will stand."""
    agent, detail, kind = one_line(event.agent), one_line(event.detail), event.kind
    if detail:
        phrases = PHRASES[kind]
    elif kind in WITHOUT_DETAIL:
        phrases = WITHOUT_DETAIL[kind]
    else:
        phrases, detail = PHRASES[kind], kind.value
    if escape is not None:
        agent, detail = escape(agent), escape(detail)
    phrase = phrases[turn % len(phrases)]
    if detail.endswith((".", "!", "?", "…")) and phrase.endswith("{detail}."):
        phrase = phrase[:-1]
    return phrase.format(agent=agent, detail=detail)


def one_line(text: str) -> str:
    if not text.isprintable():
        text = "".join(character if character.isprintable() else " " for character in text)
    if "  " in text or text[:1] == " " or text[-1:] == " ":
        text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
