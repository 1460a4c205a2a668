"""What the chat said becomes events: a batch of lines in one transaction, with what the Warden and the Librarian did.

Taking words back blanks them wherever they were kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec
from sqlalchemy import Connection

from talekeeper.agents.companion.line import ChatLine
from talekeeper.loops.companion.actions import Action, blank_actions, record
from talekeeper.loops.companion.channel import COMPANION
from talekeeper.loops.companion.session import DOOR, Session, count_messages
from talekeeper.loops.companion.viewers import note_viewers
from talekeeper.loops.scene.work import Services
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import path
from talekeeper.timeline.vocabulary import UNSEEN, ChatFlagged, ChatRemoved, ChatSaid, Draft, Event
from talekeeper.timeline.worlds import get_world

_KEPT = (COMPANION,)


class Flagged(msgspec.Struct, frozen=True):
    message: str
    severity: Literal["low", "medium", "high"]
    reason: str
    score: float = 0.0


class Told(msgspec.Struct, frozen=True):
    """One line, and whether the Librarian keeps it in memory."""

    line: ChatLine
    kept: bool = False
    flags: tuple[Flagged, ...] = ()
    """Of this line, and of earlier ones it completes."""
    stranger: bool = False
    """Whoever wrote it had not written here before."""


class Batch(msgspec.Struct, frozen=True):
    session: Session
    told: tuple[Told, ...]
    actions: tuple[Action, ...] = ()


def hear(conn: Connection, services: Services, batch: Batch) -> list[Event]:
    """Durable when the transaction ends; whoever waits for a line is told then."""
    session = batch.session
    world = get_world(conn, session.world)
    drafts: list[Draft] = []
    for told in batch.told:
        line = told.line
        drafts.append(Draft(body=said(session.id, line), by=DOOR, witnesses=_KEPT if told.kept else UNSEEN, at=line.at))
        drafts.extend(
            Draft(body=ChatFlagged(session.id, f.message, f.severity, f.reason, f.score), by="warden", at=line.at)
            for f in told.flags
        )
    events = services.appender.append(conn, world.slug, world.active, drafts)
    record(conn, batch.actions)
    note_viewers(conn, session.world, [(told.line.name, told.line.at) for told in batch.told if told.stranger])
    count_messages(conn, session.id, len(batch.told))
    return events


def said(session: str, line: ChatLine) -> ChatSaid:
    return ChatSaid(
        session, line.id, line.name, line.text, line.badges, line.display, line.reply_to,
        line.source_channel if line.foreign else "", line.action, line.bot,
    )  # fmt: skip


class Removal(msgspec.Struct, frozen=True, kw_only=True):
    session: Session
    at: float
    message: str = ""
    name: str = ""


def remove(conn: Connection, services: Services, removal: Removal) -> list[str]:
    """The ids of the lines whose words are gone; the event itself holds no text."""
    session = removal.session
    world = get_world(conn, session.world)
    past = path(conn, world.slug, world.active)
    found = [
        event
        for event in read_events(conn, past, after=session.seq, kinds=[ChatSaid.kind])
        if isinstance(event.body, ChatSaid) and _meant(event.body, removal) and not event.body.removed
    ]
    bodies = [event.body for event in found if isinstance(event.body, ChatSaid)]
    for event, body in zip(found, bodies, strict=True):
        services.appender.redact(conn, event, msgspec.structs.replace(body, text="", removed=True))
    gone = [body.message for body in bodies]
    blank_actions(conn, session.id, gone)
    marked = ChatRemoved(session=session.id, message=removal.message, name=removal.name)
    services.appender.append(conn, world.slug, world.active, [Draft(body=marked, by=DOOR, at=removal.at)])
    return gone


def _meant(body: ChatSaid, removal: Removal) -> bool:
    if body.session != removal.session.id:
        return False
    if removal.message:
        return body.message == removal.message
    return not removal.name or body.name == removal.name.lower()


def lines_of(conn: Connection, session: Session, limit: int | None = None) -> list[ChatLine]:
    """What was said in a session and still stands, oldest first; with a limit, the newest ones."""
    world = get_world(conn, session.world)
    past = path(conn, world.slug, world.active)
    newest = limit is not None
    events = read_events(conn, past, after=session.seq, kinds=[ChatSaid.kind], newest_first=newest, limit=limit)
    lines = list(_lines(session, events))
    return lines[::-1] if newest else lines


def _lines(session: Session, events: Iterable[Event]) -> Iterable[ChatLine]:
    for event in events:
        body = event.body
        if isinstance(body, ChatSaid) and body.session == session.id and not body.removed:
            yield ChatLine(
                id=body.message, name=body.name, text=body.text, at=event.at, display=body.display,
                badges=body.badges, channel=session.channel, source_channel=body.source or session.channel,
                reply_to=body.reply_to, action=body.deed, bot=body.bot,
            )  # fmt: skip


def flags_of(conn: Connection, session: Session) -> dict[str, Flagged]:
    """By the line's id: the newest of what the Warden said about it."""
    world = get_world(conn, session.world)
    past = path(conn, world.slug, world.active)
    flags: dict[str, Flagged] = {}
    for event in read_events(conn, past, after=session.seq, kinds=[ChatFlagged.kind]):
        body = event.body
        if isinstance(body, ChatFlagged) and body.session == session.id:
            flags[body.message] = Flagged(body.message, body.severity, body.reason, body.score)
    return flags
