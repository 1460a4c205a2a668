"""Acting and watching over HTTP: an action is accepted with its turn id, the telling follows as server-sent events."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
from fastapi import APIRouter
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from talekeeper.doors.common.house import House
from talekeeper.errors import NotFound
from talekeeper.loops.intents import Act, Stop
from talekeeper.loops.running import RunningTurn, encode_frame
from talekeeper.timeline.lineage import path
from talekeeper.timeline.transcript import ToldTurn, transcript
from talekeeper.timeline.worlds import get_world, list_worlds


class Action(BaseModel):
    text: str = Field(description="What the player does, in their own words.")
    idem: str | None = Field(
        default=None, max_length=200, description="A repeated request with the same key gives the first answer."
    )


class Accepted(BaseModel):
    turn: str
    stream: str


def scene_routes(house: House) -> APIRouter:
    router = APIRouter(prefix="/api/v1", tags=["play"])

    @router.get("/worlds", summary="The worlds kept here, last played first")
    async def worlds() -> list[dict[str, object]]:
        found = await house.store.read(list_worlds)
        return [{"slug": w.slug, "title": w.title, "preset": w.preset, "active": w.active} for w in found]

    @router.post("/worlds/{world}/act", status_code=202, summary="Act; the turn is safely accepted when this answers")
    async def act(world: str, action: Action) -> Accepted:
        running = await house.scenes.act(Act(world=world, text=action.text, idem=action.idem))
        return Accepted(turn=running.turn, stream=f"/api/v1/worlds/{world}/stream")

    @router.post("/worlds/{world}/stop", summary="Stop the telling; what was told stands")
    async def stop(world: str) -> dict[str, bool]:
        return {"stopped": await house.scenes.stop(Stop(world=world))}

    @router.get("/worlds/{world}/turns", summary="What has been told, oldest first")
    async def turns(world: str, last: int = 20) -> list[dict[str, object]]:
        def told(conn: Connection) -> list[ToldTurn]:
            found = get_world(conn, world)
            return transcript(conn, path(conn, found.slug, found.active), last_turns=min(max(last, 1), 200))

        return [msgspec.to_builtins(turn) for turn in await house.store.read(told)]

    @router.get("/worlds/{world}/stream", summary="The running turn as server-sent events, from its first frame")
    async def stream(world: str) -> StreamingResponse:
        found = await house.store.read(lambda conn: get_world(conn, world))
        running = house.scenes.running(found.slug, found.active)
        if running is None:
            raise NotFound("No turn is being told right now.", "Ended turns are under /turns.")
        return StreamingResponse(
            _events(running), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
        )

    return router


async def _events(running: RunningTurn) -> AsyncIterator[bytes]:
    async for frame in running.watch():
        yield b"data: " + encode_frame(frame) + b"\n\n"
