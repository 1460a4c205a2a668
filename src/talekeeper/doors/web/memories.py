"""What one character remembers and knows. A player sees their own character's mind, the game master everybody's."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from talekeeper.agents import context
from talekeeper.canon.view import CanonView
from talekeeper.doors.common.seats import Seat
from talekeeper.doors.common.table import check_own_mind
from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.canon import Kind, Slug, chosen_path
from talekeeper.doors.web.entrance import Playing, TheHouse
from talekeeper.errors import NotFound
from talekeeper.memory.recall import recall
from talekeeper.timeline.worlds import get_world

router = api_router("/worlds/{world}", "memory")


class MemoryOut(BaseModel):
    event: str
    speaker: str
    name: str = Field(description="Of the speaker; empty for the narrator.")
    text: str
    turn: str | None
    story_time: int | None
    score: float
    parts: dict[str, float] = Field(description="What contributed to its coming to mind.")


@router.get("/memories/{kind}/{slug}", summary="What a character remembers, strongest first")
async def memories(
    seat: Playing,
    house: TheHouse,
    kind: Kind,
    slug: Slug,
    about: Annotated[str, Query(max_length=500, description="A cue; the two names by default.")] = "",
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
) -> list[MemoryOut]:
    def look(conn: Connection) -> list[MemoryOut]:
        view, who = _mind(conn, seat, kind, slug)
        player = seat.actor or get_world(conn, seat.world).player
        cue = about.strip() or f"{view.name(who)} {view.name(player)}"
        return [
            MemoryOut(
                event=m.event, speaker=m.speaker, name=view.name(m.speaker) if m.speaker else "", text=m.text,
                turn=m.turn, story_time=m.story_time, score=m.score, parts=m.parts,
            )
            for m in recall(conn, view.path, who, cue, limit=limit)
        ]  # fmt: skip

    return await house.store.read(look)


@router.get(
    "/knowledge/{kind}/{slug}",
    summary="What a character knows where they are: open facts around them, and their own mind",
)
async def knowledge(seat: Playing, house: TheHouse, kind: Kind, slug: Slug) -> list[str]:
    def look(conn: Connection) -> list[str]:
        view, who = _mind(conn, seat, kind, slug)
        here = view.text(who, "at")
        around = [here, *(e for e in view.pointing_at("at", here) if e != who)] if here else []
        return list(context.knowledge(view, who, around))

    return await house.store.read(look)


def _mind(conn: Connection, seat: Seat, kind: str, slug: str) -> tuple[CanonView, str]:
    """Whose it is, if this seat may look into it."""
    view = CanonView(conn, chosen_path(conn, seat.world))
    who = f"{kind}/{slug}"
    if not view.exists(who):
        raise NotFound(f"Canon knows nobody called {who[:80]!r}.", "See the list of people.")
    check_own_mind(seat, who, get_world(conn, seat.world).player)
    return view, who
