"""Recaps: one line for each turn and a paragraph for each scene, derived after the fact and keyed by their cause."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Column, Connection, Table, Text, delete, insert, select

from talekeeper.timeline.lineage import Path
from talekeeper.timeline.store.metadata import metadata

recap_table = Table(
    "recap",
    metadata,
    Column("world", Text, primary_key=True),
    Column("timeline", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("scene", Text, nullable=False),
    Column("turn", Text, nullable=False),
    Column("text", Text, nullable=False),
)
_r = recap_table.c


class Recap(msgspec.Struct, frozen=True):
    seq: int
    scene: str
    turn: str
    text: str


def keep_recap(conn: Connection, world: str, timeline: str, recap: Recap) -> None:
    """Idempotent: the same cause gives the same row."""
    conn.execute(delete(recap_table).where(_r.world == world, _r.timeline == timeline, _r.seq == recap.seq))
    conn.execute(insert(recap_table).values(world=world, timeline=timeline, **msgspec.structs.asdict(recap)))


def recaps(conn: Connection, past: Path, *, limit: int = 12) -> list[Recap]:
    """The newest recaps along a path, oldest first."""
    found: list[Recap] = []
    for segment in reversed(past.segments):
        rows = conn.execute(
            select(_r.seq, _r.scene, _r.turn, _r.text)
            .where(_r.world == past.world, _r.timeline == segment.timeline, _r.seq <= segment.upto)
            .order_by(_r.seq.desc())
            .limit(limit - len(found))
        )
        found.extend(Recap(*row) for row in rows)
        if len(found) >= limit:
            break
    return found[::-1]
