"""Builders for the chronicle's tests: events a minute apart, and a clock that stands still."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from talekeeper.chronicle import AgentEvent, ChronicleWriter, EventKind

MORNING = 1_793_782_800.0  # 2026-11-04 09:00:00 UTC

Make = Callable[..., AgentEvent]


@pytest.fixture
def make() -> Make:
    """make("error", "mara", "disk full") - each event a minute after the one before."""
    minutes = itertools.count()

    def build(
        kind: str, agent: str = "mara", detail: str = "", at: float | None = None, **metadata: object
    ) -> AgentEvent:
        minute = next(minutes)
        return AgentEvent(EventKind(kind), agent, detail, MORNING + minute * 60 if at is None else at, metadata)

    return build


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[ChronicleWriter]:
    with ChronicleWriter(tmp_path / "log.jsonl", clock=lambda: MORNING) as writer:
        yield writer
