"""The conversation so far as exchanges: what was perceived, what was really performed. Never two perceptions in a row."""

from __future__ import annotations

from collections.abc import Sequence

from talekeeper.agents.npc.performance import Exchange, ToolUse
from talekeeper.loops.npc_turn.record import GameTurn


def exchanges(turns: Sequence[GameTurn]) -> tuple[tuple[Exchange, ...], str]:
    """Past turns as exchanges, and what was perceived since the last of them without an answer.

    A turn in which nothing was performed has no answer: what it was about stands before the next perception.
    """
    told: list[Exchange] = []
    unanswered: list[str] = []
    for turn in turns:
        body = turn.body
        if body.perceived:
            unanswered.append(body.perceived)
        if not body.said and not body.tools:
            continue
        perceived = "\n".join(unanswered)
        unanswered = []
        told.append(
            Exchange(
                perceived,
                body.said,
                tuple(map(_known, body.tools)),
                body.cut_short,
                confirmed=turn.status == "confirmed",
            )
        )
    return tuple(told), "\n".join(unanswered)


def _known(use: ToolUse) -> ToolUse:
    """A call the game never answered is one whose result nobody knows; a model must be told something."""
    return use if use.ok is not None else ToolUse(use.call, False, "(the game gave no result)")
