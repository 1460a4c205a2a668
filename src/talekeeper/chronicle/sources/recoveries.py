"""A success is news only after a failure: then, and only then, it is a recovery."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator

from ..event import AgentEvent, EventKind

CHECK = "check"
"""The metadata that names what failed or succeeded: a workflow on a branch, a tool in a session, an alert."""

_REMEMBERED = 10_000


class Recoveries:
    """Remembers what is failing. A source tells failures as ERROR and successes as HEARTBEAT, both with a check."""

    def __init__(self) -> None:
        self._failing: OrderedDict[str, None] = OrderedDict()

    def see(self, event: AgentEvent) -> AgentEvent:
        check = event.metadata.get(CHECK)
        if not isinstance(check, str):
            return event
        if event.kind is EventKind.ERROR:
            self._failing[check] = None
            self._failing.move_to_end(check)
            if len(self._failing) > _REMEMBERED:
                self._failing.popitem(last=False)
        elif event.kind is EventKind.HEARTBEAT and check in self._failing:
            del self._failing[check]
            return AgentEvent(EventKind.RECOVERY, event.agent, event.detail, event.timestamp, event.metadata)
        elif event.kind is EventKind.RECOVERY:
            self._failing.pop(check, None)
        return event

    def among(self, events: Iterable[AgentEvent]) -> Iterator[AgentEvent]:
        return map(self.see, events)
