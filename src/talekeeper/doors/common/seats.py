"""Seats: who sits at a world's table, in which role, and what that role may do."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from sqlalchemy import Column, Connection, Float, Index, Table, Text, delete, insert, select, update

from talekeeper.errors import Conflict, NotAllowed, NotFound
from talekeeper.timeline.ids import slugify
from talekeeper.timeline.store.metadata import metadata

Role = Literal["owner", "game_master", "player", "spectator"]
Power = Literal["watch", "play", "run", "own"]

POWERS: dict[Role, tuple[Power, ...]] = {
    "owner": ("watch", "play", "run", "own"),
    "game_master": ("watch", "play", "run"),
    "player": ("watch", "play"),
    "spectator": ("watch",),
}
EVERY_POWER = POWERS["owner"]
_NEEDS: dict[Power, str] = {
    "watch": "a seat",
    "play": "a player's seat",
    "run": "the game master's seat",
    "own": "the owner's seat",
}

OWNER = "owner"
"""Holder and seat of whoever opens a single-user install: every world in it is theirs."""

seat_table = Table(
    "seat",
    metadata,
    Column("world", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("created_at", Float, nullable=False),
)
_s = seat_table.c
Index("seat_holder", _s.holder, _s.world, unique=True)


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    world: str
    id: str
    """Unique in its world; what `by` of events and `to` of frames name."""
    role: Role
    name: str
    holder: str = OWNER
    actor: str = ""
    """The character this seat plays; empty for the world's own player."""
    powers: tuple[Power, ...] = EVERY_POWER
    """What the way of coming in lets through; a token may let through less than the role has."""

    def may(self, power: Power) -> bool:
        return power in POWERS[self.role] and power in self.powers

    def check(self, power: Power) -> None:
        if power not in POWERS[self.role]:
            raise NotAllowed(
                f"A {self.role.replace('_', ' ')} may not do that: it takes {_NEEDS[power]}.",
                "The owner of the world can give you another seat.",
            )
        if power not in self.powers:
            raise NotAllowed(f"Your token may not do that: it lacks the scope {power}.", "Make one that has it.")


def owner_seat(world: str) -> Seat:
    return Seat(world=world, id=OWNER, role="owner", name="Owner")


def find_seat(conn: Connection, world: str, holder: str) -> Seat | None:
    row = conn.execute(select(*_shown).where(_s.world == world, _s.holder == holder)).one_or_none()
    return None if row is None else _seat(row)


def get_seat(conn: Connection, world: str, id_: str) -> Seat:
    row = conn.execute(select(*_shown).where(_s.world == world, _s.id == id_)).one_or_none()
    if row is None:
        raise NotFound(f"Nobody sits at {world} as {id_[:40]!r}.", "See the list of seats.")
    return _seat(row)


def list_seats(conn: Connection, world: str) -> list[Seat]:
    """In the order in which they sat down."""
    return [_seat(row) for row in conn.execute(select(*_shown).where(_s.world == world).order_by(_s.created_at, _s.id))]


def seats_of(conn: Connection, holder: str) -> list[Seat]:
    return [_seat(row) for row in conn.execute(select(*_shown).where(_s.holder == holder))]


def worlds_of(conn: Connection, holder: str) -> frozenset[str]:
    return frozenset(conn.execute(select(_s.world).where(_s.holder == holder)).scalars())


def take_seat(
    conn: Connection, world: str, holder: str, role: Role, name: str, now: float, *, id_: str = "", actor: str = ""
) -> Seat:
    """Sit down; whoever sits there already keeps the better of the two roles."""
    mine = find_seat(conn, world, holder)
    if mine is not None:
        if len(POWERS[role]) > len(POWERS[mine.role]):
            return change_seat(conn, mine, role=role)
        return mine
    taken = {seat.id for seat in list_seats(conn, world)} | ({OWNER} if holder != OWNER else set())
    base = id_ or slugify(name, "guest")
    free = next(wish for n in range(1, len(taken) + 2) if (wish := base if n == 1 else f"{base}-{n}") not in taken)
    seat = Seat(world=world, id=free, holder=holder, role=role, name=name, actor=actor)
    conn.execute(
        insert(seat_table).values(
            world=world, id=free, holder=holder, role=role, name=name, actor=actor, created_at=now
        )
    )  # fmt: skip
    return seat


def change_seat(conn: Connection, seat: Seat, *, role: Role | None = None, actor: str | None = None) -> Seat:
    changed = msgspec.structs.replace(seat, role=role or seat.role, actor=seat.actor if actor is None else actor)
    if seat.role == "owner" and changed.role != "owner":
        _leave_an_owner(conn, seat)
    conn.execute(
        update(seat_table)
        .where(_s.world == seat.world, _s.id == seat.id)
        .values(role=changed.role, actor=changed.actor)
    )  # fmt: skip
    return changed


def leave_seat(conn: Connection, seat: Seat) -> None:
    if seat.role == "owner":
        _leave_an_owner(conn, seat)
    conn.execute(delete(seat_table).where(_s.world == seat.world, _s.id == seat.id))


def _leave_an_owner(conn: Connection, seat: Seat) -> None:
    others = [s for s in list_seats(conn, seat.world) if s.role == "owner" and s.id != seat.id]
    if not others:
        raise Conflict("A world needs an owner.", "Make somebody else the owner first, or delete the world.")


_shown = (_s.world, _s.id, _s.holder, _s.role, _s.name, _s.actor)


def _seat(row: Any) -> Seat:
    return Seat(world=row.world, id=row.id, holder=row.holder, role=row.role, name=row.name, actor=row.actor)
