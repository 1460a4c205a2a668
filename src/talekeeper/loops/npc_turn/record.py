"""The record of an NPC's turns in a game: what was heard, what was sent, what the game says it performed.

started -> sent -> unconfirmed -> confirmed. Events of what was said are appended when it is settled (the game reported,
or did not in time); a late report takes the unconfirmed events back and puts the performed ones in their place.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from sqlalchemy import BigInteger, Column, Connection, Float, Index, Table, Text, insert, select, update

from talekeeper.agents.npc.performance import Said, ToolUse
from talekeeper.timeline.lineage import Path
from talekeeper.timeline.store.metadata import metadata

Status = Literal["started", "sent", "unconfirmed", "confirmed"]

game_turn_table = Table(
    "game_turn",
    metadata,
    Column("world", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("entity", Text, nullable=False),
    Column("timeline", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("status", Text, nullable=False),
    Column("started_at", Float, nullable=False),
    Column("body", Text, nullable=False),
)
_g = game_turn_table.c
Index("game_turn_newest", _g.world, _g.entity, _g.timeline, _g.seq)
_OPEN = _g.status.in_(("started", "sent"))
Index("game_turn_open", _g.status, sqlite_where=_OPEN, postgresql_where=_OPEN)


class TurnBody(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What of a turn is read only together with it."""

    event: str
    """The game's own id of what was heard."""
    scene: str
    source: str
    """The entity it was from."""
    perceived: str
    """What the NPC perceived, as a prompt says it; empty when the turn goes on from tool results."""
    speech: tuple[str, ...]
    """The tags that are spoken words; the others are deeds."""
    game_mood: str = ""
    game_place: str = ""
    said: tuple[Said, ...] = ()
    tools: tuple[ToolUse, ...] = ()
    stopped: bool = False
    """It was ended before it had come to its end."""
    cut_short: bool = False
    """... by somebody, in mid-sentence."""
    events: tuple[str, ...] = ()
    """The events that were appended for what was said."""


class GameTurn(msgspec.Struct, frozen=True, kw_only=True):
    world: str
    id: str
    entity: str
    timeline: str
    seq: int
    """The last event of what was heard; the turn belongs to whatever timelines hold it."""
    status: Status = "started"
    started_at: float
    body: TurnBody


_decode = msgspec.json.Decoder(TurnBody).decode


def keep(conn: Connection, turn: GameTurn) -> None:
    conn.execute(insert(game_turn_table).values(_row(turn)))


def change(conn: Connection, turn: GameTurn, status: Status, **body: Any) -> GameTurn:
    changed = msgspec.structs.replace(turn, status=status, body=msgspec.structs.replace(turn.body, **body))
    conn.execute(update(game_turn_table).where(_g.world == turn.world, _g.id == turn.id).values(_row(changed)))
    return changed


def find(conn: Connection, world: str, turn: str) -> GameTurn | None:
    row = conn.execute(select(game_turn_table).where(_g.world == world, _g.id == turn)).one_or_none()
    return None if row is None else _turn(row)


def newest(conn: Connection, past: Path, entity: str, limit: int) -> list[GameTurn]:
    """The last turns of one NPC along a path, oldest first."""
    found: list[GameTurn] = []
    for segment in reversed(past.segments):
        if len(found) >= limit:
            break
        rows = conn.execute(
            select(game_turn_table)
            .where(_g.world == past.world, _g.entity == entity, _g.timeline == segment.timeline)
            .where(_g.seq <= segment.upto)
            .order_by(_g.seq.desc(), _g.started_at.desc())
            .limit(limit - len(found))
        )
        found.extend(map(_turn, rows))
    return found[::-1]


def unsettled(conn: Connection) -> list[GameTurn]:
    """Turns whose end nobody recorded: whoever ran them is gone."""
    return [_turn(row) for row in conn.execute(select(game_turn_table).where(_OPEN).order_by(_g.started_at))]


def _row(turn: GameTurn) -> dict[str, Any]:
    row = {name: getattr(turn, name) for name in turn.__struct_fields__}
    row["body"] = msgspec.json.encode(turn.body).decode()
    return row


def _turn(row: Any) -> GameTurn:
    values = dict(row._mapping)
    values["body"] = _decode(values["body"])
    return GameTurn(**values)
