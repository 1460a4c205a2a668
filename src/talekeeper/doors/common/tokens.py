"""API tokens of accounts: for scripts and other programs, with no more power than they were given. Only a hash is kept."""

from __future__ import annotations

import hashlib
import secrets
from typing import Any

import msgspec
from sqlalchemy import Column, Connection, Float, Index, Table, Text, delete, insert, select

from talekeeper.doors.common.seats import Power
from talekeeper.errors import NotFound
from talekeeper.timeline.store.metadata import metadata

PREFIX = "tk_"
_DAY = 86_400.0

token_table = Table(
    "api_token",
    metadata,
    Column("id", Text, primary_key=True),
    Column("hash", Text, nullable=False, unique=True),
    Column("holder", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
)
_t = token_table.c
Index("api_token_holder", _t.holder)


class Token(msgspec.Struct, frozen=True):
    id: str
    holder: str
    label: str
    scopes: tuple[Power, ...]
    created_at: float
    expires_at: float


def issue_token(
    conn: Connection, holder: str, label: str, scopes: tuple[Power, ...], days: int, now: float
) -> tuple[Token, str]:
    """The token, and the words to send; these are shown once."""
    words = PREFIX + secrets.token_urlsafe(32)
    token = Token(secrets.token_hex(6), holder, label, scopes, now, now + days * _DAY)
    row = {**msgspec.structs.asdict(token), "scopes": " ".join(scopes), "hash": _hash(words)}
    conn.execute(insert(token_table).values(row))
    return token, words


def find_token(conn: Connection, words: str, now: float) -> Token | None:
    row = conn.execute(select(*_shown).where(_t.hash == _hash(words), _t.expires_at >= now)).one_or_none()
    return None if row is None else _token(row)


def list_tokens(conn: Connection, holder: str) -> list[Token]:
    return [_token(row) for row in conn.execute(select(*_shown).where(_t.holder == holder).order_by(_t.created_at))]


def revoke_token(conn: Connection, holder: str, id_: str) -> None:
    gone = conn.execute(delete(token_table).where(_t.id == id_, _t.holder == holder))
    if not gone.rowcount:
        raise NotFound(f"You have no token {id_[:20]!r}.", "See the list of your tokens.")


_shown = (_t.id, _t.holder, _t.label, _t.scopes, _t.created_at, _t.expires_at)


def _token(row: Any) -> Token:
    scopes = tuple(row.scopes.split())
    return Token(row.id, row.holder, row.label, scopes, row.created_at, row.expires_at)


def _hash(words: str) -> str:
    return hashlib.sha256(words.encode()).hexdigest()
