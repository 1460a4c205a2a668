"""What `talekeeper chronicle watch` follows: a log file, or a world as it is played, worked in or chatted in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from sqlalchemy import Connection

from talekeeper.chronicle.book import dates
from talekeeper.chronicle.event import AgentEvent, EventKind
from talekeeper.chronicle.fleet_records import FleetRecords
from talekeeper.chronicle.follow import Follower
from talekeeper.chronicle.rotation import Rotation
from talekeeper.chronicle.sentence import sentence
from talekeeper.chronicle.sifter import Record
from talekeeper.chronicle.world_records import WorldRecords
from talekeeper.timeline.feed import follow
from talekeeper.timeline.lineage import path
from talekeeper.timeline.store import Store
from talekeeper.timeline.vocabulary import (
    FLEET_PREFIX,
    ActionTaken,
    ChatSaid,
    CompanionSpoke,
    DeedDone,
    Event,
    FleetDeed,
    LineSpoken,
    NarrationTold,
)
from talekeeper.timeline.worlds import World, get_world


class Happened(NamedTuple):
    """One event as a line for a person and as JSON for a program; no text where there is nothing to say of it."""

    text: str
    faint: bool
    document: dict[str, Any]
    records: list[Record]


class Source(Protocol):
    def new(self) -> Iterator[Happened]:
        """What has happened since the last question, in order."""
        ...


class LogSource:
    def __init__(self, path: Path) -> None:
        self._follower = Follower(path)
        self._records = FleetRecords()
        self._rotation = Rotation()
        self._number = 0

    def new(self) -> Iterator[Happened]:
        for event in self._follower.new():
            said = sentence(event, self._rotation.turn(self._number, event.kind))
            self._number += 1
            yield Happened(
                _timed(event.timestamp, said), _is_faint(event), event.to_dict(), [self._records.record(event)]
            )


class WorldSource:
    """The timeline that is being played, also when somebody goes to another."""

    def __init__(self, store: Store, world: World) -> None:
        self._store = store
        self._world = world.slug
        self._timeline = ""
        self._seen = 0
        self._records = WorldRecords()
        self._rotation = Rotation()
        self._number = 0

    def new(self) -> Iterator[Happened]:
        while events := self._store.read_now(self._look):
            self._seen = events[-1].seq
            for event in events:
                records = self._records.of(event)
                said = self._say(event)
                document = {"id": event.id, "kind": event.kind, "at": event.at, "by": event.by, "text": said}
                yield Happened(_timed(event.at, said) if said else "", False, document, records)

    def _look(self, conn: Connection) -> list[Event]:
        active = get_world(conn, self._world).active
        if self._timeline and active != self._timeline:
            # The past they share has been told.
            left = path(conn, self._world, self._timeline)
            self._seen = min(self._seen, left.shared_with(path(conn, self._world, active)))
        self._timeline = active
        return follow(conn, self._world, active, self._seen)

    def _say(self, event: Event) -> str:
        name = self._records.name
        match event.body:
            case FleetDeed(agent=agent, detail=detail, metadata=about):
                kind = event.kind.removeprefix(FLEET_PREFIX)
                if kind not in set(EventKind):
                    return ""
                deed = AgentEvent(EventKind(kind), agent, detail, event.at, dict(about))
                self._number += 1
                return sentence(deed, self._rotation.turn(self._number, deed.kind))
            case ActionTaken(actor=who, text=text):
                return f"> {name(who)}: {text}"
            case LineSpoken(speaker=who, text=text):
                return f"{name(who)}: “{text}”"
            case DeedDone(actor=who, text=text):
                return f"{name(who)} {text}"
            case NarrationTold(text=text):
                return text
            case ChatSaid(name=who, text=text):
                return f"<{who}> {text}"
            case CompanionSpoke(text=text, mode=mode):
                return f"<{mode}> {text}"
        return ""


def _timed(at: float, said: str) -> str:
    return f"{dates.clock(at)}  {said}"


def _is_faint(event: AgentEvent) -> bool:
    return event.kind in (EventKind.HEARTBEAT, EventKind.IDLE)
