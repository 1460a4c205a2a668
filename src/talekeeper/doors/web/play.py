"""Playing: act, stop, tell again, correct, roll, and any line as a player types it."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from talekeeper.doors.common import table
from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.entrance import Playing, Running, TheHouse, TheTable, Watching
from talekeeper.loops.intents import Act, Bound, Direct, Edit, EndScene, Retry, Roll, Stop, XCard
from talekeeper.timeline.directives import directives as directives_in_force
from talekeeper.timeline.lineage import path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.worlds import get_world

router = api_router("/worlds/{world}", "play")

_LONG = 20_000
"""Characters a request may carry at all; the loops say what an action may have."""
Key = Annotated[
    str | None, Field(default=None, max_length=120, description="The same key again gives the first answer.")
]


class Action(BaseModel):
    text: str = Field(max_length=_LONG, description="What you do, in your own words.", examples=["look around"])
    idem: Key = None


class Line(BaseModel):
    text: str = Field(
        max_length=_LONG, description="A line as typed; a leading slash is a command.", examples=["/recap"]
    )
    idem: Key = None


class Again(BaseModel):
    swipe: bool = Field(default=False, description="An alternative telling, folded in the tree.")


class Correction(BaseModel):
    event: str = Field(max_length=40, description="The narration's event.", examples=["t1@57"])
    text: str = Field(max_length=_LONG)
    expected_head: int | None = Field(default=None, description="Refuse if the timeline has gone on since.")


class SceneEnd(BaseModel):
    reason: str = Field(default="", max_length=500)


class Throw(BaseModel):
    notation: str = Field(max_length=200, examples=["2d6+1"])
    secret: bool = Field(default=False, description="Nobody else receives it.")


class Directive(BaseModel):
    text: str = Field(max_length=_LONG, examples=["slower, more weather"])
    scene_only: bool = False
    turns: int | None = Field(default=None, ge=1, le=1000, description="For this many turns; for good without it.")


class DirectiveOut(BaseModel):
    event: str
    text: str
    source: str = Field(description="safety, game_master or story")
    priority: int


class Boundary(BaseModel):
    text: str = Field(max_length=500, examples=["spiders"])
    veiled: bool = Field(default=False, description="A veil: it may happen, but out of sight.")


class Card(BaseModel):
    rewind: bool = Field(default=False, description="Also take the last turn back.")
    note: str = Field(default="", max_length=500)


class TurnTold(BaseModel):
    kind: Literal["turn"] = "turn"
    turn: str = Field(examples=["t1#4"])
    live: str = Field(description="Where to watch it: the WebSocket.")
    stream: str = Field(description="Where to watch it: server-sent events.")


class ArrivedOut(BaseModel):
    kind: Literal["arrived"] = "arrived"
    timeline: str
    turn_number: int


class AnswerOut(BaseModel):
    kind: Literal["answer"] = "answer"
    what: str
    rows: list[tuple[str, str]]


class RolledOut(BaseModel):
    kind: Literal["rolled"] = "rolled"
    notation: str
    detail: str
    total: int
    secret: bool


class DecidedOut(BaseModel):
    kind: Literal["decided"] = "decided"
    decision: str
    reason: str
    contradicts: str
    note: str


class DoneOut(BaseModel):
    kind: Literal["done"] = "done"
    message: str


Outcome = TurnTold | ArrivedOut | AnswerOut | RolledOut | DecidedOut | DoneOut


def outcome(world: str, result: table.Result) -> Outcome:
    match result:
        case table.Told(turn=turn):
            return turn_told(world, turn)
        case table.Arrived(timeline=timeline, turn_number=number):
            return ArrivedOut(timeline=timeline, turn_number=number)
        case table.Answered(what=what, rows=rows):
            return AnswerOut(what=what, rows=rows)
        case table.Rolled(made=made):
            return RolledOut(notation=made.notation, detail=made.detail, total=made.total, secret=made.secret)
        case table.Decided(decision=d):
            return DecidedOut(decision=d.decision, reason=d.reason, contradicts=d.contradicts, note=d.note)
        case table.Done(message=message):
            return DoneOut(message=message)


def turn_told(world: str, turn: str) -> TurnTold:
    where = f"/api/v1/worlds/{world}"
    quoted = turn.replace("#", "%23")
    return TurnTold(turn=turn, live=f"{where}/live?turn={quoted}", stream=f"{where}/stream?turn={quoted}")


@router.post("/act", status_code=202, summary="Act; the turn is safely accepted when this answers")
async def act(seat: Playing, action: Action, at: TheTable) -> TurnTold:
    told = await at.act(seat, Act(world=seat.world, text=action.text, idem=action.idem))
    return turn_told(seat.world, told.turn)


@router.post("/retry", status_code=202, summary="Tell the last turn again with the same dice; run a failed one again")
async def retry(seat: Running, at: TheTable, again: Again | None = None) -> TurnTold:
    told = await at.retry(seat, Retry(world=seat.world, swipe=again.swipe if again else False))
    return turn_told(seat.world, told.turn)


@router.post("/line", summary="A line as a player types it, /commands included")
async def line(seat: Watching, typed: Line, at: TheTable) -> Outcome:
    return outcome(seat.world, await at.line(seat, typed.text, typed.idem))


@router.post("/stop", summary="Stop the telling; what was told stands")
async def stop(seat: Playing, at: TheTable) -> Outcome:
    return outcome(seat.world, await at.carry_out(seat, Stop(world=seat.world)))


@router.post("/edit", summary="Correct what the narrator told")
async def edit(seat: Running, to: Correction, at: TheTable) -> Outcome:
    wish = Edit(world=seat.world, event=to.event, text=to.text, expected_head=to.expected_head)
    return outcome(seat.world, await at.carry_out(seat, wish))


@router.post("/scene/end", summary="End the scene: its claims are judged, and the next one opens")
async def end_scene(seat: Running, at: TheTable, end: SceneEnd | None = None) -> Outcome:
    wish = EndScene(world=seat.world, reason=end.reason if end else "")
    return outcome(seat.world, await at.carry_out(seat, wish))


@router.post("/roll", summary="Roll dice at the table")
async def roll(seat: Playing, throw: Throw, at: TheTable) -> Outcome:
    wish = Roll(world=seat.world, notation=throw.notation, secret=throw.secret)
    return outcome(seat.world, await at.carry_out(seat, wish))


@router.post("/directives", summary="Tell the narrator what the table wants more or less of")
async def directives(seat: Running, given: Directive, at: TheTable) -> Outcome:
    wish = Direct(world=seat.world, text=given.text, scene_only=given.scene_only, turns=given.turns)
    return outcome(seat.world, await at.carry_out(seat, wish))


@router.get("/directives", summary="What the narrator has been told to do, the most urgent first")
async def in_force(seat: Watching, house: TheHouse) -> list[DirectiveOut]:
    def look(conn: Connection) -> list[DirectiveOut]:
        world = get_world(conn, seat.world)
        past = path(conn, world.slug, world.active)
        snapshot = latest_snapshot(conn, past)
        found = directives_in_force(
            conn, past, snapshot.scene if snapshot else "", snapshot.turn_number + 1 if snapshot else 1
        )
        return [DirectiveOut(event=d.event, text=d.text, source=d.source, priority=d.priority) for d in found]

    return await house.store.read(look)


@router.delete("/directives/{event}", summary="Take a directive back")
async def lift(seat: Running, event: Annotated[str, Path(max_length=40)], at: TheTable) -> Outcome:
    return outcome(seat.world, await at.carry_out(seat, Direct(world=seat.world, text="", lifts=event)))


@router.post("/boundaries", summary="Draw a line (never told) or a veil (out of sight), for the whole table")
async def bound(seat: Playing, given: Boundary, at: TheTable) -> Outcome:
    wish = Bound(world=seat.world, text=given.text, veiled=given.veiled)
    return outcome(seat.world, await at.carry_out(seat, wish))


@router.post("/x-card", summary="The X-card: leave this subject now")
async def x_card(seat: Playing, at: TheTable, card: Card | None = None) -> Outcome:
    played = card or Card()
    wish = XCard(world=seat.world, rewind=played.rewind, note=played.note)
    return outcome(seat.world, await at.carry_out(seat, wish))
