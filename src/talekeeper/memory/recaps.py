"""Recaps: one line for each turn and a paragraph for each scene, derived after the fact and keyed by their cause."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Column, Connection, Integer, Table, Text, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite

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
    dialect = postgresql if conn.dialect.name == "postgresql" else sqlite
    row = dialect.insert(recap_table).values(world=world, timeline=timeline, **msgspec.structs.asdict(recap))
    conn.execute(
        row.on_conflict_do_update(
            index_elements=[_r.world, _r.timeline, _r.seq],
            set_={name: row.excluded[name] for name in ("scene", "turn", "text")},
        )
    )


_NEWEST = (
    select(_r.seq, _r.scene, _r.turn, _r.text)
    .where(_r.world == bindparam("world"), _r.timeline == bindparam("timeline"), _r.seq <= bindparam("upto"))
    .order_by(_r.seq.desc())
    .limit(bindparam("most", type_=Integer))
)


def recaps(conn: Connection, past: Path, *, limit: int = 12) -> list[Recap]:
    """The newest recaps along a path, oldest first."""
    found: list[Recap] = []
    for segment in reversed(past.segments):
        where = {"world": past.world, "timeline": segment.timeline, "upto": segment.upto, "most": limit - len(found)}
        found.extend(Recap(*row) for row in conn.execute(_NEWEST, where))
        if len(found) >= limit:
            break
    return found[::-1]
