"""Writing a world file and taking it in again: events a second and peak memory, beside a bare dump of the same table.

`python benchmarks/world_file.py [EVENTS ...]` (10,000 and 100,000 by default). The bare dump is stdlib json and sqlite3: no
checks, no hash, no derived rows. Each measurement is a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from big_world import prolong
from sqlalchemy import Connection, text

from talekeeper.agents.storyteller import Storyteller
from talekeeper.app.engine import Engine
from talekeeper.loops.creation import create_from_preset
from talekeeper.loops.world_file import export_world, import_world, open_world_file, writing
from talekeeper.presets.library import load_preset
from talekeeper.testing.house import settings_for

WORLD = "w"
Measured = tuple[float, float, float]
"""Seconds by the clock, seconds of the processor, and mebibytes at the peak."""


def opened(home: Path) -> Engine:
    return Engine.open(settings_for(home), teller=Storyteller())


def make(home: Path, events: int) -> int:
    engine = opened(home)
    try:
        engine.store.write_now(lambda c: create_from_preset(c, engine.services, load_preset("low-water"), WORLD, 7))
        have = prolong(engine, WORLD, events)
        engine.store.write_now(complete)
        return have
    finally:
        asyncio.run(engine.close())


def complete(conn: Connection) -> None:
    """The long past is made without intents and manifests, and its pictures point nowhere in particular."""
    intent = json.dumps({"intent": "act", "world": WORLD, "text": "say something"})
    conn.execute(text("update turn set intent = :intent, manifest = null"), {"intent": intent})
    opened_at = conn.execute(text("select seq from event where kind = 'scene.opened'")).scalar_one()
    conn.execute(text("update snapshot set body = json_set(body, '$.scene_seq', :seq)"), {"seq": opened_at})


def measured(work: Callable[[], None]) -> Measured:
    began, busy = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - began, time.process_time() - busy, peak()


def peak() -> float:
    """Of this process alone: getrusage would tell of the parent's, too."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def ours_out(home: Path, file: Path) -> Measured:
    engine = opened(home)

    def work() -> None:
        with writing(file) as out:
            engine.store.read_now(lambda c: export_world(c, WORLD, out, now=0.0))

    try:
        return measured(work)
    finally:
        engine.store.close()


def ours_in(home: Path, file: Path) -> Measured:
    engine = opened(home)

    def work() -> None:
        with open_world_file(file) as source:
            engine.store.write_now(lambda c: import_world(c, engine.services, source))

    try:
        return measured(work)
    finally:
        engine.store.close()


def bare_out(home: Path, file: Path) -> Measured:
    def work() -> None:
        conn = sqlite3.connect(home / "talekeeper.db")
        with file.open("w", encoding="utf-8") as out:
            for row in conn.execute("select * from event order by world, timeline, seq"):
                out.write(json.dumps(row) + "\n")
        conn.close()

    return measured(work)


def bare_in(home: Path, file: Path) -> Measured:
    def work() -> None:
        home.mkdir()
        conn = sqlite3.connect(home / "bare.db")
        conn.execute(
            "create table event (world, timeline, seq, kind, v, at, story_time, scene, turn, by, place, witnesses, cause, body,"
            " idem, primary key (world, timeline, seq)) without rowid"
        )
        with file.open(encoding="utf-8") as source:
            conn.executemany(f"insert into event values ({', '.join('?' * 15)})", (json.loads(line) for line in source))
        conn.commit()
        conn.close()

    return measured(work)


def alone(work: Callable[[Path, Path], Measured], home: Path, file: Path) -> Measured:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, home, file).result()


def compare(events: int, folder: Path) -> None:
    home = folder / "home"
    have = make(home, events)
    rows = (
        ("world file, written", ours_out, home, "w.jsonl"),
        ("world file, taken in", ours_in, folder / "second", "w.jsonl"),
        ("world file, packed, written", ours_out, home, "w.jsonl.gz"),
        ("world file, packed, taken in", ours_in, folder / "third", "w.jsonl.gz"),
        ("bare dump, written", bare_out, home, "bare.jsonl"),
        ("bare dump, read into one table", bare_in, folder / "fourth", "bare.jsonl"),
    )
    print(f"\n{have:,} events{'':<26}{'seconds':>10}{'cpu':>10}{'events/s':>12}{'peak MiB':>10}{'file MiB':>10}")
    for name, work, where, file in rows:
        seconds, cpu, peak = alone(work, where, folder / file)
        size = (folder / file).stat().st_size / (1 << 20)
        print(f"{name:<38}{seconds:>10.2f}{cpu:>10.2f}{have / seconds:>12,.0f}{peak:>10.0f}{size:>10.1f}", flush=True)


def main() -> None:
    for events in [int(arg) for arg in sys.argv[1:]] or [10_000, 100_000]:
        with tempfile.TemporaryDirectory() as folder:
            compare(events, Path(folder))


if __name__ == "__main__":
    main()
