"""What a viewer of a running turn receives. Frames are never stored: a reconnect reads ended turns from events."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal

import msgspec

EVERYONE = ("*",)


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


class Frame(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag=_snake):
    turn: str
    attempt: int
    seq: int = 0
    """Gapless within one attempt of a turn."""
    to: tuple[str, ...] = EVERYONE
    """Seats it is meant for; filtered on the server."""


class TurnStarted(Frame, frozen=True, kw_only=True):
    number: int
    action: str
    actor: str
    teller: str = ""


class Roll(Frame, frozen=True, kw_only=True):
    """Sent twice: with the difficulty before the dice fall, then with what they showed."""

    notation: str
    stat: str = ""
    difficulty: int | None = None
    ladder: str = ""
    why: str = ""
    total: int | None = None
    detail: str = ""
    tier: str = ""


class TagOpen(Frame, frozen=True, kw_only=True):
    tag: str
    tag_id: str
    attrs: dict[str, str] = msgspec.field(default_factory=dict)


class TagChunk(Frame, frozen=True, kw_only=True):
    tag: str
    tag_id: str
    text: str


class TagClose(Frame, frozen=True, kw_only=True):
    tag: str
    tag_id: str
    text: str
    reason: str = "closed"


class TurnRestarted(Frame, frozen=True, kw_only=True):
    """Shown prose is withdrawn; outcome and dice stay."""

    reason: str


class Snapshot(Frame, frozen=True, kw_only=True):
    place: str
    place_name: str
    now: int
    time_name: str
    weather: str
    participants: tuple[str, ...]
    world_version: int


class TurnEnded(Frame, frozen=True, kw_only=True):
    state: Literal["done", "interrupted", "failed"]
    head: int
    error: dict[str, Any] | None = None


class Notice(Frame, frozen=True, kw_only=True):
    code: str
    message: str


AnyFrame = TurnStarted | Roll | TagOpen | TagChunk | TagClose | TurnRestarted | Snapshot | TurnEnded | Notice

Emit = Callable[[AnyFrame], Awaitable[None]]
