"""Which of the preset's lines have been told along a path, so that none is told twice. At most one row per line and timeline."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import BigInteger, Column, Connection, Table, Text, bindparam, select

from talekeeper.timeline.lineage import Path
from talekeeper.timeline.store.metadata import metadata
from talekeeper.timeline.store.missing import insert_missing
from talekeeper.timeline.vocabulary import Event, LineSpoken, NarrationTold

told_line_table = Table(
    "told_line",
    metadata,
    Column("world", Text, primary_key=True),
    Column("timeline", Text, primary_key=True),
    Column("line", Text, primary_key=True),
    Column("seq", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
_l = told_line_table.c


def project(conn: Connection, past: Path, events: Sequence[Event]) -> None:
    rows = [
        {"world": past.world, "timeline": event.timeline, "line": line, "seq": event.seq}
        for event in events
        for line in _lines(event)
    ]
    insert_missing(conn, told_line_table, rows)


def _lines(event: Event) -> tuple[str, ...]:
    match event.body:
        case NarrationTold(lines=lines):
            return lines
        case LineSpoken(line=line) if line:
            return (line,)
    return ()


_TOLD = select(_l.line).where(
    _l.world == bindparam("world"), _l.timeline == bindparam("timeline"), _l.seq <= bindparam("upto")
)


def told_lines(conn: Connection, past: Path) -> frozenset[str]:
    found: set[str] = set()
    for segment in past.segments:
        where = {"world": past.world, "timeline": segment.timeline, "upto": segment.upto}
        found.update(conn.execute(_TOLD, where).scalars())
    return frozenset(found)
