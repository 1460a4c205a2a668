"""Which of the preset's lines have been told along a path, so that none is told twice. At most one row per line and timeline."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import BigInteger, Column, Connection, Table, Text, and_, bindparam, select

from talekeeper.timeline.lineage import Path, lineage_table
from talekeeper.timeline.store.asked import Question
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


# One statement whatever the depth of the ancestry: every turn asks.
_TOLD = Question(
    select(_l.line)
    .join(lineage_table, and_(lineage_table.c.world == _l.world, lineage_table.c.ancestor == _l.timeline))
    .where(lineage_table.c.world == bindparam("world"), lineage_table.c.timeline == bindparam("timeline"))
    .where(_l.seq <= lineage_table.c.max_seq, _l.seq <= bindparam("upto"))
)


def told_lines(conn: Connection, past: Path) -> frozenset[str]:
    where = {"world": past.world, "timeline": past.timeline, "upto": past.segments[-1].upto}
    return frozenset(line for (line,) in _TOLD.ask(conn, where))
