"""What has been told, as a reader leafs through it: pages of turns with rolls as numbers; corrections applied, secrets left out."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from sqlalchemy import Connection

from talekeeper.timeline.events import read_events
from talekeeper.timeline.ids import parse_turn_id
from talekeeper.timeline.lineage import Path
from talekeeper.timeline.transcript import Passage
from talekeeper.timeline.turns import turn_on_path
from talekeeper.timeline.vocabulary import (
    ActionTaken,
    DeedDone,
    Event,
    LineSpoken,
    NarrationEdited,
    NarrationTold,
    OutcomeResolved,
    RollMade,
    SceneOpened,
)

SHOWN = tuple(
    body.kind
    for body in (
        ActionTaken,
        RollMade,
        OutcomeResolved,
        NarrationTold,
        LineSpoken,
        DeedDone,
        SceneOpened,
        NarrationEdited,
    )
)


class ShownRoll(msgspec.Struct, frozen=True, kw_only=True):
    notation: str
    detail: str
    total: int
    stat: str = ""
    difficulty: int | None = None
    ladder: str = ""
    """The difficulty in words."""
    tier: str = ""


class ShownTurn(msgspec.Struct, frozen=True, kw_only=True):
    turn: str
    """Empty for what was told between turns: an opening, a new scene, dice at the table."""
    number: int
    """Of the turn, or of the last one before it."""
    passages: tuple[Passage, ...]
    roll: ShownRoll | None = None


def shown_turns(conn: Connection, past: Path, *, before: int | None = None, limit: int = 20) -> list[ShownTurn]:
    """The newest `limit` turns, or those before turn number `before`; oldest first, reading no more than it must."""
    if before is not None and before < 1:
        return []
    edits = _edits(conn, past)
    first = turn_on_path(conn, past, before) if before is not None else None
    told: list[Event] = []
    turns: set[str] = set()
    for event in read_events(conn, past.until(first.base_seq) if first else past, kinds=SHOWN, newest_first=True):
        if event.turn is not None and event.turn not in turns:
            if len(turns) == limit:
                break
            turns.add(event.turn)
        told.append(event)
    return list(_grouped(reversed(told), edits))


def _edits(conn: Connection, past: Path) -> dict[str, str]:
    return {
        event.body.event: event.body.text
        for event in read_events(conn, past, kinds=[NarrationEdited.kind])
        if isinstance(event.body, NarrationEdited)
    }


def _grouped(events: Iterable[Event], edits: dict[str, str]) -> Iterable[ShownTurn]:
    group: list[Event] = []
    number = 0
    for event in events:
        if group and event.turn != group[0].turn:
            if (shown := _shown(group, number, edits)) is not None:
                yield shown
            group = []
        number = parse_turn_id(event.turn)[1] if event.turn else number
        group.append(event)
    if group and (shown := _shown(group, number, edits)) is not None:
        yield shown


def _shown(group: list[Event], number: int, edits: dict[str, str]) -> ShownTurn | None:
    turn = group[0].turn or ""
    passages = tuple(p for event in group if (p := _passage(event, edits)) is not None)
    roll = _roll(group) if turn else None
    if not passages and roll is None:
        return None
    return ShownTurn(turn=turn, number=number, passages=passages, roll=roll)


def _roll(group: list[Event]) -> ShownRoll | None:
    made = next((e.body for e in group if isinstance(e.body, RollMade) and not e.body.secret), None)
    if made is None:
        return None
    outcome = next((e.body for e in group if isinstance(e.body, OutcomeResolved)), None)
    ladder = outcome.check.ladder if outcome is not None and outcome.check is not None else ""
    return ShownRoll(
        notation=made.notation, detail=made.detail, total=made.total, stat=made.stat, difficulty=made.difficulty,
        ladder=ladder, tier=made.tier,
    )  # fmt: skip


def _passage(event: Event, edits: dict[str, str]) -> Passage | None:
    match event.body:
        case ActionTaken(actor=who, text=text) | LineSpoken(speaker=who, text=text) | DeedDone(actor=who, text=text):
            return Passage(event.kind, who, text, event.id)
        case NarrationTold(text=text):
            return Passage(event.kind, "", edits.get(event.id, text), event.id)
        case RollMade(detail=detail, total=total, secret=False) if event.turn is None:
            return Passage(event.kind, event.by, f"{detail} = {total}", event.id)
        case SceneOpened(title=title, place=place):
            return Passage(event.kind, place, title, event.id)
    return None
