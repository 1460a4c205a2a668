"""/timelines: the tree, and moving the world along it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import Query
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from talekeeper.canon import compare as comparison
from talekeeper.canon.predicates import Sight
from talekeeper.canon.view import CanonView
from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.entrance import Running, TheHouse, TheTable, Watching
from talekeeper.doors.web.play import Outcome, outcome
from talekeeper.doors.web.turns import TurnOut, turn_out
from talekeeper.loops.intents import Backtrack, Fork, Switch
from talekeeper.timeline.lineage import Path, list_timelines, path
from talekeeper.timeline.pages import shown_turns
from talekeeper.timeline.turns import last_turn
from talekeeper.timeline.worlds import get_world

router = api_router("/worlds/{world}", "timelines")

TimelineId = Annotated[str, Query(max_length=12, examples=["t1"])]
_MOST_COMPARED = 50


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


class DifferenceOut(BaseModel):
    subj: str
    name: str
    pred: str
    slot: str
    a: str = Field(description="As it is on the first; empty where nothing is said.")
    b: str


class SideOut(BaseModel):
    timeline: str
    turns: list[TurnOut] = Field(description="Those it does not share with the other, oldest first.")


class ComparisonOut(BaseModel):
    shared_turn: int = Field(description="The last turn both have.")
    a: SideOut
    b: SideOut
    differences: list[DifferenceOut]


@router.get("/compare", summary="Two timelines side by side: the turns they do not share, and what is true on one only")
async def compare(seat: Watching, house: TheHouse, a: TimelineId, b: TimelineId) -> ComparisonOut:
    def look(conn: Connection) -> ComparisonOut:
        paths = path(conn, seat.world, a), path(conn, seat.world, b)
        sights: tuple[Sight, ...] = ("open", "subject") if seat.may("run") else ("open",)
        found = comparison.compare(conn, *paths, sights=sights)
        shared = _number(conn, seat.world, a, found.shared_seq)
        return ComparisonOut(
            shared_turn=shared,
            a=SideOut(timeline=a, turns=_since(conn, paths[0], shared)),
            b=SideOut(timeline=b, turns=_since(conn, paths[1], shared)),
            differences=[DifferenceOut(**msgspec.to_builtins(d)) for d in found.differences],
        )

    return await house.store.read(look)


def _since(conn: Connection, past: Path, shared: int) -> list[TurnOut]:
    """Its own turns; of a very long way only the newest."""
    view = CanonView(conn, past)
    told = shown_turns(conn, past, limit=_MOST_COMPARED)
    return [turn_out(view, turn) for turn in told if turn.turn and turn.number > shared]


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
