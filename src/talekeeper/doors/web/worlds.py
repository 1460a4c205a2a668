"""/worlds: the list, a world as it stands, making one, taking one in and out, deleting it."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from typing import IO, Annotated, Literal

from fastapi import Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from talekeeper.canon.view import CanonView
from talekeeper.doors.common.gate import Caller, worlds_for
from talekeeper.doors.common.seats import Seat, owner_seat, take_seat
from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.entrance import Known, Owning, Running, TheAudience, TheHouse, Watching
from talekeeper.errors import BadInput, CorruptWorld, NotFound
from talekeeper.loops.companion.channel import is_channel
from talekeeper.loops.creation import create_from_preset, free_slug
from talekeeper.loops.scene.work import Services
from talekeeper.loops.world_file import export_world, import_world
from talekeeper.presets.calendar import time_name
from talekeeper.presets.library import list_presets, load_card, load_preset
from talekeeper.timeline.lineage import get_timeline, path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.worlds import World, delete_world, get_world

router = api_router("/worlds", "worlds")

_SEEDS = 2**31


class WorldCard(BaseModel):
    slug: str
    title: str
    preset: str
    kind: Literal["story", "channel", "record"] = Field(
        description="A story is played; a channel and a record are told from outside, and nobody acts in them."
    )
    active: str = Field(description="The timeline that is being played.")
    turn_number: int
    played_at: float = Field(description="Seconds since the epoch.")


class SeatOut(BaseModel):
    id: str
    role: str = Field(description="owner, game_master, player or spectator")
    name: str
    actor: str = Field(description="The character this seat plays.")
    actor_name: str


class WorldOut(WorldCard):
    scene: str
    place: str
    place_name: str
    time_name: str
    weather: str
    head: int = Field(description="The last event of the active timeline.")
    teller: str
    player: str
    player_name: str
    seat: SeatOut = Field(description="Yours.")
    suggestions: list[str] = Field(description="First things one could do, before the first turn.")


class NewWorld(BaseModel):
    preset: str | None = Field(default=None, max_length=64, description="The first preset by default.")
    name: str | None = Field(default=None, max_length=64, description="The slug; made from the preset by default.")
    title: str | None = Field(default=None, max_length=200)
    seed: int | None = Field(default=None, ge=0, lt=_SEEDS, description="The same seed, the same dice.")


class BadWorldFile(BadInput):
    code = CorruptWorld.code


@router.get("", summary="The worlds you have a seat in, last played first")
async def worlds(caller: Known, house: TheHouse) -> list[WorldCard]:
    def look(conn: Connection) -> list[WorldCard]:
        return [_card(conn, world) for world in worlds_for(conn, caller)]

    return await house.store.read(look)


@router.post("", status_code=201, summary="Make a world from a preset")
async def create(wish: NewWorld, caller: Known, house: TheHouse) -> WorldOut:
    caller.check("own")
    preset = load_preset(wish.preset or list_presets()[0].id)
    seed = wish.seed if wish.seed is not None else random.SystemRandom().randrange(_SEEDS)
    title = " ".join((wish.title or "").split())

    def make(conn: Connection) -> WorldOut:
        slug = wish.name or free_slug(conn, title or preset.id)
        made = create_from_preset(conn, house.services, preset, slug, seed, title)
        return world_out(conn, house.services, _sit_maker(conn, caller, made, house.services.clock()))

    return await house.store.write(make)


@router.post("/import", status_code=201, summary="Take in a world file (the raw file as the body)")
async def take_in(
    request: Request,
    caller: Known,
    house: TheHouse,
    name: Annotated[str | None, Query(max_length=64, description="Another name than the one in the file.")] = None,
) -> WorldOut:
    caller.check("own")
    with tempfile.TemporaryFile() as file:
        async for chunk in request.stream():
            file.write(chunk)
        file.seek(0)

        def take(conn: Connection) -> WorldOut:
            try:
                taken = import_world(conn, house.services, file, name=name)
            except CorruptWorld as error:
                # Our own worlds are as they were: it is the file that was sent.
                raise BadWorldFile(error.message, error.hint) from error
            return world_out(conn, house.services, _sit_maker(conn, caller, taken, house.services.clock()))

        return await house.store.write(take)


@router.get("/{world}", summary="A world as it stands")
async def one(seat: Watching, house: TheHouse) -> WorldOut:
    return await house.store.read(lambda conn: world_out(conn, house.services, seat))


@router.delete("/{world}", status_code=204, summary="Delete a world with all its timelines")
async def delete(seat: Owning, house: TheHouse, audience: TheAudience) -> Response:
    await house.store.write(lambda conn: delete_world(conn, seat.world))
    audience.forget(seat.world)
    return Response(status_code=204)


@router.get(
    "/{world}/export",
    summary="The whole world as one file",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/jsonl": {}}, "description": "A world file."}},
)
async def export(seat: Running, house: TheHouse) -> StreamingResponse:
    file = tempfile.TemporaryFile()  # noqa: SIM115 - closed when it has been sent
    try:
        await house.store.read(lambda conn: export_world(conn, seat.world, file, now=house.services.clock()))
    except BaseException:
        file.close()
        raise
    headers = {"Content-Disposition": f'attachment; filename="{seat.world}.jsonl"'}
    return StreamingResponse(_pieces(file), media_type="application/jsonl", headers=headers)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while piece := file.read(1 << 16):
            yield piece


def _sit_maker(conn: Connection, caller: Caller, world: World, now: float) -> Seat:
    if caller.account is None:
        return owner_seat(world.slug)
    return take_seat(conn, world.slug, caller.holder, "owner", caller.name, now, id_=caller.account)


def _kind(world: World) -> Literal["story", "channel", "record"]:
    if world.player:
        return "story"
    return "channel" if is_channel(world.slug) else "record"


def _card(conn: Connection, world: World) -> WorldCard:
    snapshot = latest_snapshot(conn, path(conn, world.slug, world.active))
    return WorldCard(
        slug=world.slug, title=world.title, preset=world.preset, kind=_kind(world), active=world.active,
        turn_number=snapshot.turn_number if snapshot else 0, played_at=world.played_at,
    )  # fmt: skip


def world_out(conn: Connection, services: Services, seat: Seat) -> WorldOut:
    world = get_world(conn, seat.world)
    past = path(conn, world.slug, world.active)
    snapshot = latest_snapshot(conn, past)
    view = CanonView(conn, past)
    actor = seat.actor or world.player
    card = _card(conn, world)
    return WorldOut(
        **card.model_dump(),
        scene=snapshot.scene if snapshot else "",
        place=snapshot.place if snapshot else "",
        place_name=view.name(snapshot.place) if snapshot and snapshot.place else "",
        time_name=time_name(services.calendar(world), snapshot.now) if snapshot else "",
        weather=snapshot.weather if snapshot else "",
        head=get_timeline(conn, world.slug, world.active).head,
        teller=services.teller.name,
        player=world.player,
        player_name=view.name(world.player) if world.player else "",
        seat=seat_out(view, seat, actor),
        suggestions=[] if card.turn_number else _suggestions(world),
    )


def seat_out(view: CanonView, seat: Seat, actor: str) -> SeatOut:
    return SeatOut(
        id=seat.id, role=seat.role, name=seat.name, actor=actor, actor_name=view.name(actor) if actor else ""
    )


def _suggestions(world: World) -> list[str]:
    try:
        return list(load_card(world.preset).suggestions) if world.preset else []
    except NotFound:
        return []
