"""Invites: a link that gives a seat at a world, so many times, until then. Only a hash of its code is kept."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

import msgspec
from sqlalchemy import Column, Connection, Float, Integer, Table, Text, delete, insert, select, update

from talekeeper.doors.common.seats import Role
from talekeeper.errors import NotFound
from talekeeper.timeline.store.metadata import metadata

_DAY = 86_400.0

invite_table = Table(
    "invite",
    metadata,
    Column("id", Text, primary_key=True),
    Column("hash", Text, nullable=False, unique=True),
    Column("world", Text, nullable=False, index=True),
    Column("role", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("uses_left", Integer, nullable=False),
    Column("by", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
)
_i = invite_table.c


class Invite(msgspec.Struct, frozen=True):
    id: str
    world: str
    role: Role
    actor: str
    """The character it is for; empty to bring one's own."""
    uses_left: int
    by: str
    created_at: float
    expires_at: float


def make_invite(
    conn: Connection, world: str, role: Role, by: str, now: float, *, actor: str = "", uses: int = 1, days: int = 7
) -> tuple[Invite, str]:
    """The invite, and the code of its link; the code is shown once."""
    code = secrets.token_urlsafe(18)
    invite = Invite(secrets.token_hex(6), world, role, actor, uses, by, now, now + days * _DAY)
    conn.execute(insert(invite_table).values(hash=_hash(code), **msgspec.structs.asdict(invite)))
    return invite, code


def get_invite(conn: Connection, code: str, now: float) -> Invite:
    row = conn.execute(
        select(*_shown).where(_i.hash == _hash(code), _i.expires_at >= now, _i.uses_left > 0)
    ).one_or_none()
    if row is None:
        raise NotFound("This invitation does not hold (any more).", "Ask whoever sent it for a new one.")
    return _invite(row)


def use_invite(conn: Connection, code: str, now: float) -> Invite:
    """Counts down; of two who take the last one at once, one gets it."""
    invite = get_invite(conn, code, now)
    used = conn.execute(
        update(invite_table).where(_i.id == invite.id, _i.uses_left > 0).values(uses_left=_i.uses_left - 1)
    )
    if not used.rowcount:
        raise NotFound("This invitation has just been used.", "Ask whoever sent it for a new one.")
    return invite


def list_invites(conn: Connection, world: str, now: float) -> list[Invite]:
    query = select(*_shown).where(_i.world == world, _i.expires_at >= now, _i.uses_left > 0).order_by(_i.created_at)
    return [_invite(row) for row in conn.execute(query)]


def withdraw_invite(conn: Connection, world: str, id_: str) -> None:
    gone = conn.execute(delete(invite_table).where(_i.world == world, _i.id == id_))
    if not gone.rowcount:
        raise NotFound(f"There is no invitation {id_[:20]!r} here.", "See the list of invitations.")


_shown = (_i.id, _i.world, _i.role, _i.actor, _i.uses_left, _i.by, _i.created_at, _i.expires_at)


def _invite(row: Any) -> Invite:
    return Invite(*row)


def _hash(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
