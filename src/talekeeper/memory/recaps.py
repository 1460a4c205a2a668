"""Recaps: one line for each turn and a paragraph for each scene, derived after the fact and keyed by their cause."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Column, Connection, Integer, Table, Text, bindparam, select, text

from talekeeper.timeline.lineage import Path
from talekeeper.timeline.store.asked import Question
from talekeeper.timeline.store.metadata import metadata
from talekeeper.timeline.vocabulary import PUBLIC

recap_table = Table(
    "recap",
    metadata,
    Column("world", Text, primary_key=True),
    Column("timeline", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("scene", Text, nullable=False),
    Column("turn", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("witnesses", Text, nullable=False),
)
_r = recap_table.c


class Recap(msgspec.Struct, frozen=True):
    seq: int
    scene: str
    turn: str
    text: str
    witnesses: tuple[str, ...] = PUBLIC
    """Who saw and heard all that it tells."""


_COLUMNS = [column.name for column in recap_table.columns]
_KEEP = text(
    f"insert into recap ({', '.join(_COLUMNS)}) values ({', '.join(f':{name}' for name in _COLUMNS)})"
    " on conflict (world, timeline, seq) do update set"
    " scene = excluded.scene, turn = excluded.turn, text = excluded.text, witnesses = excluded.witnesses"
)


def keep_recap(conn: Connection, world: str, timeline: str, recap: Recap) -> None:
    """Idempotent: the same cause gives the same row."""
    row = msgspec.structs.asdict(recap) | {"witnesses": " ".join(recap.witnesses)}
    conn.execute(_KEEP, row | {"world": world, "timeline": timeline})


_NEWEST = Question(
    select(_r.seq, _r.scene, _r.turn, _r.text, _r.witnesses)
    .where(_r.world == bindparam("world"), _r.timeline == bindparam("timeline"), _r.seq <= bindparam("upto"))
    .order_by(_r.seq.desc())
    .limit(bindparam("most", type_=Integer))
)


def recaps(conn: Connection, past: Path, *, limit: int = 12, witness: str | None = None) -> list[Recap]:
    """The newest recaps along a path, oldest first; with `witness`, those of what they saw and heard."""
    found: list[Recap] = []
    for segment in reversed(past.segments):
        upto = segment.upto
        while len(found) < limit:
            where = {"world": past.world, "timeline": segment.timeline, "upto": upto, "most": limit}
            rows = _NEWEST.ask(conn, where)
            page = [Recap(seq, scene, turn, told, tuple(seen.split(" "))) for seq, scene, turn, told, seen in rows]
            found.extend(recap for recap in page if witness is None or {witness, *PUBLIC} & set(recap.witnesses))
            if len(page) < limit:
                break
            upto = page[-1].seq - 1
    return found[:limit][::-1]
