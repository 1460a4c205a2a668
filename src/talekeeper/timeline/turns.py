"""The turn row: the truth of a running turn, and the lease of its scene.

accepted -> resolved -> told -> done | interrupted; any non-final state -> failed (retryable). Each step writes its
output here last, so whoever reads the row knows exactly what is still to be done.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

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
    Update,
    bindparam,
    delete,
    insert,
    select,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError

from talekeeper.errors import Conflict, NotFound, TurnInProgress
from talekeeper.timeline.lineage import Path
from talekeeper.timeline.store.asked import Question, Row
from talekeeper.timeline.store.metadata import metadata

TurnState = Literal["accepted", "resolved", "told", "done", "interrupted", "failed"]
RUNNING: tuple[TurnState, ...] = ("accepted", "resolved", "told")
ENDED: tuple[TurnState, ...] = ("done", "interrupted")

LEASE_SECONDS = 30.0
RENEW_SECONDS = 10.0

turn_table = Table(
    "turn",
    metadata,
    Column("world", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("timeline", Text, nullable=False),
    Column("scene", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("intent", Text, nullable=False),
    Column("base_seq", BigInteger, nullable=False),
    Column("last_seq", BigInteger),
    Column("outcome", Text),
    Column("manifest", Text),
    Column("prose", Text),
    Column("error", Text),
    Column("idem", Text),
    Column("lease_owner", Text),
    Column("lease_until", Float),
    Column("accepted_at", Float, nullable=False),
    Column("ended_at", Float),
)
_t = turn_table.c
# Written out, not bound: a partial index serves only a query that shows its condition.
_IS_RUNNING = text("state IN ('accepted', 'resolved', 'told')")
Index("turn_end", _t.world, _t.timeline, _t.last_seq)
Index("turn_number", _t.world, _t.timeline, _t.number)
# The database itself refuses a second running turn in a scene.
Index(
    "turn_running", _t.world, _t.timeline, _t.scene,
    unique=True, sqlite_where=_t.state.in_(RUNNING), postgresql_where=_t.state.in_(RUNNING),
)  # fmt: skip
Index("turn_unfinished", _t.state, sqlite_where=_t.state.in_(RUNNING), postgresql_where=_t.state.in_(RUNNING))
Index(
    "turn_idem",
    _t.world,
    _t.idem,
    unique=True,
    sqlite_where=_t.idem.is_not(None),
    postgresql_where=_t.idem.is_not(None),
)


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    world: str
    id: str
    timeline: str
    scene: str
    number: int
    attempt: int = 1
    state: TurnState = "accepted"
    actor: str
    intent: str
    base_seq: int
    """The head when the turn was accepted; everything the turn reads is as of here."""
    last_seq: int | None = None
    outcome: str | None = None
    manifest: str | None = None
    prose: str | None = None
    error: str | None = None
    idem: str | None = None
    lease_owner: str | None = None
    lease_until: float | None = None
    accepted_at: float
    ended_at: float | None = None

    @property
    def running(self) -> bool:
        return self.state in RUNNING


_INSERT = insert(turn_table)
_DROP_FAILED = delete(turn_table).where(_t.world == bindparam("world"), _t.id == bindparam("id"), _t.state == "failed")


def accept(conn: Connection, turn: Turn) -> Turn:
    """Write the row before anybody is told it was accepted. The caller has locked the timeline's head."""
    busy = running_turn(conn, turn.world, turn.timeline, turn.scene)
    if busy is not None:
        raise _in_progress(busy)
    # A failed turn left no events; the next one takes its number.
    conn.execute(_DROP_FAILED, {"world": turn.world, "id": turn.id})
    try:
        conn.execute(_INSERT, msgspec.structs.asdict(turn))
    except IntegrityError as error:
        raise _in_progress(turn) from error
    return turn


def _in_progress(turn: Turn) -> TurnInProgress:
    return TurnInProgress(
        f"Turn {turn.number} of this scene is still being told.", "Wait for it to end, or stop it.", retry_after=1.0
    )


def get_turn(conn: Connection, world: str, turn_id: str) -> Turn:
    row = conn.execute(select(turn_table).where(_t.world == world, _t.id == turn_id)).one_or_none()
    if row is None:
        raise NotFound(f"The world {world} has no turn {turn_id[:40]!r}.")
    return _turn(row)


def find_by_idem(conn: Connection, world: str, idem: str) -> Turn | None:
    row = conn.execute(select(turn_table).where(_t.world == world, _t.idem == idem)).one_or_none()
    return None if row is None else _turn(row)


_RUNNING_ON = Question(
    select(turn_table).where(_t.world == bindparam("world"), _t.timeline == bindparam("timeline"), _IS_RUNNING)
)


def running_turn(conn: Connection, world: str, timeline: str, scene: str | None = None) -> Turn | None:
    running = map(_turn, _RUNNING_ON.ask(conn, {"world": world, "timeline": timeline}))
    return next((turn for turn in running if scene in (None, turn.scene)), None)


def highest_running(conn: Connection, world: str, timeline: str) -> int:
    """The highest number among the turns now being told on a timeline, each in a scene of its own; 0 for none."""
    running = map(_turn, _RUNNING_ON.ask(conn, {"world": world, "timeline": timeline}))
    return max((turn.number for turn in running), default=0)


