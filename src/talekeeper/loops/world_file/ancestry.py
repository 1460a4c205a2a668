"""The tree of timelines in a world file: checked, then rebuilt as rows and paths."""

from __future__ import annotations

from sqlalchemy import Connection, insert

from talekeeper.loops.world_file.lines import MOST_TIMELINES, TimelineLine
from talekeeper.loops.world_file.reader import Unsound
from talekeeper.timeline.lineage import OPEN_END, Path, Segment, lineage_table, timeline_table

_BATCH = 500


class Ancestry:
    """Grows line by line; a parent comes before its children."""

    def __init__(self, world: str) -> None:
        self._world = world
        self.timelines: dict[str, TimelineLine] = {}
        self.paths: dict[str, Path] = {}

    def add(self, line: TimelineLine) -> None:
        expected = f"t{len(self.timelines) + 1}"
        if line.id != expected:
            raise Unsound(f"the timeline {line.id} stands where {expected} belongs")
        if len(self.timelines) >= MOST_TIMELINES:
            raise Unsound(f"there are more than {MOST_TIMELINES:,} timelines")
        if line.head < line.fork_seq:
            raise Unsound(f"the timeline {line.id} ends before it begins")
        own = Segment(line.id, line.fork_seq, OPEN_END)
        self.paths[line.id] = Path(self._world, line.id, (*self._past(line), own))
        self.timelines[line.id] = line

    def _past(self, line: TimelineLine) -> tuple[Segment, ...]:
        if not self.timelines:
            if line.parent is not None or line.fork_seq != 0:
                raise Unsound("the first timeline cannot have a parent")
            return ()
        parent = self.timelines.get(line.parent or "")
        if parent is None:
            raise Unsound(f"the timeline {line.id} comes from {line.parent}, which is not there before it")
        if not parent.fork_seq < line.fork_seq <= parent.head:
            raise Unsound(
                f"the timeline {line.id} leaves {parent.id} at {line.fork_seq}, where {parent.id} has no event"
            )
        return self.paths[parent.id].until(line.fork_seq).segments

    @property
    def events(self) -> int:
        return sum(line.head - line.fork_seq for line in self.timelines.values())

    def store(self, conn: Connection, now: float) -> None:
        """Born now: what is kept in mind about an older world of the same name must not be taken for this one's."""
        timelines = [
            {"world": self._world, "id": t.id, "name": t.name, "parent": t.parent, "fork_seq": t.fork_seq,
             "reason": t.reason, "head": t.head, "created_at": now}
            for t in self.timelines.values()
        ]  # fmt: skip
        lineage = [
            {"world": self._world, "timeline": past.timeline, "ancestor": s.timeline, "max_seq": s.upto}
            for past in self.paths.values()
            for s in past.segments
        ]
        for table, rows in ((timeline_table, timelines), (lineage_table, lineage)):
            for start in range(0, len(rows), _BATCH):
                conn.execute(insert(table), rows[start : start + _BATCH])
