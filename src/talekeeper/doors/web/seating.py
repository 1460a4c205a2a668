"""Several people at one table: seats, invitations, whose turn it is, and whispers."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path, Query, Request, Response
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from talekeeper.canon.view import CanonView
from talekeeper.doors.common import invites, seats, turn_order, whispers
from talekeeper.doors.common.accounts import find_account
from talekeeper.doors.common.gate import ACCOUNT, GUEST
from talekeeper.doors.common.logins import Login, open_login
from talekeeper.doors.common.seats import Seat
from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.entrance import (
    Address,
    Anybody,
    Owning,
    Playing,
    Running,
    TheAudience,
    TheGate,
    TheHouse,
    TheLimits,
    TheTable,
    Watching,
    give_cookie,
)
from talekeeper.doors.web.worlds import SeatOut, WorldOut, seat_out, world_out
from talekeeper.errors import BadInput, NotFound, Unauthorized
from talekeeper.loops.joining import bring_character
from talekeeper.loops.scene.acceptance import clean_action
from talekeeper.observe.ids import random_id
from talekeeper.timeline.lineage import path
from talekeeper.timeline.worlds import get_world

router = api_router("/worlds/{world}", "the table")
invited = api_router("/invites", "the table")

GivenRole = Literal["game_master", "player", "spectator"]
Code = Annotated[str, Path(max_length=60, description="The end of the link.")]
SeatId = Annotated[str, Path(max_length=80)]
ActorId = Annotated[str | None, Field(default=None, max_length=120, examples=["person/mara"])]


class SeatHere(SeatOut):
    present: bool = Field(description="Watching right now.")
    you: bool


class NewSeat(BaseModel):
    account: str = Field(max_length=40, description="The name of an account.")
    role: GivenRole = "player"
    actor: ActorId = None


class SeatChange(BaseModel):
    role: Literal["owner", "game_master", "player", "spectator"] | None = None
    actor: ActorId = None


class NewInvite(BaseModel):
    role: GivenRole = "player"
    actor: ActorId = None
    uses: int = Field(default=1, ge=1, le=100)
    days: int = Field(default=7, ge=1, le=90)


class InviteOut(BaseModel):
    id: str
    role: str
    actor: str
    uses_left: int
    expires_at: float


class InviteMade(InviteOut):
    code: str
    link: str = Field(description="To send to whoever shall come. Shown this once.")


class Invitation(BaseModel):
    title: str
    role: str
    brings_character: bool = Field(description="Whether you name a character of your own.")


class Acceptance(BaseModel):
    name: str = Field(default="", max_length=60, description="What the others call you.")
    character: str = Field(default="", max_length=80, description="Your character's name, where you bring your own.")


class OrderOut(BaseModel):
    mode: Literal["free", "round", "gm"]
    current: str = Field(description="The seat whose turn it is; empty for anybody's, or nobody's yet.")


class OrderWish(BaseModel):
    mode: Literal["free", "round", "gm"]
    current: str = Field(default="", max_length=80)


class NewWhisper(BaseModel):
    to: str = Field(max_length=80, description="The seat it is for.")
    text: str = Field(min_length=1, max_length=2000)


class WhisperOut(BaseModel):
    id: int
    by: str
    to: str
    text: str
    at: float


@router.get("/seats", summary="Who sits at this table")
async def list_seats(seat: Watching, house: TheHouse, audience: TheAudience) -> list[SeatHere]:
    present = {s.id for s in audience.present(seat.world)}

    def look(conn: Connection) -> list[SeatHere]:
        world = get_world(conn, seat.world)
        view = CanonView(conn, path(conn, world.slug, world.active))
        found = seats.list_seats(conn, seat.world)
        if seat.id not in {s.id for s in found}:
            found.insert(0, seat)
        return [
            SeatHere(**_out(view, s, world.player).model_dump(), present=s.id in present, you=s.id == seat.id)
            for s in found
        ]

    return await house.store.read(look)


@router.post("/seats", status_code=201, summary="Give a seat to an account")
async def give_seat(seat: Owning, wish: NewSeat, gate: TheGate, house: TheHouse) -> SeatOut:
    if not gate.accounts:
        raise NotFound("There are no accounts here.", "Send an invitation instead.")

    def give(conn: Connection) -> SeatOut:
        if find_account(conn, wish.account) is None:
            raise NotFound(f"There is no account called {wish.account[:40]!r}.", "Send an invitation instead.")
        view, player = _view(conn, seat.world)
        actor = _actor(view, wish.actor)
        given = seats.take_seat(
            conn, seat.world, ACCOUNT + wish.account, wish.role, wish.account, house.services.clock(),
            id_=wish.account, actor=actor,
        )  # fmt: skip
        return _out(view, given, player)

    return await house.store.write(give)


@router.patch("/seats/{id}", summary="Another role or character for a seat")
async def change_seat(seat: Running, id: SeatId, wish: SeatChange, house: TheHouse, audience: TheAudience) -> SeatOut:  # noqa: A002 - the path's word
    if wish.role is not None:
        seat.check("own")

    def change(conn: Connection) -> tuple[Seat, SeatOut]:
        view, player = _view(conn, seat.world)
        actor = None if wish.actor is None else _actor(view, wish.actor)
        _sit_host(conn, seat, house.services.clock())
        changed = seats.change_seat(conn, seats.get_seat(conn, seat.world, id), role=wish.role, actor=actor)
        return changed, _out(view, changed, player)

    changed, shown = await house.store.write(change)
    audience.reseat(seat.world, id, changed)
    return shown


@router.delete("/seats/{id}", status_code=204, summary="Leave your seat, or take somebody's away")
async def leave_seat(seat: Watching, id: SeatId, house: TheHouse, audience: TheAudience) -> Response:  # noqa: A002 - the path's word
    if id != seat.id:
        seat.check("own")
    await house.store.write(lambda conn: seats.leave_seat(conn, seats.get_seat(conn, seat.world, id)))
    audience.reseat(seat.world, id, None)
    return Response(status_code=204)


@router.post("/invites", status_code=201, summary="A link that gives a seat at this table")
async def make_invite(seat: Owning, wish: NewInvite, house: TheHouse, request: Request) -> InviteMade:
    now = house.services.clock()

    def make(conn: Connection) -> tuple[invites.Invite, str]:
        view, _player = _view(conn, seat.world)
        _sit_host(conn, seat, now)
        return invites.make_invite(
            conn, seat.world, wish.role, seat.id, now, actor=_actor(view, wish.actor), uses=wish.uses, days=wish.days
        )  # fmt: skip

    invite, code = await house.store.write(make)
    return InviteMade(
        **_invite(invite).model_dump(), code=code, link=f"{str(request.base_url).rstrip('/')}/join/{code}"
    )


@router.get("/invites", summary="Invitations that still hold")
async def list_invites(seat: Owning, house: TheHouse) -> list[InviteOut]:
    found = await house.store.read(lambda conn: invites.list_invites(conn, seat.world, house.services.clock()))
    return [_invite(invite) for invite in found]


@router.delete("/invites/{id}", status_code=204, summary="Withdraw an invitation")
async def withdraw(seat: Owning, id: Annotated[str, Path(max_length=20)], house: TheHouse) -> Response:  # noqa: A002 - the path's word
    await house.store.write(lambda conn: invites.withdraw_invite(conn, seat.world, id))
    return Response(status_code=204)


@invited.get("/{code}", summary="What an invitation is for")
async def invitation(code: Code, house: TheHouse, limits: TheLimits, address: Address) -> Invitation:
    limits.count("invite", address)

    def look(conn: Connection) -> Invitation:
        invite = invites.get_invite(conn, code, house.services.clock())
        return Invitation(
            title=get_world(conn, invite.world).title,
            role=invite.role,
            brings_character=invite.role == "player" and not invite.actor,
        )

    return await house.store.read(look)


@invited.post("/{code}/accept", summary="Take the seat: with your account, or as a guest where there are none")
async def accept(
    code: Code, wish: Acceptance, caller: Anybody, gate: TheGate, house: TheHouse, limits: TheLimits, address: Address,
    request: Request, response: Response,
) -> WorldOut:  # fmt: skip
    limits.count("invite", address)
    if gate.accounts and (caller is None or caller.account is None):
        raise Unauthorized("An invitation needs an account to give the seat to.", "Make one, or log in.")
    now = house.services.clock()
    name = wish.name.strip() or (caller.name if caller and caller.account else "")
    if not name:
        raise BadInput("What shall the others call you?", "Give a name.")
    name = " ".join(clean_action(name).split())
    guest = caller if caller is not None and (caller.account or caller.is_guest) else None

    def sit_down(conn: Connection) -> tuple[Seat, Login | None]:
        holder = guest.holder if guest else GUEST + random_id()
        invite = invites.use_invite(conn, code, now)
        seat = seats.take_seat(
            conn, invite.world, holder, invite.role, name, now, id_=guest.account or "" if guest else "", actor=invite.actor
        )  # fmt: skip
        if seat.role == "player" and not seat.actor:
            character = " ".join(wish.character.split()) or name
            seat = seats.change_seat(
                conn, seat, actor=bring_character(conn, house.services, seat.world, character, by=seat.id)
            )  # fmt: skip
        return seat, None if guest else open_login(conn, holder, now)

    seat, login = await house.store.write(sit_down)
    if login is not None:
        give_cookie(request, response, login)
    return await house.store.read(lambda conn: world_out(conn, house.services, seat))


@router.get("/order", summary="Whose turn it is")
async def order(seat: Watching, house: TheHouse) -> OrderOut:
    found = await house.store.read(lambda conn: turn_order.turn_order(conn, seat.world))
    return OrderOut(mode=found.mode, current=found.current)


@router.put("/order", summary="Free, round the table, or as you say; whose turn it is")
async def set_order(seat: Running, wish: OrderWish, house: TheHouse, audience: TheAudience) -> OrderOut:
    def change(conn: Connection) -> turn_order.TurnOrder:
        _sit_host(conn, seat, house.services.clock())
        if wish.current:
            seats.get_seat(conn, seat.world, wish.current)
        return turn_order.set_order(conn, seat.world, wish.mode, wish.current)

    found = await house.store.write(change)
    audience.tell(seat.world, "order", mode=found.mode, current=found.current)
    return OrderOut(mode=found.mode, current=found.current)


@router.get("/whispers", summary="What you whispered, and what was whispered to you; oldest first")
async def my_whispers(
    seat: Watching, house: TheHouse, limit: Annotated[int, Query(ge=1, le=500)] = 100
) -> list[WhisperOut]:
    found = await house.store.read(lambda conn: whispers.whispers_of(conn, seat.world, seat.id, limit))
    return [WhisperOut(id=w.id, by=w.by, to=w.to, text=w.text, at=w.at) for w in found]


@router.post("/whispers", status_code=201, summary="Say something to one seat alone")
async def whisper(seat: Playing, wish: NewWhisper, at: TheTable) -> WhisperOut:
    said = await at.whisper(seat, wish.to, wish.text)
    return WhisperOut(id=said.id, by=said.by, to=said.to, text=said.text, at=said.at)


def _view(conn: Connection, world: str) -> tuple[CanonView, str]:
    found = get_world(conn, world)
    return CanonView(conn, path(conn, found.slug, found.active)), found.player


def _actor(view: CanonView, wish: str | None) -> str:
    if not wish:
        return ""
    if not wish.startswith("person/") or not view.exists(wish):
        raise BadInput(f"Canon knows nobody called {wish[:80]!r}.", "Choose one of the people of the world.")
    return wish


def _out(view: CanonView, seat: Seat, player: str) -> SeatOut:
    return seat_out(view, seat, seat.actor or (player if seat.may("play") else ""))


def _invite(invite: invites.Invite) -> InviteOut:
    return InviteOut(
        id=invite.id, role=invite.role, actor=invite.actor, uses_left=invite.uses_left, expires_at=invite.expires_at
    )


def _sit_host(conn: Connection, seat: Seat, now: float) -> None:
    """Whoever owns a world by being here alone sits down for good when others come."""
    if seats.find_seat(conn, seat.world, seat.holder) is None:
        seats.take_seat(conn, seat.world, seat.holder, seat.role, seat.name, now, id_=seat.id)
