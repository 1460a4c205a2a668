"""Looks now and then whether a watched world went on without us: in a terminal, another door, another process."""

from __future__ import annotations

import asyncio
from functools import partial

import structlog
from sqlalchemy import Connection, select

from talekeeper.doors.common.audience import Audience, Standing
from talekeeper.errors import TalekeeperError
from talekeeper.timeline.lineage import timeline_table
from talekeeper.timeline.store import Store
from talekeeper.timeline.worlds import world_table

log = structlog.get_logger("talekeeper.lookout")

EVERY_SECONDS = 2.0

_t, _w = timeline_table.c, world_table.c
_STANDING = select(_w.slug, _w.active, _t.head).join(timeline_table, (_t.world == _w.slug) & (_t.id == _w.active))


async def keep_looking(store: Store, audience: Audience) -> None:
    """Until cancelled. Nobody watching costs nothing."""
    while True:
        await asyncio.sleep(EVERY_SECONDS)
        watched = audience.watched
        if not watched:
            continue
        try:
            for world, stands in await store.read(partial(_standing, worlds=watched)):
                audience.found(world, stands)
        except TalekeeperError as error:
            log.warning("cannot_look", error=str(error))


def _standing(conn: Connection, worlds: list[str]) -> list[tuple[str, Standing]]:
    rows = conn.execute(_STANDING.where(_w.slug.in_(worlds)))
    return [(row.slug, Standing(row.active, row.head)) for row in rows]
