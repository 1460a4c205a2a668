"""The lines of a world file, one JSON object each: header, timelines, events, snapshots, turns, footer; in that order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta

from talekeeper.agents.context import Manifest
from talekeeper.loops.intents import AnyIntent
from talekeeper.loops.scene.work import Prose, Resolution
from talekeeper.timeline.lineage import OPEN_END
from talekeeper.timeline.snapshots import WorldSnapshot

FORMAT = "talekeeper-world"
VERSION = 1
MOST_LINE_BYTES = 16 << 20
MOST_TIMELINES = 100_000

Progress = Callable[[int, int], None]
"""Told how many events of how many are done."""

_INT64 = 2**63
Whole = Annotated[int, Meta(ge=-_INT64, le=_INT64 - 1)]
Count = Annotated[int, Meta(ge=0, lt=OPEN_END)]
Seq = Annotated[int, Meta(ge=1, lt=OPEN_END)]
TurnNumber = Annotated[int, Meta(ge=1, lt=2**31)]
Id = Annotated[str, Meta(max_length=500)]
Moment = Annotated[float, Meta(ge=0, lt=253_402_300_800)]
"""Seconds since the epoch, before the year 10,000."""
TimelineId = Annotated[str, Meta(pattern=r"^t[1-9][0-9]{0,9}$")]


class Preamble(msgspec.Struct, frozen=True):
    """As much of a first line as any version has, to say what the file is before its details are read."""

    format: str = ""
    version: int = 0


class WorldPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    name: str
    title: Annotated[str, Meta(max_length=2000)]
    seed: Whole
    preset: Id = ""
    rules: Id = ""
    player: Id = ""
    active: TimelineId
    created_at: Moment
    played_at: Moment


class _Line(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="line",
    tag=str.lower,
):
    """Base of all lines."""


class Header(_Line, frozen=True, kw_only=True):
    format: str
    version: int
    made_by: str
    made_at: Moment
    world: WorldPart
    timelines: Count
    events: Count


class TimelineLine(_Line, frozen=True, kw_only=True, tag="timeline"):
    id: TimelineId
    name: Annotated[str, Meta(max_length=2000)] = ""
    parent: TimelineId | None = None
    fork_seq: Count = 0
    reason: Id = ""
    head: Count


class EventLine(_Line, frozen=True, kw_only=True, tag="event"):
    timeline: TimelineId
    seq: Seq
    kind: Id
    v: int = 1
    at: Moment
    story_time: Whole | None = None
    scene: Id | None = None
    turn: Id | None = None
    by: Id
    place: Id | None = None
    witnesses: tuple[Id, ...] = ()
    cause: Id | None = None
    body: msgspec.Raw
    idem: Id | None = None


class SnapshotLine(_Line, frozen=True, kw_only=True, tag="snapshot"):
    timeline: TimelineId
    seq: Seq
    snapshot: WorldSnapshot


class TurnLine(_Line, frozen=True, kw_only=True, tag="turn"):
    """An ended turn: what /why and /retry need beside its events."""

    timeline: TimelineId
    number: TurnNumber
    scene: Id
    attempt: Annotated[int, Meta(ge=1, lt=2**31)] = 1
    complete: bool = True
    """False where the telling was stopped half-way."""
    actor: Id
    intent: AnyIntent
    base_seq: Count
    last_seq: Seq
    outcome: Resolution | None = None
    manifest: Manifest | None = None
    prose: Prose | None = None
    idem: Id | None = None
    accepted_at: Moment
    ended_at: Moment | None = None


class Footer(_Line, frozen=True, kw_only=True):
    timelines: Count
    events: Count
    snapshots: Count
    turns: Count
    sha256: str
    """Of every byte before this line, uncompressed."""


AnyLine = Header | TimelineLine | EventLine | SnapshotLine | TurnLine | Footer
ORDER: tuple[type[AnyLine], ...] = (Header, TimelineLine, EventLine, SnapshotLine, TurnLine, Footer)
