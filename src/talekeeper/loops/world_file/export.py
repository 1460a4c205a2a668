"""Writing a world out: read in pages, so that a million events take no more memory than a hundred."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

import msgspec
from sqlalchemy import Connection, Table, select

from talekeeper import __version__
from talekeeper.errors import CorruptWorld
from talekeeper.loops.scene.persist_turn import final_state
from talekeeper.loops.world_file.lines import (
    FORMAT,
    VERSION,
    AnyLine,
    EventLine,
    Footer,
    Header,
    Progress,
    SnapshotLine,
    TimelineLine,
    TurnLine,
    WorldPart,
)
from talekeeper.timeline.events import event_table
from talekeeper.timeline.lineage import Timeline, list_timelines
from talekeeper.timeline.snapshots import snapshot_table
from talekeeper.timeline.turns import RUNNING, turn_table
from talekeeper.timeline.worlds import World, get_world

_PAGE = 500
_HINT = "Run `talekeeper world check` on it."

_turn_part = msgspec.json.Decoder(TurnLine)


def export_world(
    conn: Connection, world: str, out: BinaryIO, *, now: float, progress: Progress = lambda _done, _of: None
) -> Footer:
    """The whole world, all timelines, as they are at this moment. `progress` is told how many events of how many are out.

    The heads are read first and nothing beyond them is written: what lies before a head never changes, so the file is
    one consistent cut even while somebody plays.
    """
    chosen = get_world(conn, world)
    timelines = list_timelines(conn, world)
    lines = _Written(out)
    header = _header(chosen, timelines, now)
    lines.write(header)
    for timeline in timelines:
        lines.write(_timeline(timeline))
    done = 0
    for timeline in timelines:
        for page in _events(conn, timeline):
            lines.write(*page)
            done += len(page)
            progress(done, header.events)
    snapshots = sum(lines.write(*_snapshots(conn, timeline)) for timeline in timelines)
    turns = sum(lines.write(turn) for timeline in timelines for turn in _turns(conn, timeline))
    footer = Footer(
        timelines=len(timelines), events=done, snapshots=snapshots, turns=turns, sha256=lines.sha256
    )  # fmt: skip
    lines.write(footer)
    return footer


class _Written:
    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._hash = hashlib.sha256()
        self._encode = msgspec.json.Encoder().encode

    def write(self, *lines: AnyLine) -> int:
        data = b"".join(self._encode(line) + b"\n" for line in lines)
        self._hash.update(data)
        self._out.write(data)
        return len(lines)

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()


def _header(world: World, timelines: list[Timeline], now: float) -> Header:
    return Header(
        format=FORMAT, version=VERSION, made_by=f"talekeeper {__version__}", made_at=now,
        world=WorldPart(
            name=world.slug, title=world.title, seed=world.seed, preset=world.preset, rules=world.rules,
            player=world.player, active=world.active, created_at=world.created_at, played_at=world.played_at,
        ),
        timelines=len(timelines), events=sum(t.head - t.fork_seq for t in timelines),
    )  # fmt: skip


def _timeline(timeline: Timeline) -> TimelineLine:
    return TimelineLine(
        id=timeline.id, name=timeline.name, parent=timeline.parent, fork_seq=timeline.fork_seq,
        reason=timeline.reason, head=timeline.head,
    )  # fmt: skip


def _events(conn: Connection, timeline: Timeline) -> Iterator[list[EventLine]]:
    reached = timeline.fork_seq
    for rows in _pages(conn, event_table, "seq", timeline):
        page = []
        for row in rows:
            reached += 1
            if row.seq != reached:
                raise CorruptWorld(f"Event {timeline.id}@{reached} is missing from the world.", _HINT)
            page.append(_event(row))
        yield page
    if reached != timeline.head:
        raise CorruptWorld(f"Event {timeline.id}@{reached + 1} is missing from the world.", _HINT)


def _event(row: Any) -> EventLine:
    return EventLine(
        timeline=row.timeline, seq=row.seq, kind=row.kind, v=row.v, at=row.at, story_time=row.story_time,
        scene=row.scene, turn=row.turn, by=row.by, place=row.place,
        witnesses=msgspec.json.decode(row.witnesses, type=tuple[str, ...]), cause=row.cause,
        body=msgspec.Raw(row.body.encode()), idem=row.idem,
    )  # fmt: skip


def _snapshots(conn: Connection, timeline: Timeline) -> Iterator[SnapshotLine]:
    for rows in _pages(conn, snapshot_table, "seq", timeline):
        for row in rows:
            part = {
                "line": "snapshot",
                "timeline": row.timeline,
                "seq": row.seq,
                "snapshot": msgspec.Raw(row.body.encode()),
            }
            yield msgspec.json.decode(msgspec.json.encode(part), type=SnapshotLine)


def _turns(conn: Connection, timeline: Timeline) -> Iterator[TurnLine]:
    """Every turn whose events are on the timeline; one that is still closing its scene counts as ended."""
    for rows in _pages(conn, turn_table, "number", timeline):
        yield from (_turn(row) for row in rows if row.last_seq is not None and row.last_seq <= timeline.head)


def _turn(row: Any) -> TurnLine:
    parts = {
        name: msgspec.Raw(value.encode())
        for name in ("intent", "outcome", "manifest", "prose")
        if (value := getattr(row, name)) is not None
    }
    plain = {name: getattr(row, name) for name in ("timeline", "number", "scene", "attempt", "actor", "base_seq", "last_seq",
                                                   "idem", "accepted_at", "ended_at")}  # fmt: skip
    turn = _turn_part.decode(msgspec.json.encode({"line": "turn", **plain, **parts}))
    state = row.state
    if state in RUNNING and turn.prose is not None:
        state = final_state(turn.prose)
    return msgspec.structs.replace(turn, complete=state != "interrupted")


def _pages(conn: Connection, table: Table, key: str, timeline: Timeline) -> Iterable[list[Any]]:
    """Rows of one timeline by ascending key, in pages; a page costs the same wherever it lies."""
    column, last = table.c[key], None
    while True:
        query = select(table).where(table.c.world == timeline.world, table.c.timeline == timeline.id)
        if key == "seq":
            query = query.where(column <= timeline.head)
        if last is not None:
            query = query.where(column > last)
        rows = list(conn.execute(query.order_by(column).limit(_PAGE)))
        if not rows:
            return
        yield rows
        last = getattr(rows[-1], key)
