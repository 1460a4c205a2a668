"""Who is at the door: a request becomes a caller, and a caller gets a seat at the world it names, or is turned away."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path, Response
from starlette.requests import HTTPConnection

from talekeeper.doors.common.audience import Audience
from talekeeper.doors.common.gate import Caller, Gate
from talekeeper.doors.common.house import House
from talekeeper.doors.common.limits import Limits
from talekeeper.doors.common.logins import DAYS, Login
from talekeeper.doors.common.seats import Power, Seat
from talekeeper.doors.common.table import Table
from talekeeper.doors.common.traffic import Traffic
from talekeeper.errors import NotAllowed, Unauthorized

COOKIE = "talekeeper_login"
CSRF_HEADER = "x-csrf-token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

WorldName = Annotated[str, Path(max_length=64, description="The world's slug.", examples=["low-water"])]


def house_of(connection: HTTPConnection) -> House:
    house: House = connection.app.state.house
    return house


def audience_of(connection: HTTPConnection) -> Audience:
    audience: Audience = connection.app.state.audience
    return audience


def table_of(connection: HTTPConnection) -> Table:
    table: Table = connection.app.state.table
    return table


def gate_of(connection: HTTPConnection) -> Gate:
    gate: Gate = connection.app.state.gate
    return gate


def limits_of(connection: HTTPConnection) -> Limits:
    limits: Limits = connection.app.state.limits
    return limits


def traffic_of(connection: HTTPConnection) -> Traffic:
    traffic: Traffic = connection.app.state.traffic
    return traffic


def address_of(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else "unknown"


TheHouse = Annotated[House, Depends(house_of)]
TheAudience = Annotated[Audience, Depends(audience_of)]
TheTable = Annotated[Table, Depends(table_of)]
TheGate = Annotated[Gate, Depends(gate_of)]
TheLimits = Annotated[Limits, Depends(limits_of)]
TheTraffic = Annotated[Traffic, Depends(traffic_of)]
Address = Annotated[str, Depends(address_of)]


async def anybody(connection: HTTPConnection) -> Caller | None:
    """A cookie is sent by the browser whoever made the page, so what changes anything must prove to come from ours."""
    gate = gate_of(connection)
    kind, _, words = connection.headers.get("authorization", "").partition(" ")
    token = words.strip() if kind.lower() == "bearer" else None
    caller = await gate.caller(cookie=connection.cookies.get(COOKIE), token=token)
    if caller is not None and caller.login and connection.scope["type"] == "http":
        proof = connection.headers.get(CSRF_HEADER, "")
        if connection.scope["method"] not in _SAFE and not gate.csrf.fits(caller.login, proof):
            raise NotAllowed("The request does not show that it comes from our page.", "Reload the page and try again.")
    return caller


async def known(connection: HTTPConnection) -> Caller:
    caller = await anybody(connection)
    if caller is None:
        raise Unauthorized("Who are you?", "Log in, or send a token.")
    return caller


async def _admin(connection: HTTPConnection) -> Caller:
    caller = await known(connection)
    caller.check("own")
    if not caller.admin:
        raise NotAllowed("That is for the admin.", "Ask whoever set this Talekeeper up.")
    return caller


Anybody = Annotated[Caller | None, Depends(anybody)]
Known = Annotated[Caller, Depends(known)]
Admin = Annotated[Caller, Depends(_admin)]


async def seat_at(connection: HTTPConnection, world: str, power: Power) -> Seat:
    return await gate_of(connection).seat(await known(connection), world, power)


async def _watching(connection: HTTPConnection, world: WorldName) -> Seat:
    return await seat_at(connection, world, "watch")


async def _playing(connection: HTTPConnection, world: WorldName) -> Seat:
    return await seat_at(connection, world, "play")


async def _running(connection: HTTPConnection, world: WorldName) -> Seat:
    return await seat_at(connection, world, "run")


async def _owning(connection: HTTPConnection, world: WorldName) -> Seat:
    return await seat_at(connection, world, "own")


Watching = Annotated[Seat, Depends(_watching)]
Playing = Annotated[Seat, Depends(_playing)]
Running = Annotated[Seat, Depends(_running)]
Owning = Annotated[Seat, Depends(_owning)]


def give_cookie(connection: HTTPConnection, response: Response, login: Login) -> None:
    response.set_cookie(
        COOKIE,
        gate_of(connection).cookies.sign(login.id),
        max_age=DAYS * 86_400,
        httponly=True,
        samesite="lax",
        secure=connection.url.scheme in ("https", "wss"),
        path="/",
    )


def take_cookie(response: Response) -> None:
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
