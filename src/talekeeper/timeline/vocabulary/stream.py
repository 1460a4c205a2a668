"""Events of a live channel."""

from __future__ import annotations

from typing import Literal

from talekeeper.timeline.vocabulary.body import Body

Delivery = Literal["held", "queued", "sending", "sent", "dropped", "unknown", "shown"]
"""`held` waits for the operator; `shown` was an answer to the operator's own test and never left the house."""


class ChatSaid(Body, frozen=True):
    kind = "chat.said"
    session: str
    message: str
    """The transport's own message id."""
    name: str
    text: str
    badges: tuple[str, ...] = ()
    display: str = ""
    reply_to: str = ""
    source: str = ""
    """The channel it was written in, where chats are shared; empty means this one."""
    deed: bool = False
    """Written as an action (/me)."""
    bot: bool = False
    removed: bool = False
    """Its text was taken back, and is blank."""


class ChatFlagged(Body, frozen=True):
    kind = "chat.flagged"
    session: str
    message: str
    severity: Literal["low", "medium", "high"]
    reason: str
    score: float = 0.0


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
    delivery: Delivery = "sent"
    context_hash: str = ""
    approved_by: str = ""
    action: str = ""
    """The line's own id in the record of actions."""
    message: str = ""
    """The transport's id of it, where there is one."""
    why: str = ""
    """Why it was dropped, or is not known to have arrived."""


class CompanionHeld(Body, frozen=True):
    """A decision that differs from the one before it (recorded when it changes, not at every tick)."""

    kind = "companion.held"
    session: str
    reason: str
    mode: str = ""
    speak: bool = False
    details: tuple[str, ...] = ()
