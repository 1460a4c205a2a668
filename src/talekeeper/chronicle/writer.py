"""The chronicle of a fleet in one JSONL file: events in, prose out. Standard library only (orjson when present)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Any

from .escape import escape_markdown
from .event import AgentEvent
from .line import encode
from .log import Log, Sync
from .segment import Segment, count_kinds, kinds_of
from .shown import Shown, time_of_day
from .window_arc import find_arc

EMPTY = "The chronicle is empty: nothing has been recorded yet."


class ChronicleWriter:
    """`ingest` returns once the event is in the file. Without a path, each event goes to the file of its own day (UTC).

    The file is the only truth: several processes may write it, and `render` and `summary` show what all of them wrote.
    """

    def __init__(
        self,
        log_path: str | PathLike[str] | None = None,
        *,
        sync: Sync = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._sync: Sync = sync
        self._clock = clock
        self._lock = threading.RLock()
        self._folder = Path.home() / ".nexus" / "chronicle" if log_path is None else None
        self._day = (float("-inf"), float("inf"))
        path = Path(log_path) if log_path is not None else self._path_of(clock())
        path.parent.mkdir(parents=True, exist_ok=True)
        self._log = Log(path, sync)
        self._segments = {path: Segment(path)}
        self._looked = 0

    @property
    def log_path(self) -> Path:
        return self._log.path

    def ingest(self, event: AgentEvent) -> None:
        line = encode(event)
        begin, end = self._day
        if not begin <= event.timestamp < end:
            self._turn_to(event.timestamp)
        self._log.append(line)

    def ingest_many(self, events: Iterable[AgentEvent]) -> None:
        """Many events, one write for each run of the same day; with `sync`, on the medium when it returns."""
        pending: list[bytes] = []
        for event in events:
            line = encode(event)
            begin, end = self._day
            if not begin <= event.timestamp < end:
                self._write(pending)
                self._turn_to(event.timestamp)
            pending.append(line)
        self._write(pending)
        if self._sync is not None:
            self._log.flush()

    def render(self, max_events: int = 50) -> str:
        shown = self._window(max_events)
        if not shown:
            return EMPTY if max_events > 0 else "No events are shown: the window has no width."
        events = [entry.event for entry in shown]
        arc = find_arc(events, [entry.task for entry in shown])
        parts = [_opening(events), *(entry.plain for entry in shown)]
        if arc is not None:
            parts.append(arc.text)
        return "\n\n".join(parts)

    def render_markdown(self, max_events: int = 50) -> str:
        shown = self._window(max_events)
        events = [entry.event for entry in shown]
        arc = find_arc(events, [entry.task for entry in shown], escape_markdown)
        newest = max((event.timestamp for event in events), default=self._clock())
        parts = [f"# Chronicle — {_date(newest)}", *(entry.markdown for entry in shown)]
        if not shown:
            parts.append("*Nothing is recorded.*" if max_events > 0 else "*No events are shown.*")
        if arc is not None:
            parts += ["---", f"*{arc.text}*"]
        return "\n\n".join(parts) + "\n"

    def summary(self) -> dict[str, Any]:
        with self._lock:
            self._notice_other_days()
            sequences: dict[str, bytearray] = {}
            for segment in self._in_order():
                for agent, codes in segment.sequences().items():
                    sequences[agent] = sequences[agent] + codes if agent in sequences else codes
            return {
                "total_events": sum(map(len, sequences.values())),
                "agents": {name: {"events": len(codes), "kinds": kinds_of(codes)} for name, codes in sequences.items()},
                "kind_counts": count_kinds(sequences),
                "log_path": str(self.log_path),
            }

    def flush(self) -> None:
        """Return once everything ingested so far is on the medium."""
        with self._lock:
            self._log.flush()

    def close(self) -> None:
        with self._lock:
            self._log.close()

    def __enter__(self) -> ChronicleWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _write(self, pending: list[bytes]) -> None:
        if pending:
            self._log.append(b"".join(pending))
            pending.clear()

    def _window(self, count: int) -> list[Shown]:
        with self._lock:
            self._notice_other_days()
            shown: list[Shown] = []
            for segment in reversed(self._in_order()):
                shown = segment.window(count - len(shown)) + shown
                if len(shown) >= count:
                    break
            self._log.follow(self._segments[self.log_path].inode)
            return shown

    def _in_order(self) -> list[Segment]:
        return [self._segments[path] for path in sorted(self._segments)]

    def _turn_to(self, timestamp: float) -> None:
        with self._lock:
            path = self._path_of(timestamp)
            # The old log closes itself when no thread is writing to it any more.
            self._log = Log(path, self._sync)
            self._segments.setdefault(path, Segment(path))

    def _path_of(self, timestamp: float) -> Path:
        """The file of a day; remembers when that day begins and ends."""
        assert self._folder is not None
        begin = timestamp // 86400 * 86400
        self._day = (begin, begin + 86400)
        return self._folder / f"chronicle_{_date(timestamp)}.jsonl"

    def _notice_other_days(self) -> None:
        """Another process may have gone over midnight before us."""
        if self._folder is None:
            return
        changed = self._folder.stat().st_mtime_ns
        # A folder that changed this very moment may change once more under the same time.
        if changed != self._looked or time.time_ns() - changed < 1_000_000_000:
            self._looked = changed
            first = min(self._segments)
            for path in self._folder.glob("chronicle_????-??-??.jsonl"):
                if path > first and path not in self._segments:
                    self._segments[path] = Segment(path)


def _opening(events: list[AgentEvent]) -> str:
    times = [event.timestamp for event in events]
    first, last = min(times), max(times)
    begin, end = time_of_day(first)[:5], time_of_day(last)[:5]
    if first // 86400 != last // 86400:
        begin, end = f"{_date(first)} {begin}", f"{_date(last)} {end}"
    noun = "event" if len(events) == 1 else "events"
    return f"The chronicle tells of {len(events)} {noun}, from {begin} to {end}."


def _date(timestamp: float) -> str:
    return f"{datetime.fromtimestamp(timestamp, UTC):%Y-%m-%d}"