def unfinished(conn: Connection, now: float, *, leases_void: bool) -> list[Turn]:
    """Turns nobody is working on: their lease ran out, or this store has one process and it has just started."""
    query = select(turn_table).where(_IS_RUNNING).order_by(_t.accepted_at)
    return [t for t in map(_turn, conn.execute(query)) if leases_void or (t.lease_until or 0) < now]


def take_lease(conn: Connection, turn: Turn, owner: str, now: float) -> bool:
    """Fencing: only one of several that saw the lease run out gets it."""
    took = conn.execute(
        update(turn_table)
        .where(_t.world == turn.world, _t.id == turn.id, _t.state.in_(RUNNING))
        .where(
            _t.lease_owner.is_not_distinct_from(turn.lease_owner), _t.lease_until.is_not_distinct_from(turn.lease_until)
        )
        .values(lease_owner=owner, lease_until=now + LEASE_SECONDS)
    )
    return took.rowcount == 1


def renew_lease(conn: Connection, world: str, turn_id: str, owner: str, now: float) -> bool:
    renewed = conn.execute(
        update(turn_table)
        .where(_t.world == world, _t.id == turn_id, _t.lease_owner == owner, _t.state.in_(RUNNING))
        .values(lease_until=now + LEASE_SECONDS)
    )
    return renewed.rowcount == 1


def release_leases(conn: Connection, owner: str) -> None:
    """A process that ends in good order leaves its turns for the next one to take up at once."""
    conn.execute(update(turn_table).where(_IS_RUNNING, _t.lease_owner == owner).values(lease_until=0.0))


@cache
def _write_if_mine(columns: frozenset[str]) -> Update:
    mine = (_t.world == bindparam("of_world"), _t.id == bindparam("of_id"))
    owned = _t.lease_owner.is_not_distinct_from(bindparam("of_owner"))
    return update(turn_table).where(*mine, owned).values({name: bindparam(name) for name in sorted(columns)})


def write_turn(conn: Connection, turn: Turn, **values: Any) -> Turn:
    """Write a step's output, provided the lease is still ours."""
    mine = {"of_world": turn.world, "of_id": turn.id, "of_owner": turn.lease_owner}
    written = conn.execute(_write_if_mine(frozenset(values)), mine | values)
    if written.rowcount != 1:
        raise Conflict(f"Turn {turn.number} is being told by another process.", "Follow it there; nothing was lost.")
    return msgspec.structs.replace(turn, **values)


def reopen_failed(conn: Connection, turn: Turn, owner: str, now: float, *, scene: str, head: int) -> Turn:
    """The turn goes on in the scene and from the head of today: the world may have moved since it failed."""
    busy = running_turn(conn, turn.world, turn.timeline, scene)
    if busy is not None:
        raise _in_progress(busy)
    state: TurnState = "accepted" if turn.outcome is None else "resolved"
    values = {"state": state, "attempt": 1, "error": None, "prose": None, "ended_at": None}
    place = {"scene": scene, "base_seq": head}
    lease = {"lease_owner": owner, "lease_until": now + LEASE_SECONDS}
    conn.execute(update(turn_table).where(_t.world == turn.world, _t.id == turn.id).values(**values, **place, **lease))
    return msgspec.structs.replace(turn, **values, **place, **lease)


# Built once: every turn asks these.
_ON_SEGMENT = select(turn_table).where(
    _t.world == bindparam("world"),
    _t.timeline == bindparam("timeline"),
    _t.last_seq <= bindparam("upto"),
    text("state IN ('done', 'interrupted')"),
)
_NEWEST = _ON_SEGMENT.order_by(_t.last_seq.desc()).limit(bindparam("most", type_=Integer))
_NUMBERED = _ON_SEGMENT.where(_t.number == bindparam("number"))
_EVERY = 2**31 - 1


def last_turn(conn: Connection, past: Path) -> Turn | None:
    """The newest ended turn along a path."""
    found = turns_along(conn, past, limit=1)
    return found[0] if found else None


def turn_on_path(conn: Connection, past: Path, number: int) -> Turn | None:
    for segment in reversed(past.segments):
        where = {"world": past.world, "timeline": segment.timeline, "upto": segment.upto, "number": number}
        row = conn.execute(_NUMBERED, where).one_or_none()
        if row is not None:
            return _turn(row)
    return None


def turns_along(conn: Connection, past: Path, *, limit: int | None = None) -> list[Turn]:
    """Ended turns along a path, oldest first; with a limit, the newest that many."""
    most = _EVERY if limit is None else limit
    found: list[Turn] = []
    for segment in reversed(past.segments):
        where = {"world": past.world, "timeline": segment.timeline, "upto": segment.upto, "most": most - len(found)}
        found.extend(map(_turn, conn.execute(_NEWEST, where)))
        if len(found) >= most:
            break
    return found[::-1]


def failed_turn(conn: Connection, world: str, timeline: str, after: int) -> Turn | None:
    """The failed turn that nothing has come after yet: its number is above `after`, the last that ended."""
    row = conn.execute(
        select(turn_table)
        .where(_t.world == world, _t.timeline == timeline, _t.state == "failed", _t.number > after)
        .order_by(_t.number.desc())
        .limit(1)
    ).one_or_none()
    return None if row is None else _turn(row)


_COLUMNS = tuple(column.name for column in turn_table.c)


def _turn(row: Row) -> Turn:
    return Turn(**dict(zip(_COLUMNS, row, strict=True)))
