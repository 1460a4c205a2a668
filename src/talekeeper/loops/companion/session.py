"""Sessions of a channel: one stream each, from its opening to its ledger. At most one of a channel is open."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import BigInteger, Column, Connection, Float, Index, Table, Text, bindparam, insert, select, update

from talekeeper.errors import NotFound
from talekeeper.loops.companion.channel import ensure_world
from talekeeper.loops.scene.work import Services
from talekeeper.observe.ids import NewId, random_id
from talekeeper.timeline.store.metadata import metadata
from talekeeper.timeline.vocabulary import Draft, SessionClosed, SessionOpened
from talekeeper.timeline.worlds import get_world, touch

DOOR = "stream"

session_table = Table(
    "stream_session",
    metadata,
    Column("id", Text, primary_key=True),
    Column("world", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("started_at", Float, nullable=False),
    Column("ended_at", Float),
    Column("live_since", Float),
    Column("offline_since", Float),
    Column("hushed_until", Float, nullable=False),
    Column("theme", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("dashboard", Text, nullable=False),
    Column("messages", BigInteger, nullable=False),
    Column("ledger", Text, nullable=False),
)
_s = session_table.c
_IS_OPEN = _s.ended_at.is_(None)
Index("stream_session_open", _s.channel, unique=True, sqlite_where=_IS_OPEN, postgresql_where=_IS_OPEN)
Index("stream_session_channel", _s.channel, _s.started_at)


class Session(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    world: str
    channel: str
    seq: int
    """Of its opening: what was said in it comes after."""
    started_at: float
    ended_at: float | None = None
    live_since: float | None = None
    offline_since: float | None = None
    """Not live any more; closed when the grace is over."""
    hushed_until: float = 0.0
    theme: str = ""
    title: str = ""
    game: str = ""
    dashboard: str = ""
    """As JSON; empty while there is none."""
    messages: int = 0
    ledger: str = ""
    """Where its ledger was written."""

    @property
    def is_open(self) -> bool:
        return self.ended_at is None


_OPEN_ONES = select(session_table).where(_IS_OPEN).order_by(_s.started_at, _s.id)
_ONE = select(session_table).where(_s.id == bindparam("id"))


def _session(row: Any) -> Session:
    return Session(**row._mapping)


def open_sessions(conn: Connection) -> list[Session]:
    return [_session(row) for row in conn.execute(_OPEN_ONES)]


def find_session(conn: Connection, id_: str) -> Session | None:
    row = conn.execute(_ONE, {"id": id_}).one_or_none()
    return None if row is None else _session(row)


def get_session(conn: Connection, id_: str) -> Session:
    found = find_session(conn, id_)
    if found is None:
        raise NotFound("session_not_found")
    return found


def open_session_of(conn: Connection, channel: str) -> Session | None:
    row = conn.execute(_OPEN_ONES.where(_s.channel == channel)).one_or_none()
    return None if row is None else _session(row)


def sessions_of(conn: Connection, channel: str, limit: int = 100) -> list[Session]:
    """Newest first."""
    rows = conn.execute(
        select(session_table).where(_s.channel == channel).order_by(_s.started_at.desc(), _s.id).limit(limit)
    )
    return [_session(row) for row in rows]


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    channel: str
    at: float
    live_since: float | None = None
    title: str = ""
    game: str = ""
    prepared: Session | None = None
    """A session that never was live: what the operator prepared in it goes on."""
    new_id: NewId = random_id


def open_session(conn: Connection, services: Services, opening: Opening) -> Session:
    """The open session of the channel, or a new one."""
    world = ensure_world(conn, services, opening.channel)
    found = open_session_of(conn, opening.channel)
    if found is not None:
        return found
    id_ = opening.new_id()
    opened = SessionOpened(session=id_, door=DOOR, name=opening.channel)
    (event,) = services.appender.append(
        conn, world.slug, world.active, [Draft(body=opened, by=DOOR, at=opening.at, idem=f"session:{id_}:opened")]
    )
    before = opening.prepared
    session = Session(
        id=id_, world=world.slug, channel=opening.channel, seq=event.seq, started_at=opening.at,
        live_since=opening.live_since, title=opening.title, game=opening.game,
        theme=before.theme if before else "", dashboard=before.dashboard if before else "",
        hushed_until=before.hushed_until if before else 0.0,
    )  # fmt: skip
    conn.execute(insert(session_table).values(msgspec.structs.asdict(session)))
    touch(conn, world.slug, opening.at)
    return session


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    session: str
    at: float
    reason: str = ""


def close_session(conn: Connection, services: Services, closing: Closing) -> Session:
    """Closed once; whoever closes it again finds it as it was."""
    session = get_session(conn, closing.session)
    if not session.is_open:
        return session
    ended = max(closing.at, session.started_at)
    world = get_world(conn, session.world)
    body = SessionClosed(session=session.id, reason=closing.reason)
    services.appender.append(
        conn, world.slug, world.active, [Draft(body=body, by=DOOR, at=ended, idem=f"session:{session.id}:closed")]
    )
    change(conn, session.id, ended_at=ended)
    return get_session(conn, session.id)


def change(conn: Connection, id_: str, **values: Any) -> None:
    conn.execute(update(session_table).where(_s.id == id_).values(**values))


_COUNT = update(session_table).where(_s.id == bindparam("of")).values(messages=_s.messages + bindparam("more"))


def count_messages(conn: Connection, id_: str, more: int) -> None:
    conn.execute(_COUNT, {"of": id_, "more": more})
