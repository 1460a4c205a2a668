"""The audit of model calls: who asked which model, with what context, what it cost, how long it took, how it ended."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import BigInteger, Boolean, Column, Connection, Float, Index, Integer, Table, Text, insert, select

from talekeeper.timeline.store.metadata import metadata

model_call_table = Table(
    "model_call",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("world", Text, nullable=False),
    Column("turn", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("role", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("context", Text, nullable=False),
    Column("tokens_in", Integer, nullable=False),
    Column("tokens_out", Integer, nullable=False),
    Column("estimated", Boolean, nullable=False),
    Column("first_token", Float),
    Column("seconds", Float, nullable=False),
    Column("finish_reason", Text, nullable=False),
    Column("error", Text, nullable=False),
)
_c = model_call_table.c
Index("model_call_turn", _c.world, _c.turn)


class CallRecord(msgspec.Struct, frozen=True, kw_only=True):
    world: str = ""
    turn: str = ""
    """Empty when it was charged to no turn."""
    at: float
    role: str
    model: str
    context: str
    """A hash of everything that was sent: the same context, the same hash."""
    tokens_in: int
    tokens_out: int
    estimated: bool
    """The service did not count; these tokens are our estimate."""
    first_token: float | None
    """Seconds until the first word; None when none came."""
    seconds: float
    finish_reason: str = ""
    """As the model gave it; empty when it gave none."""
    error: str = ""
    """The code of what went wrong; `stopped` when the caller had heard enough."""


def keep_call(conn: Connection, call: CallRecord) -> None:
    conn.execute(insert(model_call_table).values(msgspec.structs.asdict(call)))


def calls_of_turn(conn: Connection, world: str, turn: str) -> list[CallRecord]:
    """In the order in which they ended."""
    return [_call(row) for row in conn.execute(_calls(world).where(_c.turn == turn))]


def calls_of_world(conn: Connection, world: str) -> list[CallRecord]:
    return [_call(row) for row in conn.execute(_calls(world))]


def _calls(world: str) -> Any:
    columns = [column for column in model_call_table.columns if column.name != "id"]
    return select(*columns).where(_c.world == world).order_by(_c.id)


def _call(row: Any) -> CallRecord:
    return CallRecord(**row._mapping)
