"""The record of what the companion did: lines it wrote and what became of them, flags, archives, hushes, clips, seeds.

A line is held | queued -> sending -> sent | dropped | unknown; each step is on the disk before the next is taken.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from sqlalchemy import Column, Connection, Float, Index, Table, Text, and_, insert, select, update

from talekeeper.timeline.store.metadata import metadata

ActionType = Literal["response", "flag", "archive", "suppress", "clip", "blog_seed"]

action_table = Table(
    "stream_action",
    metadata,
    Column("id", Text, primary_key=True),
    Column("world", Text, nullable=False),
    Column("session", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("type", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("context_hash", Text, nullable=False),
    Column("approved_by", Text, nullable=False),
    Column("message", Text, nullable=False),
)
_a = action_table.c
Index("stream_action_session", _a.session, _a.type, _a.at)
_IS_LINE = _a.type == "response"
Index("stream_action_line", _a.world, _a.mode, _a.at, sqlite_where=_IS_LINE, postgresql_where=_IS_LINE)
_UNSETTLED = _a.state.in_(("queued", "sending"))
Index("stream_action_unsettled", _a.state, sqlite_where=_UNSETTLED, postgresql_where=_UNSETTLED)


class Action(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    world: str
    session: str
    at: float
    type: ActionType
    mode: str
    text: str
    """What it said, or what was done, for a person."""
    reason: str = ""
    state: str = ""
    """Of a line: how far it came. Of a clip: `marked` once a marker is set."""
    about: str = ""
    """More of it, as JSON; of a dropped line, why."""
    context_hash: str = ""
    approved_by: str = ""
    message: str = ""
    """The chat's own id of the line that was said, flagged or archived."""


class ClipBody(msgspec.Struct, frozen=True):
    """What a clip's action is about."""

    start: float
    peak: float
    end: float
    speakers: int = 0
    score: float = 0.0


SAME_MOMENT = 60.0
"""Two peaks closer than that are one."""


def read_clip(action: Action) -> ClipBody:
    return msgspec.json.decode(action.about, type=ClipBody)


def record(conn: Connection, actions: Iterable[Action]) -> None:
    rows = [msgspec.structs.asdict(action) for action in actions]
    if rows:
        conn.execute(insert(action_table), rows)


def mark(conn: Connection, id_: str, **values: Any) -> bool:
    """Whether there is such an action."""
    return conn.execute(update(action_table).where(_a.id == id_).values(**values)).rowcount > 0


def find_action(conn: Connection, session: str, id_: str) -> Action | None:
    row = conn.execute(select(action_table).where(_a.id == id_, _a.session == session)).one_or_none()
    return None if row is None else Action(**row._mapping)


def actions_of(
    conn: Connection,
    session: str,
    types: Iterable[ActionType] = ("response", "flag", "archive", "suppress", "clip", "blog_seed"),
    limit: int = 1000,
    *,
    states: Iterable[str] | None = None,
) -> list[Action]:
    """The newest ones, oldest first."""
    wanted = [_a.session == session, _a.type.in_(list(types))]
    if states is not None:
        wanted.append(_a.state.in_(list(states)))
    rows = conn.execute(select(action_table).where(*wanted).order_by(_a.at.desc(), _a.id.desc()).limit(limit)).all()
    return [Action(**row._mapping) for row in reversed(rows)]


def last_said(conn: Connection, world: str, modes: Iterable[str], states: Iterable[str]) -> Action | None:
    """The channel's newest line of these modes, in whatever session: a cooldown outlives its stream."""
    found = and_(_a.world == world, _a.mode.in_(list(modes)), _a.type == "response", _a.state.in_(list(states)))
    row = conn.execute(select(action_table).where(found).order_by(_a.at.desc(), _a.id).limit(1)).one_or_none()
    return None if row is None else Action(**row._mapping)


def settle_after_crash(conn: Connection) -> list[Action]:
    """What was being sent may have arrived, and is never sent again; what only waited was not said."""
    rows = conn.execute(select(action_table).where(_UNSETTLED).order_by(_a.at, _a.id)).all()
    settled = []
    for row in rows:
        action = Action(**row._mapping)
        state, why = (
            ("unknown", "ended while it was being sent") if action.state == "sending" else ("dropped", "expired")
        )
        mark(conn, action.id, state=state, about=why)
        settled.append(msgspec.structs.replace(action, state=state, about=why))
    return settled


def blank_actions(conn: Connection, session: str, messages: Iterable[str]) -> None:
    """What quoted a line that was taken back quotes it no longer; that something was done stays."""
    for message in messages:
        conn.execute(
            update(action_table)
            .where(_a.session == session, _a.message == message, _a.type.in_(("flag", "archive")))
            .values(text="(a line that was taken back)")
        )
