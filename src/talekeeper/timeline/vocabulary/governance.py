"""Events of governance: what the table asked for, and what the guards did."""

from __future__ import annotations

from typing import Literal

from talekeeper.timeline.vocabulary.body import Body


class DirectiveGiven(Body, frozen=True):
    """`lifts` names the directive event this one takes back; `never` has the words that no prose may have while it holds."""

    kind = "directive.given"
    text: str
    source: Literal["game_master", "safety", "story"] = "game_master"
    priority: int = 0
    scene_only: bool = False
    until_turn: int | None = None
    lifts: str = ""
    never: str = ""


class GuardActed(Body, frozen=True):
    kind = "guard.acted"
    guard: str
    action: Literal["allow", "redact", "regenerate", "stop"]
    reason: str
    excerpt: str = ""
