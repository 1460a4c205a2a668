"""Work to be done after a turn, written in the turn's own transaction. Key: effect, version, timeline, seq of its cause."""

from __future__ import annotations

from collections.abc import Sequence

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


_OF_JOB = update(outbox_table).where(
    _o.effect == bindparam("of_effect"), _o.version == bindparam("of_version"), _o.world == bindparam("of_world"),
    _o.timeline == bindparam("of_timeline"), _o.seq == bindparam("of_seq"),
)  # fmt: skip
_INSERT = insert(outbox_table)
_CLAIM = _OF_JOB.values(due_at=bindparam("until"), attempts=bindparam("attempt"))
_FINISH = _OF_JOB.values(state="done", error=None, ended_at=bindparam("now"))


def put(conn: Connection, jobs: Sequence[Job]) -> None:
    if jobs:
        conn.execute(_INSERT, [msgspec.structs.asdict(job) for job in jobs])


# Two runners on Postgres do not wait for each other; on SQLite there is one writer anyway.
_DUE = (
    select(outbox_table)
    .where(_PENDING, _o.due_at <= bindparam("now"))
    .order_by(_o.due_at, _o.world, _o.seq)
    .limit(bindparam("most", type_=Integer))
    .with_for_update(skip_locked=True)
)
_NEXT_DUE = select(func.min(_o.due_at)).where(_PENDING)


def due(conn: Connection, now: float, limit: int = 50) -> list[Job]:
    return [Job(*row) for row in conn.execute(_DUE, {"now": now, "most": limit})]


def next_due(conn: Connection) -> float | None:
    due_at: float | None = conn.execute(_NEXT_DUE).scalar_one()
    return due_at


def claim(conn: Connection, jobs: Sequence[Job], until: float) -> list[Job]:
    """Hide jobs from other runners while they are worked on; a runner that dies lets them come back.

    The attempt counts from here, so that a job which takes its runner down with it is parked in the end.
    """
    claimed = [msgspec.structs.replace(job, attempts=job.attempts + 1, due_at=until) for job in jobs]
    if claimed:
        conn.execute(_CLAIM, [_key(job) | {"until": until, "attempt": job.attempts} for job in claimed])
    return claimed


def finish(conn: Connection, job: Job, now: float) -> None:
    conn.execute(_FINISH, _key(job) | {"now": now})


def fail(conn: Connection, job: Job, error: str, *, retry_at: float | None, now: float) -> None:
    """Try again at `retry_at`, or park it for a person to see."""
    ending = {"state": "parked", "ended_at": now} if retry_at is None else {"due_at": retry_at}
    conn.execute(_OF_JOB.values(error=error[:2000], **ending), _key(job))


def list_jobs(conn: Connection, states: Sequence[str] = ("pending", "parked"), limit: int = 200) -> list[Job]:
    query = select(outbox_table).where(_o.state.in_(states)).order_by(_o.created_at.desc()).limit(limit)
    return [Job(*row) for row in conn.execute(query)]


def retry_parked(conn: Connection, now: float, job_id: str | None = None) -> int:
    """Give parked jobs a fresh start; all of them, or the one named."""
    parked = [job for job in list_jobs(conn, ("parked",), 10_000) if job_id in (None, job.id)]
    if job_id is not None and not parked:
        raise NotFound(f"No parked effect is called {job_id[:120]!r}.", "See `talekeeper effects list`.")
    for job in parked:
        conn.execute(_OF_JOB.values(state="pending", attempts=0, due_at=now, ended_at=None), _key(job))
    return len(parked)


def _key(job: Job) -> dict[str, str | int | float]:
    return {
        "of_effect": job.effect, "of_version": job.version, "of_world": job.world,
        "of_timeline": job.timeline, "of_seq": job.seq,
    }  # fmt: skip
