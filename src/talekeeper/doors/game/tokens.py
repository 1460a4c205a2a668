"""Tokens of games: each opens one world. Only a hash is kept, so a stolen database opens nothing."""

from __future__ import annotations

import hashlib
import hmac
import secrets

import msgspec
from sqlalchemy import Column, Connection, Float, Table, Text, insert, select, update

from talekeeper.errors import NotFound, Unauthorized
from talekeeper.timeline.ids import check_world_slug
from talekeeper.timeline.store.metadata import metadata

_PREFIX = "tkg"

game_token_table = Table(
    "game_token",
    metadata,
    Column("id", Text, primary_key=True),
    Column("world", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("revoked_at", Float),
)
_t = game_token_table.c


class GameToken(msgspec.Struct, frozen=True):
    id: str
    world: str
    name: str
    created_at: float
    revoked_at: float | None = None


def new_token(conn: Connection, world: str, name: str, now: float) -> tuple[GameToken, str]:
    """The token, and the words that open the world with it. They are shown once and kept nowhere."""
    check_world_slug(world)
    token = GameToken(secrets.token_hex(4), world, name, now)
    secret = secrets.token_urlsafe(24)
    conn.execute(insert(game_token_table).values(hash=_hash(secret), **msgspec.structs.asdict(token)))
    return token, f"{_PREFIX}_{token.id}_{secret}"


def list_tokens(conn: Connection) -> list[GameToken]:
    rows = conn.execute(select(_t.id, _t.world, _t.name, _t.created_at, _t.revoked_at).order_by(_t.created_at, _t.id))
    return [GameToken(*row) for row in rows]


def revoke_token(conn: Connection, token: str, now: float) -> GameToken:
    """By its id, or by the whole token."""
    wanted = token.split("_")[1] if token.startswith(f"{_PREFIX}_") and token.count("_") >= 2 else token
    found = next((t for t in list_tokens(conn) if t.id == wanted), None)
    if found is None:
        raise NotFound(f"There is no game token {wanted[:20]!r}.", "See `talekeeper game token list`.")
    if found.revoked_at is None:
        conn.execute(update(game_token_table).where(_t.id == found.id).values(revoked_at=now))
        found = msgspec.structs.replace(found, revoked_at=now)
    return found


def open_with(conn: Connection, presented: str) -> GameToken:
    """The token these words open, or Unauthorized. What is wrong with them is not said."""
    prefix, _, rest = presented.partition("_")
    token_id, _, secret = rest.partition("_")
    row = conn.execute(select(game_token_table).where(_t.id == token_id)).one_or_none() if prefix == _PREFIX else None
    kept = row.hash if row is not None else _hash("")
    fits = hmac.compare_digest(kept, _hash(secret))
    if row is None or not fits or row.revoked_at is not None:
        raise Unauthorized("This token opens no world here.", "Make one with `talekeeper game token new`.")
    return GameToken(row.id, row.world, row.name, row.created_at)


def still_good(conn: Connection, ids: set[str]) -> set[str]:
    return set(conn.execute(select(_t.id).where(_t.id.in_(ids), _t.revoked_at.is_(None))).scalars())


def _hash(secret: str) -> str:
    # The secret is 192 random bits: nothing slower than SHA-256 makes it harder to guess.
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
