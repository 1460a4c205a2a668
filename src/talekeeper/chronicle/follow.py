"""Following a log as it grows."""

from __future__ import annotations

from pathlib import Path

from .event import AgentEvent
from .line import BadLine, decode
from .reading import Reading


class Follower:
    """`new` gives what was appended since the last time; a log that was cut or replaced is read from its beginning."""

    def __init__(self, path: Path, *, from_end: bool = False) -> None:
        self.path = path
        self._inode = (0, 0)
        self._end = 0
        if from_end:
            with Reading(path) as file:
                self._inode, self._end = file.inode, file.size

    def new(self) -> list[AgentEvent]:
        events: list[AgentEvent] = []
        with Reading(self.path) as file:
            if file.inode != self._inode or file.size < self._end:
                self._inode, self._end = file.inode, 0
            for _, chunk in file.chunks(self._end):
                for line in chunk.split(b"\n"):
                    try:
                        events.append(decode(line)[0])
                    except BadLine:
                        continue
            self._end = max(self._end, file.consumed)
        return events
