"""/turns: what has been told, and what the narrator was given for it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import Path, Query
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from talekeeper.agents.context import Manifest
from talekeeper.canon.view import CanonView
from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.entrance import Playing, TheHouse, Watching
from talekeeper.errors import NotFound
from talekeeper.timeline.lineage import path
from talekeeper.timeline.pages import ShownTurn, shown_turns
from talekeeper.timeline.turns import turn_on_path
from talekeeper.timeline.worlds import get_world

router = api_router("/worlds/{world}/turns", "play")

TimelineName = Annotated[
    str | None, Query(max_length=12, description="Another timeline than the one being played.", examples=["t2"])
]


class PassageOut(BaseModel):
    kind: str = Field(description="action.taken, narration.told, line.spoken, deed.done, roll.made or scene.opened")
    who: str
    name: str
    text: str
    event: str


class RollOut(BaseModel):
    stat: str
    notation: str
    detail: str
    total: int
    difficulty: int | None
    ladder: str
    tier: str


class TurnOut(BaseModel):
    turn: str = Field(description="Empty for what was told between turns.")
    number: int
    passages: list[PassageOut]
    roll: RollOut | None = None


class ManifestItem(BaseModel):
    section: str
    ref: str
    text: str
    tokens: int
    score: float | None
    parts: dict[str, float]
    included: bool
    why: str


class ManifestOut(BaseModel):
    turn: str
    budget: int
    used: int
    base_seq: int
    items: list[ManifestItem]


@router.get("", summary="What has been told, oldest first")
async def turns(
    seat: Watching,
    house: TheHouse,
    before: Annotated[int | None, Query(ge=0, le=10**9, description="Turns before this number.")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 20,
    timeline: TimelineName = None,
) -> list[TurnOut]:
    def look(conn: Connection) -> list[TurnOut]:
        world = get_world(conn, seat.world)
        past = path(conn, world.slug, timeline or world.active)
        view = CanonView(conn, past)
        return [turn_out(view, turn) for turn in shown_turns(conn, past, before=before, limit=limit)]

    return await house.store.read(look)


@router.get("/{number}/why", summary="What the narrator was given for a turn, and why")
async def why(
    seat: Playing,
    house: TheHouse,
    number: Annotated[int, Path(ge=1, le=10**9)],
    timeline: TimelineName = None,
) -> ManifestOut:
    def look(conn: Connection) -> ManifestOut:
        world = get_world(conn, seat.world)
        turn = turn_on_path(conn, path(conn, world.slug, timeline or world.active), number)
        if turn is None or turn.manifest is None:
            raise NotFound(f"There is no turn {number} here.", "Choose one that has been told.")
        manifest = msgspec.json.decode(turn.manifest, type=Manifest)
        return ManifestOut(turn=turn.id, **_builtins(manifest))

    return await house.store.read(look)


def turn_out(view: CanonView, turn: ShownTurn) -> TurnOut:
    names = {p.who: view.name(p.who) if "/" in p.who else p.who for p in turn.passages}
    return TurnOut(
        turn=turn.turn,
        number=turn.number,
        passages=[
            PassageOut(kind=p.kind, who=p.who, name=names[p.who], text=p.text, event=p.event) for p in turn.passages
        ],
        roll=RollOut(**_builtins(turn.roll)) if turn.roll else None,
    )


def _builtins(value: msgspec.Struct) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(value)
    return built
