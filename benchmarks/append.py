"""Appending events, durable on return, singly and in batches, beside plain sqlite3 with the same columns and pragmas."""

from __future__ import annotations

import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from talekeeper.agents.storyteller import Storyteller
from talekeeper.app.engine import Engine
from talekeeper.loops.creation import create_empty
from talekeeper.observe.clock import system_clock
from talekeeper.testing.house import settings_for
from talekeeper.timeline.append import Appender
from talekeeper.timeline.vocabulary import PUBLIC, Draft, LineSpoken

SECONDS = 2.0
TEXT = "The lamp money is spent, and the lamps are lit, and nobody has said where the oil came from."


def rate(size: int, append: object) -> float:
    """Events a second in batches of `size`."""
    assert callable(append)
    done, began = 0, time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        append(size)
        done += size
    return done / (time.perf_counter() - began)


def ours(folder: Path, *, derived: bool) -> list[float]:
    engine = Engine.open(settings_for(folder), teller=Storyteller())
    appender = engine.services.appender if derived else Appender(system_clock)
    try:
        engine.store.write_now(lambda c: create_empty(c, engine.services, "w", 1))
        draft = Draft(body=LineSpoken("person/mara", TEXT), by="person/mara", witnesses=PUBLIC, scene="t1/s1")

        def append(size: int) -> None:
            engine.store.write_now(lambda c: appender.append(c, "w", "t1", [draft] * size))

        return [rate(size, append) for size in (1, 50, 500)]
    finally:
        engine.store.close()


def plain(folder: Path) -> list[float]:
    conn = sqlite3.connect(folder / "plain.db", isolation_level=None)
    conn.execute("pragma journal_mode = wal")
    conn.execute("pragma synchronous = full")
    conn.execute(
        "create table event (world text, timeline text, seq integer, kind text, v integer, at real, story_time integer,"
        " scene text, turn text, by text, place text, witnesses text, cause text, body text, idem text,"
        " primary key (world, timeline, seq)) without rowid"
    )
    head = 0

    def append(size: int) -> None:
        nonlocal head
        conn.execute("begin immediate")
        rows = [
            ("w", "t1", head + n + 1, "line.spoken", 1, time.time(), None, "t1/s1", None, "person/mara", None, '["*"]',
             None, f'{{"speaker":"person/mara","text":"{TEXT}"}}', None)
            for n in range(size)
        ]  # fmt: skip
        conn.executemany(f"insert into event values ({', '.join('?' * 15)})", rows)
        conn.execute("commit")
        head += size

    try:
        return [rate(size, append) for size in (1, 50, 500)]
    finally:
        conn.close()


def main() -> None:
    print(f"{'events a second, durable':<44}{'singly':>10}{'by 50':>10}{'by 500':>10}")
    for name, measure in (
        ("plain sqlite3, one table", plain),
        ("the timeline, events alone", lambda f: ours(f, derived=False)),
        ("the timeline, with facts and memory derived", lambda f: ours(f, derived=True)),
    ):
        with tempfile.TemporaryDirectory() as folder:
            print(f"{name:<44}" + "".join(f"{r:10,.0f}" for r in measure(Path(folder))), file=sys.stdout)


if __name__ == "__main__":
    main()
