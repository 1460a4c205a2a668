"""What has been told along a path, turn by turn, as a reader would see it; corrections applied."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from sqlalchemy import Connection

from talekeeper.timeline.events import read_events
from talekeeper.timeline.ids import parse_turn_id
from talekeeper.timeline.lineage import Path
from talekeeper.timeline.vocabulary import (
    ActionTaken,
    DeedDone,
    Event,
    LineSpoken,
    NarrationEdited,
    NarrationTold,
    RollMade,
    SceneOpened,
)

TOLD = (ActionTaken.kind, RollMade.kind, NarrationTold.kind, LineSpoken.kind, DeedDone.kind, SceneOpened.kind)


_OF_THE_TABLE = (RollMade.kind, SceneOpened.kind)
"""Nobody in the world sees dice and scene titles; everybody at the table does."""


class Passage(msgspec.Struct, frozen=True):
    """One piece of told text. `who` is the speaker or actor, empty for the narrator."""

    kind: str
    who: str
    text: str
    event: str


class ToldTurn(msgspec.Struct, frozen=True):
    turn: str
    """Empty for what was told outside any turn: an opening."""
    number: int
    passages: tuple[Passage, ...]


def transcript(
    conn: Connection, past: Path, *, last_turns: int | None = None, witness: str | None = None
) -> list[ToldTurn]:
    """Oldest first; with `last_turns`, only that many, reading no more than it must; with `witness`, as they saw it."""
    told: list[Event] = []
    turns: set[str | None] = set()
    for event in read_events(conn, past, kinds=TOLD, newest_first=True):
        if witness is not None and not event.seen_by(witness) and event.kind not in _OF_THE_TABLE:
            continue
        turns.add(event.turn)
        if last_turns is not None and len(turns) > last_turns:
            break
        told.append(event)
    told.reverse()
    return _by_turn(told, _edits(conn, past, told[0].seq if told else 0))


def _edits(conn: Connection, past: Path, after: int) -> dict[str, str]:
    return {
        event.body.event: event.body.text
        for event in read_events(conn, past, after=after, kinds=[NarrationEdited.kind])
        if isinstance(event.body, NarrationEdited)
    }


def _by_turn(events: Iterable[Event], edits: dict[str, str]) -> list[ToldTurn]:
    grouped: dict[str, list[Passage]] = {}
    for event in events:
        passage = _passage(event, edits)
        if passage is not None:
            grouped.setdefault(event.turn or "", []).append(passage)
    return [ToldTurn(turn, parse_turn_id(turn)[1] if turn else 0, tuple(found)) for turn, found in grouped.items()]


def _passage(event: Event, edits: dict[str, str]) -> Passage | None:
    match event.body:
        case ActionTaken(actor=who, text=text) | LineSpoken(speaker=who, text=text) | DeedDone(actor=who, text=text):
            return Passage(event.kind, who, text, event.id)
        case NarrationTold(text=text):
            return Passage(event.kind, "", edits.get(event.id, text), event.id)
        case RollMade(detail=detail, difficulty=difficulty, secret=False):
            against = f" against {difficulty}" if difficulty is not None else ""
            return Passage(event.kind, event.by, f"{detail}{against}", event.id)
        case SceneOpened(title=title) if title:
            return Passage(event.kind, "", title, event.id)
    return None
