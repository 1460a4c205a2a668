"""Logins: an account's browser, or a guest's, known by a signed cookie. Only a hash is kept, and ending one ends it at once."""

from __future__ import annotations

import hashlib
import secrets

import msgspec
from sqlalchemy import Column, Connection, Float, Index, Table, Text, delete, insert, select

from talekeeper.timeline.store.metadata import metadata

DAYS = 30
_DAY = 86_400.0

login_table = Table(
    "login",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
)
_l = login_table.c
Index("login_holder", _l.holder)


class Login(msgspec.Struct, frozen=True):
    id: str
    """As the cookie carries it."""
    holder: str
    expires_at: float


def open_login(conn: Connection, holder: str, now: float) -> Login:
    conn.execute(delete(login_table).where(_l.expires_at < now))
    login = Login(secrets.token_urlsafe(24), holder, now + DAYS * _DAY)
    conn.execute(
        insert(login_table).values(hash=_hash(login.id), holder=holder, created_at=now, expires_at=login.expires_at)
    )
    return login


def find_login(conn: Connection, id_: str, now: float) -> Login | None:
    row = conn.execute(
        select(_l.holder, _l.expires_at).where(_l.hash == _hash(id_), _l.expires_at >= now)
    ).one_or_none()
    return None if row is None else Login(id_, *row)


def end_login(conn: Connection, id_: str) -> None:
    conn.execute(delete(login_table).where(_l.hash == _hash(id_)))


def end_logins_of(conn: Connection, holder: str) -> None:
    conn.execute(delete(login_table).where(_l.holder == holder))


def _hash(id_: str) -> str:
    return hashlib.sha256(id_.encode()).hexdigest()
