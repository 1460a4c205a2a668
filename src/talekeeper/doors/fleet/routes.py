"""POST /hooks/{source}/{world}: a delivery is verified, understood, and heard by the world, once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

import structlog
from fastapi import APIRouter, Request
from sqlalchemy import Connection

from talekeeper.chronicle.sources import Intake, Received
from talekeeper.chronicle.sources.delivery import LARGEST
from talekeeper.chronicle.world_drafts import draft_of
from talekeeper.doors.common.house import House
from talekeeper.doors.fleet.hooks import Hook, hooks_of, secret_of
from talekeeper.errors import TooLarge, Unauthorized
from talekeeper.loops.intents import Hear
from talekeeper.loops.scene import commands
from talekeeper.timeline.ids import scene_id
from talekeeper.timeline.lineage import path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.worlds import find_world

log = structlog.get_logger("talekeeper.fleet")

_MOST_INTAKES = 1000


def fleet_routes(house: House, key: bytes) -> APIRouter:
    """`key` is the house's own, from which the secrets of hooks are made."""
    router = APIRouter(tags=["fleet"])
    desk = _Desk(house, key)

    @router.post("/hooks/{source}/{world}", status_code=202, summary="A delivery of a forge, of alerts, of spans")
    async def receive(source: str, world: str, request: Request) -> dict[str, object]:
        body = await _body(request)
        return await desk.receive(source, world, dict(request.headers), body)

    return router


async def _body(request: Request) -> bytes:
    """As it came, and not a byte more than any forge sends."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST:
            raise TooLarge(f"A delivery of more than {LARGEST >> 20} MiB is too large.")
        parts.append(part)
    return b"".join(parts)


class _Desk:
    """Remembers for each hook what it has heard lately."""

    def __init__(self, house: House, key: bytes) -> None:
        self._house = house
        self._key = key
        self._intakes: OrderedDict[str, Intake] = OrderedDict()
        self._lock = asyncio.Lock()

    async def receive(self, source: str, world: str, headers: dict[str, str], body: bytes) -> dict[str, object]:
        hooks = await self._house.store.read(lambda conn: hooks_of(conn, source, world))
        received = await self._understood(hooks, source, headers, body)
        if received.duplicate or not received.events:
            if received.ignored:
                log.info("ignored", source=source, world=world, what=received.ignored)
            return {"events": 0, "duplicate": received.duplicate, "ignored": received.ignored}
        scene = await self._house.store.read(lambda conn: _scene(conn, world))
        drafts = tuple(draft_of(event) for event in received.events)
        heard = await self._house.command(commands.hear, Hear(world=world, by="fleet", scene=scene, drafts=drafts))
        return {"events": len(heard), "duplicate": False, "ignored": "", "ids": [event.id for event in heard]}

    async def _understood(self, hooks: list[Hook], source: str, headers: dict[str, str], body: bytes) -> Received:
        refusal = Unauthorized("This delivery opens no hook here.", "Make one with `talekeeper fleet hook new`.")
        async with self._lock:
            for hook in hooks:
                try:
                    return await asyncio.to_thread(self._intake(hook).receive, headers, body)
                except Unauthorized as error:
                    refusal = error
        log.warning("refused", source=source, hooks=len(hooks))
        raise refusal

    def _intake(self, hook: Hook) -> Intake:
        if hook.id not in self._intakes:
            self._intakes[hook.id] = Intake(hook.source, secret_of(hook, self._key), self._house.services.clock)
            if len(self._intakes) > _MOST_INTAKES:
                self._intakes.popitem(last=False)
        return self._intakes[hook.id]


def _scene(conn: Connection, world: str) -> str:
    """The scene the world stands in; what a fleet does is not a scene of its own."""
    found = find_world(conn, world)
    if found is None:
        raise Unauthorized("This delivery opens no hook here.", "Its world is gone.")
    snapshot = latest_snapshot(conn, path(conn, world, found.active))
    return snapshot.scene if snapshot is not None else scene_id(found.active, 1)
