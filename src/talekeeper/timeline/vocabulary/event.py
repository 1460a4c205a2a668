"""One thing that happened. Everything else in Talekeeper is derived from these."""

from __future__ import annotations

import msgspec

from talekeeper.timeline.ids import event_id
from talekeeper.timeline.vocabulary.body import Body

PUBLIC = ("*",)
"""Witnessed by everybody who could care to know."""

UNSEEN: tuple[str, ...] = ()
"""Witnessed by nobody in the world: bookkeeping, hidden rolls, decisions."""


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """An event before the timeline has given it its place."""

    body: Body
    by: str
    kind: str = ""
    """Left empty, it is the body's own kind; only the fleet's open family of kinds sets it."""
    witnesses: tuple[str, ...] = UNSEEN
    story_time: int | None = None
    scene: str | None = None
    turn: str | None = None
    place: str | None = None
    cause: str | None = None
    idem: str | None = None
    at: float | None = None
    """When it happened, if that was before it was told to us (payload times of webhooks and logs)."""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    world: str
    timeline: str
    seq: int
    kind: str
    v: int = 1
    at: float
    """Seconds since the epoch."""
    story_time: int | None = None
    """Minutes since the first midnight of the world's calendar."""
    scene: str | None = None
    turn: str | None = None
    by: str
    place: str | None = None
    witnesses: tuple[str, ...] = UNSEEN
    cause: str | None = None
    body: Body
    idem: str | None = None

    @property
    def id(self) -> str:
        return event_id(self.timeline, self.seq)

    def seen_by(self, entity: str) -> bool:
        return self.witnesses == PUBLIC or entity in self.witnesses
