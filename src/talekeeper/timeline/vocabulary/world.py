"""Events of a world's own life: its beginning, its timelines, scenes and sessions."""

from __future__ import annotations

from typing import Literal

from talekeeper.timeline.vocabulary.body import Body

ForkReason = Literal["fork", "backtrack", "undo", "retry", "swipe", "change"]


class WorldCreated(Body, frozen=True):
    kind = "world.created"
    title: str
    seed: int
    preset: str = ""
    rules: str = "simple-d20"
    player: str = ""
    """The entity the first seat plays."""


class TimelineForked(Body, frozen=True):
    kind = "timeline.forked"
    parent: str
    at_seq: int
    reason: ForkReason = "fork"
    name: str = ""


class SceneOpened(Body, frozen=True):
    kind = "scene.opened"
    scene: str
    title: str = ""
    place: str = ""
    participants: tuple[str, ...] = ()


class SceneEnded(Body, frozen=True):
    kind = "scene.ended"
    scene: str
    reason: str = ""


class SessionOpened(Body, frozen=True):
    """A live stream or a game connection began."""

    kind = "session.opened"
    session: str
    door: str
    name: str = ""


class SessionClosed(Body, frozen=True):
    kind = "session.closed"
    session: str
    reason: str = ""
