"""Events of play: what was tried, what the dice said, what came of it, and how it was told."""

from __future__ import annotations

from typing import Literal

import msgspec

from talekeeper.timeline.vocabulary.body import Body
from talekeeper.timeline.vocabulary.canon import Claim

Verb = Literal[
    "move", "look", "examine", "talk", "ask", "persuade", "threaten", "deceive", "attack", "defend", "take", "give",
    "use", "open", "sneak", "search", "wait", "rest", "cast", "perform", "attempt",
]  # fmt: skip
Tier = Literal["plain", "triumph", "success", "cost", "failure", "disaster", "blocked"]
"""`plain`: no roll was needed. `blocked`: it cannot happen at all, and `blocked` says why."""


class ActionTaken(Body, frozen=True):
    kind = "action.taken"
    actor: str
    text: str
    verb: str = "attempt"


class Check(msgspec.Struct, frozen=True, omit_defaults=True):
    """What will be rolled and against what. Written down before the dice fall."""

    stat: str
    notation: str
    difficulty: int
    ladder: str = ""
    """The difficulty in words, as the rules pack names it."""
    modifier: int = 0
    why: str = ""


class RollMade(Body, frozen=True):
    kind = "roll.made"
    notation: str
    total: int
    detail: str
    """The dice as they fell, in the notation's own words: 1d20 (14) + 2."""
    index: int = 0
    seed: int = 0
    stat: str = ""
    difficulty: int | None = None
    tier: str = ""
    secret: bool = False


class Reveal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A secret that this outcome brings into the open, and to whom."""

    secret: str
    holder: str
    text: str
    to: tuple[str, ...] = ()


class OutcomeResolved(Body, frozen=True):
    kind = "outcome.resolved"
    actor: str
    verb: Verb
    tier: Tier
    targets: tuple[str, ...] = ()
    topic: str = ""
    """What it was about: an entity or thread id where one was recognised, else the player's own words."""
    check: Check | None = None
    consequences: tuple[Claim, ...] = ()
    reveals: tuple[Reveal, ...] = ()
    costs: tuple[str, ...] = ()
    blocked: str = ""
    minutes: int = 1


class LineSpoken(Body, frozen=True):
    kind = "line.spoken"
    speaker: str
    text: str
    to: str = ""
    line: str = ""
    """The preset's line id, where the storyteller spoke."""


class DeedDone(Body, frozen=True):
    kind = "deed.done"
    actor: str
    text: str


class NarrationTold(Body, frozen=True):
    kind = "narration.told"
    text: str
    teller: str = ""
    lines: tuple[str, ...] = ()


class NarrationEdited(Body, frozen=True):
    kind = "narration.edited"
    event: str
    text: str


class SecretTold(Body, frozen=True):
    kind = "secret.told"
    secret: str
    teller: str
    to: tuple[str, ...]
    text: str


class TimePassed(Body, frozen=True):
    kind = "time.passed"
    minutes: int
    now: int
