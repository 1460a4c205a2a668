"""Agents' events as the sifter reads them."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator

from .event import AgentEvent, EventKind
from .line import encode
from .sifter.record import Record
from .task import task_of

_REMEMBERED = 100_000
_PLACES = ("repo", "service", "place")


def line_id(line: bytes, seen: OrderedDict[bytes, int]) -> str:
    """The hash of a line and its ordinal among equal lines: the same file gives the same ids whenever it is read."""
    digest = hashlib.sha256(line.strip()).digest()
    ordinal = seen.get(digest, 0)
    seen[digest] = ordinal + 1
    seen.move_to_end(digest)
    if len(seen) > _REMEMBERED:
        seen.popitem(last=False)
    return f"{digest.hex()}.{ordinal}"


class FleetRecords:
    """Give it events in order: one that names no task belongs to what its agent was last sent to do."""

    def __init__(self, *, one_place: bool = False) -> None:
        """With `one_place` a number needs no repository before it: there is only one."""
        self._one_place = one_place
        self._current: OrderedDict[str, str] = OrderedDict()
        self._seen: OrderedDict[bytes, int] = OrderedDict()

    def record(self, event: AgentEvent, id: str = "") -> Record:  # noqa: A002 - the word the whole house uses
        """`id` is how sentences will name the event; without one it is the event's own, or the hash of its line."""
        metadata, agent = event.metadata, event.agent
        place = next((str(metadata[name]) for name in _PLACES if metadata.get(name)), "")
        task = task_of(event.detail, metadata)
        if task is None:
            task = f"@{agent}" if event.kind is EventKind.DISPATCH else self._current.get(agent, f"@{agent}")
        elif task.startswith("#") and not self._one_place:
            task = place + task
        if event.kind is EventKind.DISPATCH:
            self._current[agent] = task
            if len(self._current) > _REMEMBERED:
                self._current.popitem(last=False)
        if not id:
            own = metadata.get("id")
            id = own if isinstance(own, str) and own else line_id(encode(event), self._seen)[:16]  # noqa: A001
        keys = {"agent": agent, "task": task, "place": place or "fleet"}
        return Record(id, event.kind.value, event.timestamp, keys, {**metadata, "detail": event.detail})

    def records(self, events: Iterable[AgentEvent]) -> Iterator[Record]:
        return map(self.record, events)
