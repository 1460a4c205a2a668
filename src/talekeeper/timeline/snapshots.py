"""The small picture of a world after each turn, so that coming back needs one row."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Column, Connection, Table, Text, bindparam, insert, select

from talekeeper.timeline.lineage import Path
from talekeeper.timeline.store.asked import Question
from talekeeper.timeline.store.metadata import metadata

snapshot_table = Table(
    "snapshot",
    metadata,
    Column("world", Text, primary_key=True),
    Column("timeline", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("body", Text, nullable=False),
)
_s = snapshot_table.c


class WorldSnapshot(msgspec.Struct, frozen=True, kw_only=True):
    scene: str
    scene_seq: int
    """Where that scene was opened."""
    scene_turns: int
    turn_number: int
    place: str
    now: int
    weather: str
    participants: tuple[str, ...]
    conflict: str = ""


_decode = msgspec.json.Decoder(WorldSnapshot).decode


_INSERT = insert(snapshot_table)


def keep_snapshot(conn: Connection, world: str, timeline: str, seq: int, snapshot: WorldSnapshot) -> None:
    body = msgspec.json.encode(snapshot).decode()
    conn.execute(_INSERT, {"world": world, "timeline": timeline, "seq": seq, "body": body})


_LATEST = Question(
    select(_s.body)
    .where(_s.world == bindparam("world"), _s.timeline == bindparam("timeline"), _s.seq <= bindparam("upto"))
    .order_by(_s.seq.desc())
    .limit(1)
)


def latest_snapshot(conn: Connection, past: Path) -> WorldSnapshot | None:
    for segment in reversed(past.segments):
        bounds = {"world": past.world, "timeline": segment.timeline, "upto": segment.upto}
        body: str | None = _LATEST.one(conn, bounds)
        if body is not None:
            return _decode(body)
    return None
