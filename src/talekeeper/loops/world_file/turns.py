"""The snapshots and ended turns of a world file, checked against its events; what effects derive is asked for again."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select

from talekeeper.loops.scene.work import Services, encode
from talekeeper.loops.world_file.ancestry import Ancestry
from talekeeper.loops.world_file.lines import SnapshotLine, TurnLine
from talekeeper.loops.world_file.reader import Unsound
from talekeeper.timeline.events import event_table
from talekeeper.timeline.ids import turn_id
from talekeeper.timeline.outbox import Job, put
from talekeeper.timeline.snapshots import latest_snapshot, snapshot_table
from talekeeper.timeline.turns import Turn, last_turn, turn_table
from talekeeper.timeline.worlds import World

_BATCH = 200
_INT64 = range(-(2**63), 2**63)


class SnapshotIntake:
    def __init__(self, conn: Connection, world: World, ancestry: Ancestry, scenes: dict[str, tuple[str, int]]) -> None:
        self._conn = conn
        self._world = world
        self._ancestry = ancestry
        self._scenes = scenes
        self._first = False
        self._rows: list[dict[str, Any]] = []

    def take(self, line: SnapshotLine) -> None:
        timeline, kept = self._ancestry.timelines.get(line.timeline), line.snapshot
        if timeline is None or not timeline.fork_seq < line.seq <= timeline.head:
            raise Unsound(f"it pictures {line.timeline}@{line.seq}, which is not there")
        opened = self._scenes.get(kept.scene)
        past = self._ancestry.paths[line.timeline].until(line.seq)
        if opened is None or opened[1] != kept.scene_seq or not past.holds(*opened) or not _numbered(kept.scene):
            raise Unsound(f"it pictures the scene {kept.scene[:80]!r}, which was not open then")
        if not (0 <= kept.turn_number <= line.seq and 0 <= kept.scene_turns <= line.seq and kept.now in _INT64):
            raise Unsound("its numbers cannot be")
        row = {"world": self._world.slug, "timeline": line.timeline, "seq": line.seq, "body": encode(kept)}
        self._rows.append(row)
        self._first = self._first or line.timeline == "t1"
        if len(self._rows) >= _BATCH:
            self._flush()

    def end(self) -> None:
        if not self._first:
            raise Unsound("the world has no scene to go on from")
        self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._conn.execute(insert(snapshot_table), self._rows)
            self._rows.clear()


def _numbered(scene: str) -> bool:
    """The next scene's number follows from it."""
    number = scene.rpartition("/s")[2]
    return number.isascii() and number.isdigit() and len(number) < 10


class TurnIntake:
    def __init__(self, conn: Connection, services: Services, world: World, ancestry: Ancestry) -> None:
        self._conn = conn
        self._services = services
        self._world = world
        self._ancestry = ancestry
        self._timeline = ""
        self._reached = 0
        self._batch: list[Turn] = []

    def take(self, line: TurnLine) -> None:
        timeline = self._ancestry.timelines.get(line.timeline)
        if timeline is None or int(line.timeline[1:]) < int(self._timeline[1:] or 0):
            raise Unsound(f"a turn of {line.timeline} stands where none belongs")
        if line.timeline != self._timeline:
            self._flush()
            before = last_turn(self._conn, self._ancestry.paths[line.timeline].until(timeline.fork_seq or None))
            self._timeline, self._reached = line.timeline, before.number if before else 0
        if not self._reached < line.number <= line.last_seq:
            raise Unsound(f"turn {line.number} cannot follow turn {self._reached}")
        if not timeline.fork_seq <= line.base_seq < line.last_seq <= timeline.head:
            raise Unsound(f"turn {line.number} lies outside {line.timeline}")
        self._reached = line.number
        self._batch.append(self._turn(line))
        if len(self._batch) >= _BATCH:
            self._flush()

    def _turn(self, line: TurnLine) -> Turn:
        slug = self._world.slug
        intent = msgspec.structs.replace(line.intent, world=slug)
        return Turn(
            world=slug, id=turn_id(line.timeline, line.number), timeline=line.timeline, scene=line.scene,
            number=line.number, attempt=line.attempt, state="done" if line.complete else "interrupted",
            actor=line.actor, intent=encode(intent), base_seq=line.base_seq, last_seq=line.last_seq,
            outcome=_text(line.outcome), manifest=_text(line.manifest), prose=_text(line.prose),
            idem=line.idem, accepted_at=line.accepted_at,
            ended_at=line.ended_at,
        )  # fmt: skip

    def _flush(self) -> None:
        if self._batch:
            self._conn.execute(insert(turn_table), [msgspec.structs.asdict(turn) for turn in self._batch])
            now, effects = self._services.clock(), self._services.effects
            put(
                self._conn,
                [
                    Job(effect, version, turn.world, turn.timeline, turn.last_seq or 0, due_at=now, created_at=now)
                    for turn in self._batch
                    for effect, version in effects
                ],
            )
            self._batch.clear()

    def end(self) -> None:
        """Every event of a turn has its turn, and every turn its events: the next turn counts on from them."""
        self._flush()
        e, t = event_table.c, turn_table.c
        orphan = self._conn.execute(
            select(e.timeline, e.seq)
            .where(e.world == self._world.slug, e.turn.is_not(None))
            .where(~select(t.id).where(t.world == e.world, t.id == e.turn).exists())
            .limit(1)
        ).one_or_none()
        if orphan is not None:
            raise Unsound(f"event {orphan.timeline}@{orphan.seq} is of a turn that is not there")
        empty = self._conn.execute(
            select(t.id)
            .where(t.world == self._world.slug)
            .where(
                ~select(e.seq)
                .where(e.world == t.world, e.timeline == t.timeline, e.seq == t.last_seq, e.turn == t.id)
                .exists()
            )
            .limit(1)
        ).scalar_one_or_none()
        if empty is not None:
            raise Unsound(f"turn {empty} has no events of its own")
        for timeline, past in self._ancestry.paths.items():
            highest = self._conn.execute(
                select(func.max(t.number)).where(t.world == self._world.slug, t.timeline == timeline)
            ).scalar_one()
            snapshot = latest_snapshot(self._conn, past)
            if snapshot is None or (highest or 0) > snapshot.turn_number:
                raise Unsound(f"the last picture of {timeline} is older than its last turn")


def _text(part: msgspec.Struct | None) -> str | None:
    return None if part is None else encode(part)
