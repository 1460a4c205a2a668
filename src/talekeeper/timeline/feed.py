"""Following a timeline from a durable cursor. There is no global position: a cursor is (follower, world, timeline, seq)."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Connection, Table, Text, select
from sqlalchemy.dialects import postgresql, sqlite

from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import path
from talekeeper.timeline.store.metadata import metadata
from talekeeper.timeline.vocabulary import Event

cursor_table = Table(
    "feed_cursor",
    metadata,
    Column("follower", Text, primary_key=True),
    Column("world", Text, primary_key=True),
    Column("timeline", Text, primary_key=True),
    Column("seq", BigInteger, nullable=False),
)
_c = cursor_table.c


def position(conn: Connection, follower: str, world: str, timeline: str) -> int:
    seq: int | None = conn.execute(
        select(_c.seq).where(_c.follower == follower, _c.world == world, _c.timeline == timeline)
    ).scalar_one_or_none()
    return seq or 0


def follow(conn: Connection, world: str, timeline: str, after: int, limit: int = 500) -> list[Event]:
    """What happened since. Seqs along a path are gapless and become visible in order, so nothing is ever skipped."""
    return list(read_events(conn, path(conn, world, timeline), after=after, limit=limit))


def acknowledge(conn: Connection, follower: str, world: str, timeline: str, seq: int) -> None:
    """Remember how far a follower has come; it never moves back."""
    dialect = postgresql if conn.dialect.name == "postgresql" else sqlite
    row = dialect.insert(cursor_table).values(follower=follower, world=world, timeline=timeline, seq=seq)
    conn.execute(
        row.on_conflict_do_update(
            index_elements=[_c.follower, _c.world, _c.timeline],
            set_={"seq": row.excluded.seq},
            where=_c.seq < row.excluded.seq,
        )
    )
