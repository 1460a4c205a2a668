"""One log file as it is read: the newest events in O(window), the totals in one pass, both kept up to date."""

from __future__ import annotations

import logging
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .event import EARLIEST, LATEST, AgentEvent, EventKind
from .line import BadLine, decode, fast_loads
from .reading import Reading
from .rotation import BLOCK, Rotation, block_start
from .shown import Shown

logger = logging.getLogger("talekeeper.chronicle")

KEPT = 256
"""How many of the newest events stay in memory; wider windows are read from the file."""

_KINDS = tuple(EventKind)
_CODES = {kind.value: code for code, kind in enumerate(_KINDS)}


class Segment:
    """Reads one file. Whatever anybody appended is seen at the next question."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.damaged: Counter[str] = Counter()
        self.inode = (0, 0)
        self._forget()

    def _forget(self) -> None:
        self._recent: deque[Shown] = deque(maxlen=KEPT)
        self._recent_end = -1
        self._rotation = Rotation()
        self._sequences: dict[str, bytearray] = {}
        self._folded = 0

    def window(self, count: int) -> list[Shown]:
        if count <= 0:
            return []
        with Reading(self.path) as file:
            self._check(file)
            if count > KEPT:
                return _ready(_tail(file, count)[0][-count:])
            if file.size != self._recent_end:
                self._refresh(file)
            return _ready(list(self._recent)[-count:])

    def sequences(self) -> dict[str, bytearray]:
        """For each agent, in order of first appearance, the codes of its events in order."""
        with Reading(self.path) as file:
            self._check(file)
            if file.size > self._folded:
                before = self.damaged.total()
                self._fold(file)
                if self.damaged.total() > before:
                    logger.warning("%s: lines skipped or repaired: %s", self.path, dict(self.damaged))
        return self._sequences

    def _check(self, file: Reading) -> None:
        if self.inode not in ((0, 0), file.inode) or file.size < max(self._folded, self._recent_end):
            self._forget()
        self.inode = file.inode

    def _refresh(self, file: Reading) -> None:
        if self._recent_end < 0 or file.size - self._recent_end > BLOCK:
            shown, self._rotation = _tail(file, KEPT)
            self._recent = deque(shown, maxlen=KEPT)
        else:
            self._recent.extend(_numbered(file, self._recent_end, self._rotation))
        self._recent_end = file.consumed

    def _fold(self, file: Reading) -> None:
        codes, known = _CODES, {agent: sequence.append for agent, sequence in self._sequences.items()}
        for offset, chunk in file.chunks(self._folded):
            documents = _all_at_once(chunk)
            for position, document in enumerate(documents if documents is not None else chunk.split(b"\n")):
                try:
                    append, code = known[document["agent"]], codes[document["kind"]]
                    at = document["timestamp"]
                    if EARLIEST <= at <= LATEST and at is not True and at is not False:
                        append(code)
                        continue
                except (TypeError, KeyError):
                    pass  # an agent we meet for the first time, or a line that needs a look of its own
                event = self._looked_at(document if documents is None else chunk.split(b"\n")[position])
                if event is not None:
                    sequence = self._sequences.setdefault(event.agent, bytearray())
                    sequence.append(codes[event.kind])
                    known[event.agent] = sequence.append
            self._folded = offset + len(chunk)

    def _looked_at(self, line: bytes) -> AgentEvent | None:
        if not line or line.isspace():
            return None
        try:
            event, repairs = decode(line)
        except BadLine as bad:
            self.damaged[f"skipped: {bad}"] += 1
            return None
        if repairs:
            self.damaged[f"repaired: {repairs}"] += 1
        return event


def _ready(shown: list[Shown]) -> list[Shown]:
    for entry in shown:
        entry.ready()
    return shown


def kinds_of(sequence: bytearray) -> list[str]:
    return [_KINDS[code].value for code in sequence]


def count_kinds(sequences: dict[str, bytearray]) -> dict[str, int]:
    counts = {kind.value: sum(seq.count(code) for seq in sequences.values()) for code, kind in enumerate(_KINDS)}
    return {kind: count for kind, count in counts.items() if count}


def read_events(path: Path) -> Iterator[AgentEvent]:
    """Every readable event of a log, in file order, a chunk at a time."""
    with Reading(path) as file:
        for _, chunk in file.chunks(0):
            for line in chunk.split(b"\n"):
                try:
                    yield decode(line)[0]
                except BadLine:
                    continue


def read_tail(path: Path, count: int) -> list[AgentEvent]:
    """The last `count` events, read from the end of the file."""
    with Reading(path) as file:
        return [shown.event for shown in _ready(_tail(file, count)[0][-count:])] if count > 0 else []


def _all_at_once(chunk: bytes) -> list[Any] | None:
    """One call of the parser for many lines; None when any of them needs a look of its own."""
    lines = chunk[:-1] if chunk.endswith(b"\n") else chunk
    try:
        documents: list[Any] = fast_loads(b"[" + lines.replace(b"\n", b",") + b"]")
    except (ValueError, RecursionError):
        return None
    return documents if len(documents) == lines.count(b"\n") + 1 else None


def _kind_of_sound(document: Any) -> str:
    """The kind of an event that needs no repair; raises like its parts for anything else."""
    kind: str = document["kind"]
    at = document["timestamp"]
    if kind not in _CODES or type(document["agent"]) is not str or type(at) is bool or not EARLIEST <= at <= LATEST:
        raise ValueError
    return kind


def _tail(file: Reading, count: int) -> tuple[list[Shown], Rotation]:
    """The last `count` readable events or some more, and where the count of turns stands."""
    start = block_start(max(0, file.size - count * 160))
    while True:
        rotation = Rotation()
        shown = list(_numbered(file, start, rotation))
        if len(shown) >= count or start == 0:
            return shown, rotation
        start = block_start(max(0, start - max(BLOCK, file.size - start)))


def _numbered(file: Reading, start: int, rotation: Rotation) -> Iterator[Shown]:
    """The readable events whose lines begin at or behind `start`, each with its turn."""
    for offset, chunk in file.chunks(file.line_start(start)):
        lines = chunk.split(b"\n")
        documents = _all_at_once(chunk)
        position = offset
        for index, line in enumerate(lines):
            begins, position = position, position + len(line) + 1
            try:
                kind = _kind_of_sound(documents[index]) if documents is not None and line else decode(line)[0].kind
            except (ValueError, TypeError, KeyError):
                try:
                    kind = decode(line)[0].kind
                except BadLine:
                    continue
            yield Shown(line, rotation.turn(begins, kind))
