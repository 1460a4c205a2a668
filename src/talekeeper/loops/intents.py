"""What somebody wants to happen. Doors make these; loops carry them out."""

from __future__ import annotations

from typing import Literal

import msgspec

from talekeeper.timeline.vocabulary import Claim, Draft


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


class Intent(msgspec.Struct, frozen=True, kw_only=True, tag_field="intent", tag=_snake):
    world: str
    by: str = "owner"
    """The seat that asks."""
    role: str = "owner"
    timeline: str | None = None
    """Pinned; otherwise the world's active timeline."""


class Act(Intent, frozen=True, kw_only=True):
    text: str
    actor: str | None = None
    scene: str | None = None
    idem: str | None = None
    """A repeated request with the same key gives the first answer."""


class Stop(Intent, frozen=True, kw_only=True):
    """Stop the running turn: the text so far stays, the outcome stands."""


class Retry(Intent, frozen=True, kw_only=True):
    """Tell the last turn again with the same outcome and dice (a failed one: run it again).

    `swipe` marks the new timeline as an alternative telling, folded in the tree.
    """

    swipe: bool = False


class Edit(Intent, frozen=True, kw_only=True):
    """Correct the text of a narration."""

    event: str
    text: str
    expected_head: int | None = None


class Backtrack(Intent, frozen=True, kw_only=True):
    """Back to just after turn number `to`, or `back` turns before now."""

    to: int | None = None
    back: int | None = None


class Fork(Intent, frozen=True, kw_only=True):
    """A new timeline from here, or from just after turn `at`."""

    name: str = ""
    at: int | None = None


class Switch(Intent, frozen=True, kw_only=True):
    """Make `timeline` the active one."""


class EndScene(Intent, frozen=True, kw_only=True):
    reason: str = ""


class Roll(Intent, frozen=True, kw_only=True):
    notation: str
    secret: bool = False


class Decide(Intent, frozen=True, kw_only=True):
    proposal: str
    decision: Literal["accepted", "rejected"]
    note: str = ""
    claims: tuple[Claim, ...] | None = None
    """The proposal as the decider would have it."""
    overrule: bool = False
    """Accept in spite of what the validators say; recorded with the note."""
    expected_head: int | None = None


class Direct(Intent, frozen=True, kw_only=True):
    text: str
    source: Literal["game_master", "safety", "story"] = "game_master"
    priority: int = 0
    scene_only: bool = False
    turns: int | None = None
    lifts: str = ""
    never: str = ""


class XCard(Intent, frozen=True, kw_only=True):
    """Fade out now; with `rewind`, back to before the last turn."""

    rewind: bool = False
    note: str = ""


class Bound(Intent, frozen=True, kw_only=True):
    """A line, which is never told, or a veil, behind which it happens unseen; for the whole table, for good."""

    text: str
    veiled: bool = False


class Tick(Intent, frozen=True, kw_only=True):
    """The world goes on by itself for a while."""

    minutes: int
    reason: str = ""


class Hear(Intent, frozen=True, kw_only=True):
    """Events told to us by a game, a chat or a fleet, each appended once by its idempotency key."""

    scene: str
    drafts: tuple[Draft, ...]


AnyIntent = (
    Act
    | Stop
    | Retry
    | Edit
    | Backtrack
    | Fork
    | Switch
    | EndScene
    | Roll
    | Decide
    | Direct
    | XCard
    | Bound
    | Tick
    | Hear
)
