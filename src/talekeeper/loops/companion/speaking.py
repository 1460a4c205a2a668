"""What the companion said, or chose not to say: the record of each line's way, and of each change of mind."""

from __future__ import annotations

from typing import cast

import msgspec
from sqlalchemy import Connection

from talekeeper.loops.companion.actions import Action, last_said, mark, record, settle_after_crash
from talekeeper.loops.companion.session import DOOR, Session
from talekeeper.loops.scene.work import Services
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import path
from talekeeper.timeline.vocabulary import PUBLIC, CompanionHeld, CompanionSpoke, Draft, GuardActed
from talekeeper.timeline.vocabulary.stream import Delivery
from talekeeper.timeline.worlds import find_world, get_world

HEARTHKEEPER, STEWARD, ADMIN = "hearthkeeper", "steward", "admin"
POSTED = ("sent", "unknown", "sending")
"""States that may have been read by people: they count for the cooldown."""
SETTLED = ("sent", "dropped", "unknown", "shown")


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a line on its way."""

    action: Action
    why: str = ""


def keep_step(conn: Connection, services: Services, step: Step) -> None:
    """The first step records the line; the last one puts it on the timeline."""
    action = step.action
    if action.state in ("queued", "held", "shown"):
        _record_or_mark(conn, action, step.why)
    else:
        mark(conn, action.id, state=action.state, about=step.why)
    if action.state in SETTLED:
        _append(conn, services, action, step.why)


def _record_or_mark(conn: Connection, action: Action, why: str) -> None:
    from_held = mark(conn, action.id, state=action.state, about=why, text=action.text, approved_by=action.approved_by)
    if not from_held:
        record(conn, [msgspec.structs.replace(action, about=why)])


def _append(conn: Connection, services: Services, action: Action, why: str) -> None:
    world = get_world(conn, action.world)
    spoke = CompanionSpoke(
        session=action.session, text=action.text, mode=action.mode, reason=action.reason,
        delivery=cast(Delivery, action.state), context_hash=action.context_hash, approved_by=action.approved_by,
        action=action.id, message=action.message, why=why,
    )  # fmt: skip
    seen = PUBLIC if action.state in ("sent", "unknown") else ()
    draft = Draft(body=spoke, by=DOOR, witnesses=seen, at=services.clock(), idem=f"spoke:{action.id}")
    services.appender.append(conn, world.slug, world.active, [draft])


def recover(conn: Connection, services: Services) -> list[Action]:
    """After a crash: what was being sent is unknown from now on, and on the timeline as such."""
    settled = settle_after_crash(conn)
    for action in settled:
        if find_world(conn, action.world) is not None:
            _append(conn, services, action, action.about)
    return settled


class Held(msgspec.Struct, frozen=True, kw_only=True):
    session: Session
    at: float
    reason: str
    speak: bool = False
    mode: str = HEARTHKEEPER
    details: tuple[str, ...] = ()


def hold(conn: Connection, services: Services, held: Held) -> None:
    world = get_world(conn, held.session.world)
    body = CompanionHeld(
        session=held.session.id, reason=held.reason, mode=held.mode, speak=held.speak, details=held.details
    )
    services.appender.append(conn, world.slug, world.active, [Draft(body=body, by=DOOR, at=held.at)])


class DecisionMade(msgspec.Struct, frozen=True):
    at: float
    speak: bool
    reason: str
    details: tuple[str, ...] = ()


def decisions_of(conn: Connection, session: Session, limit: int = 200) -> list[DecisionMade]:
    """Newest first."""
    world = get_world(conn, session.world)
    past = path(conn, world.slug, world.active)
    events = read_events(conn, past, after=session.seq, kinds=[CompanionHeld.kind], newest_first=True, limit=limit)
    return [
        DecisionMade(event.at, event.body.speak, event.body.reason, event.body.details)
        for event in events
        if isinstance(event.body, CompanionHeld) and event.body.session == session.id
    ]


def own_lines(conn: Connection, session: Session, limit: int = 50) -> list[str]:
    """The channel's last lines of the companion that people may have read, oldest first, in whatever session."""
    world = get_world(conn, session.world)
    past = path(conn, world.slug, world.active)
    lines: list[str] = []
    for event in read_events(conn, past, kinds=[CompanionSpoke.kind], newest_first=True, limit=4 * limit):
        if isinstance(event.body, CompanionSpoke) and event.body.delivery in ("sent", "unknown"):
            lines.append(event.body.text)
    return lines[:limit][::-1]


def last_prompt(conn: Connection, session: Session) -> Action | None:
    return last_said(conn, session.world, (HEARTHKEEPER,), POSTED)


def last_post(conn: Connection, session: Session) -> Action | None:
    """Whatever it said last, in whatever mode."""
    return last_said(conn, session.world, (HEARTHKEEPER, STEWARD, ADMIN), POSTED)


class TestModeSwitch(msgspec.Struct, frozen=True):
    """The operator lets it post though the channel is not live, or no longer does."""

    session: Session
    on: bool


def audit_test_mode(conn: Connection, services: Services, switched: TestModeSwitch) -> None:
    world = get_world(conn, switched.session.world)
    reason = f"The operator switched offline test mode {'on' if switched.on else 'off'}."
    acted = GuardActed(guard="live_gate", action="allow" if switched.on else "stop", reason=reason)
    services.appender.append(conn, world.slug, world.active, [Draft(body=acted, by="operator")])
