"""Webhooks that lead into a world. No secret is kept: each is made from the house's key and the hook's own id."""

from __future__ import annotations

import secrets

import msgspec
from sqlalchemy import Column, Connection, Float, Index, Table, Text, insert, select, update

from talekeeper.chronicle.sources import SOURCES
from talekeeper.doors.common.keys import Signer
from talekeeper.errors import BadInput, NotFound
from talekeeper.timeline.ids import check_world_slug
from talekeeper.timeline.store.metadata import metadata

_PURPOSE = "fleet hook"

hook_table = Table(
    "fleet_hook",
    metadata,
    Column("id", Text, primary_key=True),
    Column("source", Text, nullable=False),
    Column("world", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("revoked_at", Float),
)
_t = hook_table.c
Index("fleet_hook_world", _t.world, _t.source)


class Hook(msgspec.Struct, frozen=True):
    id: str
    source: str
    world: str
    created_at: float
    revoked_at: float | None = None

    @property
    def path(self) -> str:
        return f"/hooks/{self.source}/{self.world}"


def secret_of(hook: Hook, key: bytes) -> str:
    """Long enough to be guessed by nobody, and the same whenever it is asked for."""
    return Signer(key, _PURPOSE).mark(f"{hook.id}/{hook.source}/{hook.world}")[:48]


def new_hook(conn: Connection, source: str, world: str, now: float) -> Hook:
    if source not in SOURCES:
        raise BadInput(f"There is no source {source[:40]!r}.", f"There are: {', '.join(SOURCES)}.")
    check_world_slug(world)
    hook = Hook(secrets.token_hex(6), source, world, now)
    conn.execute(insert(hook_table).values(msgspec.structs.asdict(hook)))
    return hook


def list_hooks(conn: Connection) -> list[Hook]:
    return [Hook(*row) for row in conn.execute(select(hook_table).order_by(_t.created_at, _t.id))]


def hooks_of(conn: Connection, source: str, world: str) -> list[Hook]:
    """Those that are open; two of them while a secret is being changed."""
    rows = conn.execute(select(hook_table).where(_t.source == source, _t.world == world, _t.revoked_at.is_(None)))
    return sorted((Hook(*row) for row in rows), key=lambda hook: -hook.created_at)


def revoke_hook(conn: Connection, hook: str, now: float) -> Hook:
    found = next((one for one in list_hooks(conn) if one.id == hook), None)
    if found is None:
        raise NotFound(f"There is no hook {hook[:40]!r}.", "See `talekeeper fleet hook list`.")
    if found.revoked_at is None:
        conn.execute(update(hook_table).where(_t.id == hook).values(revoked_at=now))
    return msgspec.structs.replace(found, revoked_at=found.revoked_at or now)
