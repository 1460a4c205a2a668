"""Stored events, and reading them along a path."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    Index,
    Integer,
    Table,
    Text,
    bindparam,
    select,
    text,
    update,
)

from talekeeper.errors import NotFound
from talekeeper.timeline.ids import parse_event_id
from talekeeper.timeline.lineage import Path
from talekeeper.timeline.store.asked import Question, Row
from talekeeper.timeline.store.metadata import metadata
from talekeeper.timeline.vocabulary import PUBLIC, UNSEEN, Body, Event, decode_body, encode_body

event_table = Table(
    "event",
    metadata,
    Column("world", Text, primary_key=True),
    Column("timeline", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("v", Integer, nullable=False),
    Column("at", Float, nullable=False),
    Column("story_time", BigInteger),
    Column("scene", Text),
    Column("turn", Text),
    Column("by", Text, nullable=False),
    Column("place", Text),
    Column("witnesses", Text, nullable=False),
    Column("cause", Text),
    Column("body", Text, nullable=False),
    Column("idem", Text),
    sqlite_with_rowid=False,
)
Index("event_kind", event_table.c.world, event_table.c.timeline, event_table.c.kind, event_table.c.seq)
Index(
    "event_idem",
    event_table.c.world,
    event_table.c.timeline,
    event_table.c.idem,
    unique=True,
    sqlite_where=event_table.c.idem.is_not(None),
    postgresql_where=event_table.c.idem.is_not(None),
)
Index(
    "event_turn",
    event_table.c.world,
    event_table.c.turn,
    sqlite_where=event_table.c.turn.is_not(None),
    postgresql_where=event_table.c.turn.is_not(None),
)

_WITNESSES = {PUBLIC: '["*"]', UNSEEN: "[]"}
_read_witnesses = msgspec.json.Decoder(tuple[str, ...]).decode


def to_row(event: Event) -> dict[str, Any]:
    row = msgspec.structs.asdict(event)
    row["body"] = encode_body(event.body)
    row["witnesses"] = _WITNESSES.get(event.witnesses) or msgspec.json.encode(event.witnesses).decode()
    return row


def from_row(row: Row) -> Event:
    """From the columns of the table, in their order."""
    world, timeline, seq, kind, v, at, story_time, scene, turn, by, place, witnesses, cause, body, idem = row
    return Event(
        world=world, timeline=timeline, seq=seq, kind=kind, v=v, at=at, story_time=story_time, scene=scene, turn=turn, by=by,
        place=place, witnesses=_read_witnesses(witnesses), cause=cause, body=decode_body(kind, body), idem=idem,
    )  # fmt: skip


def read_events(
    conn: Connection,
    past: Path,
    *,
    after: int = 0,
    kinds: Collection[str] | None = None,
    limit: int | None = None,
    newest_first: bool = False,
) -> Iterator[Event]:
    """Events along a path, page by page: whoever stops early has paid for what they took, not for the history."""
    left, page = limit, _FIRST_PAGE
    for segment in reversed(past.segments) if newest_first else past.segments:
        low, high = max(segment.after, after), segment.upto
        while low < high and (left is None or left > 0):
            size = page if left is None else min(page, left)
            page = min(2 * page, _LARGEST_PAGE)
            rows = _page(conn, past.world, segment.timeline, low, high, kinds, size, newest_first=newest_first)
            for row in rows:
                yield from_row(row)
            left = None if left is None else left - len(rows)
            if len(rows) < size:
                break
            low, high = (low, rows[-1][_SEQ] - 1) if newest_first else (rows[-1][_SEQ], high)


_SEQ = list(event_table.c).index(event_table.c.seq)
_FIRST_PAGE = 32
_LARGEST_PAGE = 1024
# SQLite keeps no statistics here and would walk every event to find the few of one kind.
_BY_KIND = {"sqlite": "event indexed by event_kind", "postgresql": "event"}
_MANY = {
    "sqlite": "select value from json_each(:kinds)",
    "postgresql": "select jsonb_array_elements_text(cast(:kinds as jsonb))",
}
_PAGES = {
    (dialect, which, newest_first): Question(
        text(f"""
        select {", ".join(c.name for c in event_table.c)} from {source}
        where world = :world and timeline = :timeline and seq > :low and seq <= :high {condition}
        order by seq {"desc" if newest_first else "asc"} limit :size""").columns(*event_table.c)
    )
    for dialect in ("sqlite", "postgresql")
    for which, source, condition in (
        ("all", "event", ""),
        ("one", _BY_KIND[dialect], "and kind = :kind"),
        ("many", "event", f"and kind in ({_MANY[dialect]})"),
    )
    for newest_first in (False, True)
}


def _page(
    conn: Connection,
    world: str,
    timeline: str,
    low: int,
    high: int,
    kinds: Collection[str] | None,
    size: int,
    *,
    newest_first: bool,
) -> Sequence[Row]:
    arguments: dict[str, Any] = {"world": world, "timeline": timeline, "low": low, "high": high, "size": size}
    which = "all"
    if kinds is not None:
        which = "one" if len(kinds) == 1 else "many"
        arguments |= {"kind": next(iter(kinds))} if len(kinds) == 1 else {"kinds": _names(kinds)}
    return _PAGES[conn.dialect.name, which, newest_first].ask(conn, arguments)


def _names(kinds: Collection[str]) -> str:
    return msgspec.json.encode(sorted(kinds)).decode()


_ONE = select(event_table).where(
    event_table.c.world == bindparam("world"),
    event_table.c.timeline == bindparam("timeline"),
    event_table.c.seq == bindparam("seq"),
)


_ITS_TURN = select(event_table.c.turn).where(
    event_table.c.world == bindparam("world"),
    event_table.c.timeline == bindparam("timeline"),
    event_table.c.seq == bindparam("seq"),
)


def turn_of_event(conn: Connection, world: str, timeline: str, seq: int) -> str | None:
    turn: str | None = conn.execute(_ITS_TURN, {"world": world, "timeline": timeline, "seq": seq}).scalar_one_or_none()
    return turn


def get_event(conn: Connection, world: str, event_id: str) -> Event:
    timeline, seq = parse_event_id(event_id)
    row = conn.execute(_ONE, {"world": world, "timeline": timeline, "seq": seq}).one_or_none()
    if row is None:
        raise NotFound(f"The world {world} has no event {event_id}.")
    return from_row(row)


_OF_TURN = (
    select(event_table)
    .where(event_table.c.world == bindparam("world"), event_table.c.turn == bindparam("turn"))
    .order_by(event_table.c.seq)
)


def events_of_turn(conn: Connection, world: str, turn: str) -> list[Event]:
    return [from_row(row) for row in conn.execute(_OF_TURN, {"world": world, "turn": turn})]


def redact(conn: Connection, event: Event, body: Body) -> None:
    """The one mutation: blank what somebody had the right to take back."""
    columns = event_table.c
    conn.execute(
        update(event_table)
        .where(columns.world == event.world, columns.timeline == event.timeline, columns.seq == event.seq)
        .values(body=encode_body(body))
    )
