"""Forking and looking back in a long history: neither may grow with it. Beside it: copying, and reading by replay.

`python benchmarks/fork_and_asof.py [EVENTS ...]` (10,000 and 1,000,000 by default).
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from big_world import prolong
from sqlalchemy import Connection

from talekeeper.agents.storyteller import Storyteller
from talekeeper.app.engine import Engine
from talekeeper.canon.pages import page
from talekeeper.canon.replay import replay
from talekeeper.loops.creation import create_from_preset
from talekeeper.presets.library import load_preset
from talekeeper.testing.house import settings_for
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import fork, path
from talekeeper.timeline.vocabulary import ProposalDecided

RUNS = 60


def timed(work: Callable[[], object], runs: int = RUNS) -> tuple[float, float]:
    """Median and 95th percentile in ms."""
    took = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took), statistics.quantiles(took, n=20)[18] if runs > 1 else took[0]


def measure(events: int, folder: Path) -> list[tuple[str, tuple[float, float]]]:
    engine = Engine.open(settings_for(folder), teller=Storyteller())
    store = engine.store
    try:
        store.write_now(lambda c: create_from_preset(c, engine.services, load_preset("low-water"), "w", 7))
        began = time.perf_counter()
        have = prolong(engine, "w", events)
        print(f"  made {have:,} events in {time.perf_counter() - began:.0f} s", file=sys.stderr)

        def look(conn: Connection, at: int) -> object:
            return page(conn, path(conn, "w", "t1").until(at), "person/nan", hidden=True)

        def by_replay(conn: Connection) -> object:
            return replay(read_events(conn, path(conn, "w", "t1").until(have // 2), kinds=[ProposalDecided.kind]))

        return [
            ("fork in the middle", timed(lambda: store.write_now(lambda c: _fork(c, have // 2)))),
            ("fork at the head", timed(lambda: store.write_now(lambda c: _fork(c, have)))),
            ("entity page now", timed(lambda: store.read_now(lambda c: look(c, have)))),
            ("entity page as of the middle", timed(lambda: store.read_now(lambda c: look(c, have // 2)))),
            ("  the same state by replay", timed(lambda: store.read_now(by_replay), runs=1)),
        ]
    finally:
        store.close()


def _fork(conn: Connection, at: int) -> object:
    return fork(conn, "w", "t1", at, reason="fork", name="", now=0.0)


def main() -> None:
    sizes = [int(size.replace(",", "")) for size in sys.argv[1:]] or [10_000, 1_000_000]
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            print(f"{f'at {size:,} events, in ms':<34}{'p50':>10}{'p95':>10}")
            for name, (middle, high) in measure(size, Path(folder)):
                print(f"{name:<34}{middle:10.2f}{high:10.2f}")


if __name__ == "__main__":
    main()
