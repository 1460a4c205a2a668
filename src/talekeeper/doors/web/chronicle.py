"""/chronicle: the world so far as a book, to read here or to take along."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path as FilePath
from typing import Annotated, Literal

import msgspec
from fastapi import Path, Response
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from talekeeper.canon.predicates import PREDICATES
from talekeeper.chronicle.book.as_json import to_json
from talekeeper.chronicle.book.formats import write
from talekeeper.chronicle.book.model import Book
from talekeeper.chronicle.book.world_book import book_of
from talekeeper.doors.common.house import House
from talekeeper.doors.common.seats import Seat
from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.entrance import TheHouse, Watching
from talekeeper.doors.web.turns import TimelineName
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import path
from talekeeper.timeline.vocabulary import Claim, Event, OutcomeResolved, ProposalDecided, RollMade, SecretTold
from talekeeper.timeline.worlds import get_world

router = api_router("/worlds/{world}", "chronicle")

Form = Literal["md", "html", "epub", "atom", "json"]
_MEDIA: dict[Form, str] = {
    "md": "text/markdown; charset=utf-8", "html": "text/html; charset=utf-8", "epub": "application/epub+zip",
    "atom": "application/atom+xml", "json": "application/json",
}  # fmt: skip


class SentenceOut(BaseModel):
    text: str
    ids: list[str] = Field(description="The events it tells.")


class ArcOut(SentenceOut):
    arc: str
    title: str


class ChapterOut(BaseModel):
    title: str
    begin: str
    end: str
    opening: SentenceOut
    paragraphs: list[list[SentenceOut]]
    arcs: list[ArcOut]


class PersonInBook(SentenceOut):
    name: str
    events: int


class BookOut(BaseModel):
    title: str
    subtitle: str
    begin: str
    end: str
    people: list[PersonInBook]
    chapters: list[ChapterOut]
    open: list[SentenceOut] = Field(description="What is still open.")


@router.get("/chronicle", summary="The world so far as a book, every sentence with its events")
async def read(seat: Watching, house: TheHouse, timeline: TimelineName = None) -> BookOut:
    book = await _book(house, seat, timeline)
    return BookOut.model_validate_json(await asyncio.to_thread(to_json, book))


@router.get(
    "/chronicle.{form}",
    summary="The book as a file",
    response_class=Response,
    responses={
        200: {"content": {media.partition(";")[0]: {} for media in _MEDIA.values()}, "description": "The book."}
    },
)
async def file(
    seat: Watching, house: TheHouse, form: Annotated[Form, Path()], timeline: TimelineName = None
) -> Response:
    book = await _book(house, seat, timeline)
    content = await asyncio.to_thread(_written, book, form)
    headers = {"Content-Disposition": f'attachment; filename="{seat.world}.{form}"', "Cache-Control": "no-store"}
    return Response(content, media_type=_MEDIA[form], headers=headers)


async def _book(house: House, seat: Seat, timeline: str | None) -> Book:
    def look(conn: Connection) -> tuple[str, list[Event]]:
        world = get_world(conn, seat.world)
        return world.title, list(read_events(conn, path(conn, world.slug, timeline or world.active)))

    title, events = await house.store.read(look)
    if not seat.may("run"):
        events = [shown for event in events if (shown := _open(event)) is not None]
    return await asyncio.to_thread(book_of, events, title)


def _open(event: Event) -> Event | None:
    """What happened as anybody at the table may know it: no secrets, no private feelings, no hidden dice."""
    body = event.body
    if isinstance(body, SecretTold) or (isinstance(body, RollMade) and body.secret):
        return None
    if isinstance(body, ProposalDecided):
        return msgspec.structs.replace(event, body=msgspec.structs.replace(body, claims=_said_openly(body.claims)))
    if isinstance(body, OutcomeResolved):
        claims = _said_openly(body.consequences)
        return msgspec.structs.replace(event, body=msgspec.structs.replace(body, consequences=claims, reveals=()))
    return event


def _said_openly(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    return tuple(c for c in claims if c.pred in PREDICATES and PREDICATES[c.pred].sight == "open")


def _written(book: Book, form: Form) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        target = FilePath(folder) / f"book.{form}"
        write(book, form, target)
        return target.read_bytes()
