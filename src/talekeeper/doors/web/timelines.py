"""/timelines: the tree, and moving the world along it."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from talekeeper.doors.web.entrance import Running, TheHouse, TheTable, Watching
from talekeeper.doors.web.play import Outcome, outcome
from talekeeper.loops.intents import Backtrack, Fork, Switch
from talekeeper.timeline.lineage import list_timelines, path
from talekeeper.timeline.turns import last_turn
from talekeeper.timeline.worlds import get_world

router = APIRouter(prefix="/worlds/{world}", tags=["timelines"])


class TimelineOut(BaseModel):
    id: str
    name: str
    parent: str | None
    fork_turn: int = Field(description="The last turn it shares with its parent.")
    fork_seq: int
    reason: str = Field(description="fork, backtrack, undo, retry or swipe; empty for the first.")
    turns: int = Field(description="The number of its last turn.")
    head: int
    created_at: float
    active: bool


class ForkAt(BaseModel):
    at: int | None = Field(default=None, description="Just after this turn; here without it.", ge=0, le=10**9)
    name: str = Field(default="", max_length=80)


class BackTo(BaseModel):
    to: int = Field(description="Back to just after this turn; 0 is the opening.", ge=0, le=10**9)


class SwitchTo(BaseModel):
    timeline: str = Field(max_length=12, examples=["t2"])


@router.get("/timelines", summary="All timelines of a world, in the order in which they came to be")
async def timelines(seat: Watching, house: TheHouse) -> list[TimelineOut]:
    def look(conn: Connection) -> list[TimelineOut]:
        world = get_world(conn, seat.world)
        return [
            TimelineOut(
                id=line.id, name=line.name, parent=line.parent, fork_turn=_number(conn, world.slug, line.parent, line.fork_seq),
                fork_seq=line.fork_seq, reason=line.reason, turns=_number(conn, world.slug, line.id), head=line.head,
                created_at=line.created_at, active=line.id == world.active,
            )
            for line in list_timelines(conn, world.slug)
        ]  # fmt: skip

    return await house.store.read(look)


def _number(conn: Connection, world: str, timeline: str | None, until: int | None = None) -> int:
    if timeline is None:
        return 0
    last = last_turn(conn, path(conn, world, timeline).until(until))
    return last.number if last else 0


@router.post("/fork", summary="Go on from here, or from an earlier turn, on a timeline of its own")
async def fork(seat: Running, at: TheTable, wish: ForkAt | None = None) -> Outcome:
    wish = wish or ForkAt()
    return outcome(seat.world, await at.carry_out(seat, Fork(world=seat.world, at=wish.at, name=wish.name)))


@router.post("/backtrack", summary="Back to just after a turn; the other future is kept")
async def backtrack(seat: Running, at: TheTable, wish: BackTo) -> Outcome:
    return outcome(seat.world, await at.carry_out(seat, Backtrack(world=seat.world, to=wish.to)))


@router.post("/switch", summary="Play on another timeline")
async def switch(seat: Running, at: TheTable, wish: SwitchTo) -> Outcome:
    return outcome(seat.world, await at.carry_out(seat, Switch(world=seat.world, timeline=wish.timeline)))
