"""A turn ends: what was sent is recorded; what was performed becomes events, once; a late report replaces a guess."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from talekeeper.agents.npc.performance import Said, ToolUse
from talekeeper.canon.view import CanonView
from talekeeper.errors import NotFound
from talekeeper.loops.npc_turn import record
from talekeeper.loops.npc_turn.begin import witnesses
from talekeeper.loops.npc_turn.hearing import TELLER, performed
from talekeeper.loops.npc_turn.record import GameTurn
from talekeeper.loops.npc_turn.regard import CUT_SHORT, felt
from talekeeper.loops.scene.work import Services
from talekeeper.timeline.append import lock_head
from talekeeper.timeline.events import get_event
from talekeeper.timeline.ids import entity_kind
from talekeeper.timeline.lineage import path
from talekeeper.timeline.outbox import Job, put
from talekeeper.timeline.vocabulary import UNSEEN, Body, DeedDone, Draft, LineSpoken, NarrationTold


class Sent(msgspec.Struct, frozen=True, kw_only=True):
    """The server has nothing more to send for this turn."""

    world: str
    turn: str
    said: tuple[Said, ...]
    tools: tuple[ToolUse, ...] = ()
    stopped: bool = False
    cut_short_by: str = ""
    """The entity whose words or deed stopped it, if anybody's."""


def sent(conn: Connection, services: Services, intent: Sent) -> GameTurn:
    turn = _get(conn, intent.world, intent.turn)
    if turn.status != "started":
        return turn
    cut_short = bool(intent.cut_short_by and intent.said)
    turn = record.change(
        conn, turn, "sent", said=intent.said, tools=intent.tools, stopped=intent.stopped, cut_short=cut_short
    )
    if cut_short:
        _offend(conn, services, turn, intent.cut_short_by)
    return turn


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What the game says it performed of a turn."""

    world: str
    turn: str
    said: tuple[Said, ...]
    """Only what was performed, cut where it was cut."""
    stopped: bool = False
    """It was broken off while it was performed."""
    observations: tuple[str, ...] = ()


def report(conn: Connection, services: Services, intent: Report) -> GameTurn:
    """Idempotent: the first report of a turn stands."""
    turn = _get(conn, intent.world, intent.turn)
    if turn.status == "confirmed":
        return turn
    world, timeline = turn.world, turn.timeline
    cut_short = intent.stopped and not turn.body.stopped and bool(turn.body.said or intent.said)
    lock_head(conn, world, timeline)
    _take_back(conn, services, turn)
    bodies: list[tuple[Body, str]] = [
        (body, turn.entity) for body in performed(intent.said, turn.body.speech, turn.entity, turn.body.source)
    ]
    bodies += [(NarrationTold(text=text, teller=TELLER), TELLER) for text in intent.observations]
    events = _append(conn, services, turn, bodies)
    turn = record.change(
        conn, turn, "confirmed", said=intent.said, events=events, stopped=turn.body.stopped or intent.stopped,
        cut_short=turn.body.cut_short or cut_short,
    )  # fmt: skip
    if cut_short:
        _offend(conn, services, turn, turn.body.source)
    return turn


class Presume(msgspec.Struct, frozen=True, kw_only=True):
    """No report came in time."""

    world: str
    turn: str


def presume(conn: Connection, services: Services, intent: Presume) -> GameTurn:
    """What was sent counts as performed until somebody says otherwise."""
    turn = _get(conn, intent.world, intent.turn)
    if turn.status in ("unconfirmed", "confirmed"):
        return turn
    bodies = performed(turn.body.said, turn.body.speech, turn.entity, turn.body.source)
    events = _append(conn, services, turn, [(body, turn.entity) for body in bodies])
    return record.change(conn, turn, "unconfirmed", events=events)


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """Tool results of a turn, whether or not anything goes on from them."""

    world: str
    turn: str
    tools: tuple[ToolUse, ...]


def answered(conn: Connection, _services: Services, intent: Answered) -> GameTurn:
    turn = _get(conn, intent.world, intent.turn)
    return record.change(conn, turn, turn.status, tools=intent.tools)


def presume_all(conn: Connection, services: Services) -> int:
    """After a crash: turns whose end nobody recorded."""
    left = record.unsettled(conn)
    for turn in left:
        presume(conn, services, Presume(world=turn.world, turn=turn.id))
    return len(left)


def _get(conn: Connection, world: str, turn: str) -> GameTurn:
    found = record.find(conn, world, turn)
    if found is None:
        raise NotFound(f"No turn {turn[:80]!r} is known in this world.", "Turn ids come with agent_turn_started.")
    return found


def _append(conn: Connection, services: Services, turn: GameTurn, bodies: list[tuple[Body, str]]) -> tuple[str, ...]:
    if not bodies:
        return ()
    view = CanonView(conn, path(conn, turn.world, turn.timeline))
    seen = witnesses(turn.entity, turn.body.source)
    place = view.text(turn.entity, "at") or None
    drafts = [
        Draft(body=body, by=by, witnesses=seen, scene=turn.body.scene, place=place, at=services.clock())
        for body, by in bodies
    ]
    events = services.appender.append(conn, turn.world, turn.timeline, drafts)
    now, last = services.clock(), events[-1].seq
    put(conn, [Job(e, v, turn.world, turn.timeline, last, due_at=now, created_at=now) for e, v in services.effects])
    return tuple(event.id for event in events)


def _take_back(conn: Connection, services: Services, turn: GameTurn) -> None:
    """Blank what was only presumed, and let it be forgotten."""
    for event_id in turn.body.events:
        event = get_event(conn, turn.world, event_id)
        if isinstance(event.body, LineSpoken | DeedDone):
            services.appender.redact(conn, event, msgspec.structs.replace(event.body, text=""))


def _offend(conn: Connection, services: Services, turn: GameTurn, by: str) -> None:
    """To be cut short is remembered: as a deed of whoever did it, and as a feeling."""
    if entity_kind(by) != "person" or by == turn.entity:
        return
    lock_head(conn, turn.world, turn.timeline)
    view = CanonView(conn, path(conn, turn.world, turn.timeline))
    name = view.name(turn.entity)
    deed = Draft(
        body=DeedDone(actor=by, text=f"interrupted {name} in mid-sentence"), by=by,
        witnesses=witnesses(turn.entity, by), scene=turn.body.scene, idem=f"game:{turn.id}:cut-short",
    )  # fmt: skip
    feelings = [
        Draft(body=body, by="rules", witnesses=UNSEEN, scene=turn.body.scene)
        for body in felt(view, turn.entity, by, CUT_SHORT)
    ]
    services.appender.append(conn, turn.world, turn.timeline, [deed, *feelings])
