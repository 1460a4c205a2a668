"""Whose turn it is when several play: anybody's, one after the other, or as the game master says."""

from __future__ import annotations

from typing import Literal

import msgspec
from sqlalchemy import Column, Connection, Table, Text, delete, insert, select

from talekeeper.doors.common.seats import Seat, list_seats
from talekeeper.errors import Conflict
from talekeeper.timeline.store.metadata import metadata

Mode = Literal["free", "round", "gm"]

turn_order_table = Table(
    "turn_order",
    metadata,
    Column("world", Text, primary_key=True),
    Column("mode", Text, nullable=False),
    Column("current", Text, nullable=False),
)
_o = turn_order_table.c


class TurnOrder(msgspec.Struct, frozen=True):
    mode: Mode = "free"
    current: str = ""
    """The seat whose turn it is; empty where anybody may, or (gm) nobody yet."""


class NotYourTurn(Conflict):
    code = "not_your_turn"


def turn_order(conn: Connection, world: str) -> TurnOrder:
    row = conn.execute(select(_o.mode, _o.current).where(_o.world == world)).one_or_none()
    return TurnOrder() if row is None else TurnOrder(*row)


def set_order(conn: Connection, world: str, mode: Mode, current: str = "") -> TurnOrder:
    if mode == "round" and not current:
        players = _players(conn, world)
        current = players[0].id if players else ""
    order = TurnOrder(mode, "" if mode == "free" else current)
    conn.execute(delete(turn_order_table).where(_o.world == world))
    if mode != "free":
        conn.execute(insert(turn_order_table).values(world=world, mode=order.mode, current=order.current))
    return order


def check_turn(conn: Connection, seat: Seat) -> None:
    """Whoever runs the game is not bound by its order."""
    order = turn_order(conn, seat.world)
    if order.mode == "free" or seat.id == order.current or seat.may("run"):
        return
    names = {other.id: other.name for other in list_seats(conn, seat.world)}
    whose = f"It is {names.get(order.current, order.current)}'s turn." if order.current else "It is nobody's turn yet."
    raise NotYourTurn(whose, "Wait for yours." if order.current else "The game master says whose it is.")


def pass_on(conn: Connection, seat: Seat) -> TurnOrder | None:
    """After a seat has acted: in a round the next player's turn comes. Says what has changed, if anything has."""
    order = turn_order(conn, seat.world)
    if seat.id != order.current:
        return None
    if order.mode == "gm":
        return set_order(conn, seat.world, "gm", "")
    players = [player.id for player in _players(conn, seat.world)]
    if order.mode != "round" or not players:
        return None
    at = players.index(seat.id) if seat.id in players else -1
    return set_order(conn, seat.world, "round", players[(at + 1) % len(players)])


def _players(conn: Connection, world: str) -> list[Seat]:
    """Those who have a character to act with; whoever only runs the game is not in the round."""
    return [seat for seat in list_seats(conn, world) if seat.role in ("owner", "player")]
