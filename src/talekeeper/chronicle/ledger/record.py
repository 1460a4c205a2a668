"""What a ledger is written from. Times are unix seconds; words are as they were said, nothing in them is trusted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class LedgerLine(msgspec.Struct, frozen=True):
    name: str
    text: str
    at: float
    id: str = ""
    display: str = ""

    @property
    def speaker(self) -> str:
        return self.display or self.name


class LedgerSummary(msgspec.Struct, frozen=True):
    start: float
    end: float
    text: str


class LedgerAction(msgspec.Struct, frozen=True):
    mode: str
    type: str
    """response, flag, archive, suppress, clip, blog_seed"""
    description: str
    at: float


class LedgerClip(msgspec.Struct, frozen=True):
    start: float
    peak: float
    end: float
    reason: str
    approved: bool = False


class LedgerSeed(msgspec.Struct, frozen=True):
    topic: str
    description: str


class PulseBin(msgspec.Struct, frozen=True):
    start: float
    lines: int
    speakers: int


class LedgerRecord(msgspec.Struct, frozen=True):
    channel: str
    session_id: str
    started: float
    ended: float | None = None
    """None while the session is open."""
    name: str = "Sanctum"
    theme: str = ""
    dashboard: Mapping[str, Any] = {}
    """stream_title, game, mood, content_angle, session_goals; what is missing or empty is left out."""
    discussion: tuple[LedgerLine, ...] = ()
    summary: tuple[LedgerSummary, ...] = ()
    actions: tuple[LedgerAction, ...] = ()
    clips: tuple[LedgerClip, ...] = ()
    seeds: tuple[LedgerSeed, ...] = ()
    pulse: tuple[PulseBin, ...] = ()

    @property
    def prompts(self) -> tuple[LedgerAction, ...]:
        """When the companion spoke into a silence."""
        return tuple(one for one in self.actions if one.mode == "hearthkeeper" and one.type == "response")
