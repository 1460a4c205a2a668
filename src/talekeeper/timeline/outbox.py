"""Work to be done after a turn, written in the turn's own transaction. Key: effect, version, timeline, seq of its cause."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Float,
    Index,
    Integer,
    Table,
    Text,
    func,
    insert,
    select,
    text,
    update,
)

from talekeeper.errors import NotFound
from talekeeper.timeline.store.metadata import metadata

outbox_table = Table(
    "outbox",
    metadata,
    Column("effect", Text, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("world", Text, primary_key=True),
    Column("timeline", Text, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("due_at", Float, nullable=False),
    Column("error", Text),
    Column("created_at", Float, nullable=False),
    Column("ended_at", Float),
)
_o = outbox_table.c
# Written out, not bound: a partial index serves only a query that shows its condition.
_PENDING = text("state = 'pending'")
Index("outbox_due", _o.due_at, sqlite_where=_PENDING, postgresql_where=_PENDING)
Index("outbox_parked", _o.state, sqlite_where=_o.state == "parked", postgresql_where=_o.state == "parked")


class Job(msgspec.Struct, frozen=True):
    """One effect for one cause. pending -> done, or parked with the reason when it keeps failing."""

    effect: str
    version: int
    world: str
    timeline: str
    seq: int
    state: str = "pending"
    attempts: int = 0
    due_at: float = 0.0
    error: str | None = None
    created_at: float = 0.0
    ended_at: float | None = None

    @property
    def id(self) -> str:
        return f"{self.effect}:{self.world}/{self.timeline}@{self.seq}"


def put(conn: Connection, jobs: Sequence[Job]) -> None:
    if jobs:
        conn.execute(insert(outbox_table), [msgspec.structs.asdict(job) for job in jobs])


def due(conn: Connection, now: float, limit: int = 50) -> list[Job]:
    query = select(outbox_table).where(_PENDING, _o.due_at <= now).order_by(_o.due_at, _o.world, _o.seq).limit(limit)
    if conn.dialect.name == "postgresql":
        query = query.with_for_update(skip_locked=True)
    return [Job(*row) for row in conn.execute(query)]


def next_due(conn: Connection) -> float | None:
    due_at: float | None = conn.execute(select(func.min(_o.due_at)).where(_PENDING)).scalar_one()
    return due_at


def claim(conn: Connection, jobs: Sequence[Job], until: float) -> list[Job]:
    """Hide jobs from other runners while they are worked on; a runner that dies lets them come back.

    The attempt counts from here, so that a job which takes its runner down with it is parked in the end.
    """
    claimed = [msgspec.structs.replace(job, attempts=job.attempts + 1, due_at=until) for job in jobs]
    for job in claimed:
        conn.execute(update(outbox_table).where(*_key(job)).values(due_at=until, attempts=job.attempts))
    return claimed


def finish(conn: Connection, job: Job, now: float) -> None:
    conn.execute(update(outbox_table).where(*_key(job)).values(state="done", error=None, ended_at=now))


def fail(conn: Connection, job: Job, error: str, *, retry_at: float | None, now: float) -> None:
    """Try again at `retry_at`, or park it for a person to see."""
    ending = {"state": "parked", "ended_at": now} if retry_at is None else {"due_at": retry_at}
    conn.execute(update(outbox_table).where(*_key(job)).values(error=error[:2000], **ending))


def list_jobs(conn: Connection, states: Sequence[str] = ("pending", "parked"), limit: int = 200) -> list[Job]:
    query = select(outbox_table).where(_o.state.in_(states)).order_by(_o.created_at.desc()).limit(limit)
    return [Job(*row) for row in conn.execute(query)]


def retry_parked(conn: Connection, now: float, job_id: str | None = None) -> int:
    """Give parked jobs a fresh start; all of them, or the one named."""
    parked = [job for job in list_jobs(conn, ("parked",), 10_000) if job_id in (None, job.id)]
    if job_id is not None and not parked:
        raise NotFound(f"No parked effect is called {job_id[:120]!r}.", "See `talekeeper effects list`.")
    for job in parked:
        conn.execute(
            update(outbox_table).where(*_key(job)).values(state="pending", attempts=0, due_at=now, ended_at=None)
        )
    return len(parked)


def _key(job: Job) -> tuple[ColumnElement[bool], ...]:
    return (
        _o.effect == job.effect, _o.version == job.version, _o.world == job.world,
        _o.timeline == job.timeline, _o.seq == job.seq,
    )  # fmt: skip
