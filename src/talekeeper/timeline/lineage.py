"""Timelines and their ancestry. A fork copies no events: it inherits its ancestors' up to where it left them."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

import msgspec
from sqlalchemy import BigInteger, Column, Connection, Float, Table, Text, bindparam, func, insert, select

from talekeeper.errors import BadInput, NotFound
from talekeeper.timeline.store.asked import Question
from talekeeper.timeline.store.metadata import metadata

OPEN_END = 2**62
"""The last seq of a timeline's own segment: it goes on."""

timeline_table = Table(
    "timeline",
    metadata,
    Column("world", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False, server_default=""),
    Column("parent", Text),
    Column("fork_seq", BigInteger, nullable=False),
    Column("reason", Text, nullable=False, server_default=""),
    Column("head", BigInteger, nullable=False),
    Column("created_at", Float, nullable=False),
)

lineage_table = Table(
    "lineage",
    metadata,
    Column("world", Text, primary_key=True),
    Column("timeline", Text, primary_key=True),
    Column("ancestor", Text, primary_key=True),
    Column("max_seq", BigInteger, nullable=False),
)


# Statements are built once; building one costs as much as running it.
_OF_WORLD = timeline_table.c.world == bindparam("world")
_ONE = select(timeline_table).where(_OF_WORLD, timeline_table.c.id == bindparam("timeline"))
_LOCK_FIRST = select(timeline_table.c.id).where(_OF_WORLD, timeline_table.c.parent.is_(None)).with_for_update()
_COUNT = select(func.count()).select_from(timeline_table).where(_OF_WORLD)
_INSERT_TIMELINE = insert(timeline_table)
_INSERT_LINEAGE = insert(lineage_table)


class Timeline(msgspec.Struct, frozen=True):
    world: str
    id: str
    name: str
    parent: str | None
    fork_seq: int
    reason: str
    head: int
    created_at: float


class Segment(NamedTuple):
    """Events (after, upto] of one timeline."""

    timeline: str
    after: int
    upto: int


class Path(msgspec.Struct, frozen=True):
    """The whole past of a timeline as segments, oldest first; seqs rise along it without repeating."""

    world: str
    timeline: str
    segments: tuple[Segment, ...]
    born: float = 0.0
    """When the timeline was made: a world of the same name, made anew, is another."""

    def until(self, seq: int | None) -> Path:
        if seq is None:
            return self
        kept = tuple(Segment(s.timeline, s.after, min(s.upto, seq)) for s in self.segments if s.after < seq)
        return Path(self.world, self.timeline, kept, self.born)

    def owner(self, seq: int) -> str:
        """Which timeline the event with this seq lives on."""
        at = bisect_left(self.segments, seq, key=lambda s: s.upto)
        return self.segments[min(at, len(self.segments) - 1)].timeline

    def shared_with(self, other: Path) -> int:
        """The last seq the two have in common."""
        shared = 0
        for mine, theirs in zip(self.segments, other.segments, strict=False):
            if mine.timeline != theirs.timeline:
                break
            shared = min(mine.upto, theirs.upto)
        return shared

    def holds(self, timeline: str, seq: int) -> bool:
        return any(s.timeline == timeline and s.after < seq <= s.upto for s in self.segments)


def create_first_timeline(conn: Connection, world: str, now: float) -> Timeline:
    return _create(conn, Timeline(world, "t1", "", None, 0, "", 0, now), ())


def fork(conn: Connection, world: str, timeline: str, at_seq: int, *, reason: str, name: str, now: float) -> Timeline:
    """A new timeline that shares its past up to `at_seq`. Costs the depth of the ancestry, whatever the history's length."""
    source = get_timeline(conn, world, timeline)
    if not 0 < at_seq <= source.head:
        raise BadInput(f"{timeline} has no event {at_seq}.", f"Its events are numbered 1 to {source.head}.")
    past = path(conn, world, timeline).until(at_seq)
    # Leaving the parent at or before its own fork point is leaving the grandparent: ancestries stay short.
    parent = past.segments[-1].timeline
    child = Timeline(world, _free_id(conn, world), name, parent, at_seq, reason, at_seq, now)
    return _create(conn, child, past.segments)


def _free_id(conn: Connection, world: str) -> str:
    """Two forks at once get two names: the second waits here for the first, and only then counts."""
    if conn.dialect.name != "sqlite":  # where whoever writes is alone anyway
        conn.execute(_LOCK_FIRST, {"world": world})
    count: int = conn.execute(_COUNT, {"world": world}).scalar_one()
    return f"t{count + 1}"


def _create(conn: Connection, timeline: Timeline, past: tuple[Segment, ...]) -> Timeline:
    conn.execute(_INSERT_TIMELINE, msgspec.structs.asdict(timeline))
    rows = [(s.timeline, s.upto) for s in past] + [(timeline.id, OPEN_END)]
    conn.execute(
        _INSERT_LINEAGE,
        [{"world": timeline.world, "timeline": timeline.id, "ancestor": a, "max_seq": m} for a, m in rows],
    )
    return timeline


def get_timeline(conn: Connection, world: str, timeline: str) -> Timeline:
    row = conn.execute(_ONE, {"world": world, "timeline": timeline}).one_or_none()
    if row is None:
        raise NotFound(f"The world {world} has no timeline {timeline[:40]!r}.", "See `talekeeper timeline list`.")
    return Timeline(*row)


def list_timelines(conn: Connection, world: str) -> list[Timeline]:
    rows = conn.execute(select(timeline_table).where(timeline_table.c.world == world))
    return sorted((Timeline(*row) for row in rows), key=lambda t: int(t.id[1:]))


_PATH = Question(
    select(lineage_table.c.ancestor, lineage_table.c.max_seq, timeline_table.c.created_at)
    .join(
        timeline_table,
        (timeline_table.c.world == lineage_table.c.world) & (timeline_table.c.id == lineage_table.c.timeline),
    )
    .where(lineage_table.c.world == bindparam("world"), lineage_table.c.timeline == bindparam("timeline"))
    .order_by(lineage_table.c.max_seq)
)


def path(conn: Connection, world: str, timeline: str) -> Path:
    rows = _PATH.ask(conn, {"world": world, "timeline": timeline})
    if not rows:
        raise NotFound(f"The world {world} has no timeline {timeline[:40]!r}.", "See `talekeeper timeline list`.")
    segments, after = [], 0
    for ancestor, upto, _ in rows:
        segments.append(Segment(ancestor, after, upto))
        after = upto
    return Path(world, timeline, tuple(segments), rows[0][2])
