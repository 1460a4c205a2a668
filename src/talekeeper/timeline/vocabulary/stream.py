"""Events of a live channel."""

from __future__ import annotations

from typing import Literal

from talekeeper.timeline.vocabulary.body import Body


class ChatSaid(Body, frozen=True):
    kind = "chat.said"
    session: str
    message: str
    """The transport's own message id."""
    name: str
    text: str
    badges: tuple[str, ...] = ()


class ChatFlagged(Body, frozen=True):
    kind = "chat.flagged"
    session: str
    message: str
    severity: Literal["low", "medium", "high"]
    reason: str


class ChatRemoved(Body, frozen=True):
    kind = "chat.removed"
    session: str
    message: str = ""
    name: str = ""
    """With no message: everything this name said (or, with neither, the whole chat)."""


class CompanionSpoke(Body, frozen=True):
    kind = "companion.spoke"
    session: str
    text: str
    mode: str
    reason: str
    delivery: Literal["queued", "sending", "sent", "dropped", "unknown"] = "sent"
    context_hash: str = ""
    approved_by: str = ""


class CompanionHeld(Body, frozen=True):
    """It stayed silent, or changed its mind; recorded when the decision changes, not at every tick."""

    kind = "companion.held"
    session: str
    reason: str
    mode: str = ""
