"""Who has written in a channel before: so that a newcomer is one on every evening but the first."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Column, Connection, Float, Table, Text, select
from sqlalchemy.dialects import postgresql, sqlite

from talekeeper.timeline.store.metadata import metadata

viewer_table = Table(
    "stream_viewer",
    metadata,
    Column("world", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("first_at", Float, nullable=False),
)
_v = viewer_table.c


def note_viewers(conn: Connection, world: str, names: Iterable[tuple[str, float]]) -> None:
    rows = [{"world": world, "name": name, "first_at": at} for name, at in names]
    if rows:
        dialect = postgresql if conn.dialect.name == "postgresql" else sqlite
        conn.execute(dialect.insert(viewer_table).on_conflict_do_nothing(), rows)


def known_viewers(conn: Connection, world: str) -> list[str]:
    return list(conn.execute(select(_v.name).where(_v.world == world)).scalars())
