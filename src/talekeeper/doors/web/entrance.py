"""Who is at the door: a request becomes a caller, and a caller gets a seat at the world it names, or is turned away."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Path
from starlette.requests import HTTPConnection

from talekeeper.doors.common.audience import Audience
from talekeeper.doors.common.house import House
from talekeeper.doors.common.seats import Power, Seat, owner_seat
from talekeeper.doors.common.table import Table
from talekeeper.timeline.worlds import get_world

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


TheHouse = Annotated[House, Depends(house_of)]
TheAudience = Annotated[Audience, Depends(audience_of)]
TheTable = Annotated[Table, Depends(table_of)]


async def seat_at(connection: HTTPConnection, world: str, power: Power) -> Seat:
    house = house_of(connection)
    found = await house.store.read(lambda conn: get_world(conn, world))
    seat = owner_seat(found.slug)
    seat.check(power)
    return seat


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
