"""Worlds: a slug, a seed, and a pointer to the timeline that is being played."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Column, Connection, Float, Table, Text, bindparam, delete, insert, select, update

from talekeeper.errors import Conflict, NotFound
from talekeeper.timeline.ids import check_world_slug
from talekeeper.timeline.store.metadata import metadata

world_table = Table(
    "world",
    metadata,
    Column("slug", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("preset", Text, nullable=False, server_default=""),
    Column("rules", Text, nullable=False, server_default=""),
    Column("player", Text, nullable=False, server_default=""),
    Column("active", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("played_at", Float, nullable=False),
)


class World(msgspec.Struct, frozen=True):
    slug: str
    title: str
    seed: int
    preset: str
    rules: str
    player: str
    active: str
    created_at: float
    played_at: float


def create_world(conn: Connection, world: World) -> World:
    check_world_slug(world.slug)
    if find_world(conn, world.slug) is not None:
        raise Conflict(f"A world named {world.slug} is already here.", "Choose another name, or delete that one first.")
    conn.execute(insert(world_table).values(msgspec.structs.asdict(world)))
    return world


_FIND = select(world_table).where(world_table.c.slug == bindparam("slug"))


def find_world(conn: Connection, slug: str) -> World | None:
    row = conn.execute(_FIND, {"slug": slug}).one_or_none()
    return None if row is None else World(*row)


def get_world(conn: Connection, slug: str) -> World:
    world = find_world(conn, slug)
    if world is None:
        known = [w.slug for w in list_worlds(conn)[:5]]
        hint = f"Here are: {', '.join(known)}." if known else "Make one with `talekeeper world new`."
        raise NotFound(f"There is no world named {slug[:80]!r}.", hint)
    return world


def list_worlds(conn: Connection) -> list[World]:
    rows = conn.execute(select(world_table).order_by(world_table.c.played_at.desc(), world_table.c.slug))
    return [World(*row) for row in rows]


def set_active(conn: Connection, slug: str, timeline: str, now: float) -> None:
    conn.execute(update(world_table).where(world_table.c.slug == slug).values(active=timeline, played_at=now))


_TOUCH = update(world_table).where(world_table.c.slug == bindparam("of"))


def touch(conn: Connection, slug: str, now: float) -> None:
    conn.execute(_TOUCH, {"of": slug, "played_at": now})


def delete_world(conn: Connection, slug: str) -> None:
    """The world and every row that names it, in whatever table."""
    get_world(conn, slug)
    for table in reversed(metadata.sorted_tables):
        if "world" in table.c and table is not world_table:
            conn.execute(delete(table).where(table.c.world == slug))
    conn.execute(delete(world_table).where(world_table.c.slug == slug))
