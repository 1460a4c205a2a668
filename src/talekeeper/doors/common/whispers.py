"""Whispers: words from one seat to another. They are no event: no teller, memory, export or other seat ever meets them."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Column, Connection, Float, Index, Integer, Table, Text, insert, or_, select

from talekeeper.timeline.store.metadata import metadata

whisper_table = Table(
    "whisper",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("world", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("to", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
)
_w = whisper_table.c
Index("whisper_world", _w.world, _w.id)


class Whisper(msgspec.Struct, frozen=True):
    id: int
    by: str
    to: str
    text: str
    at: float


def whisper(conn: Connection, world: str, by: str, to: str, text: str, now: float) -> Whisper:
    row = insert(whisper_table).values(world=world, by=by, to=to, text=text, at=now).returning(_w.id)
    return Whisper(conn.execute(row).scalar_one(), by, to, text, now)


def whispers_of(conn: Connection, world: str, seat: str, limit: int = 100) -> list[Whisper]:
    """Those from and to one seat, oldest first."""
    query = (
        select(_w.id, _w.by, _w.to, _w.text, _w.at)
        .where(_w.world == world, or_(_w.by == seat, _w.to == seat))
        .order_by(_w.id.desc())
        .limit(limit)
    )
    return [Whisper(*row) for row in conn.execute(query)][::-1]
