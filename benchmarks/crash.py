"""Killed with SIGKILL at random instants of a turn, started again, and held against what was promised.

`python benchmarks/crash.py [KILLS]` (300 by default, half on SQLite and half on a real Postgres). The reference is the
promise itself: nothing acknowledged lost, nothing doubled, every accepted turn taken up and ended.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from sqlalchemy import Connection, select

from talekeeper.app.engine import open_store
from talekeeper.app.settings import Settings
from talekeeper.canon.replay import differences
from talekeeper.testing.crash import CrashHouse, Deed, Instant
from talekeeper.testing.house import WORLD, House
from talekeeper.testing.postgres import TestPostgres
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import path
from talekeeper.timeline.turns import turn_table
from talekeeper.timeline.vocabulary import ActionTaken

ACTIONS = ("search the room", "ask Nan about the forty-first grave", "go out to the Row", "wait")
LONGEST = 160.0


def kill_and_look(crash: CrashHouse, settings: Settings, rng: random.Random, count: Counter[str]) -> None:
    url = settings.store_database_url
    where = (str(settings.home), url.get_secret_value() if url else None, rng.choice(ACTIONS))
    fate = crash.do(Deed(*where, Instant("milliseconds", round(rng.uniform(0, LONGEST), 1)), scene_turns=3))
    state = _state(settings)
    count[f"killed while {state}" if fate.killed else "ended before the kill"] += 1
    crash.do(Deed(*where, None, scene_turns=3))
    store = open_store(settings)
    try:
        store.read_now(lambda conn: _judge(conn, fate.acknowledged, count))
    finally:
        store.close()


def _state(settings: Settings) -> str:
    store = open_store(settings)
    try:
        states = store.read_now(lambda c: list(c.execute(select(turn_table.c.state)).scalars()))
    finally:
        store.close()
    return states[0] if states else "nothing was accepted"


def _judge(conn: Connection, acknowledged: str, count: Counter[str]) -> None:
    past = path(conn, WORLD, "t1")
    events = list(read_events(conn, past))
    turns = {row.id: row.state for row in conn.execute(select(turn_table.c.id, turn_table.c.state))}
    actions = Counter(e.turn for e in events if isinstance(e.body, ActionTaken))
    if acknowledged and actions[acknowledged] == 0:
        count["LOST"] += 1
    if any(many > 1 for many in actions.values()):
        count["DOUBLED"] += 1
    if any(state != "done" for state in turns.values()):
        count["NOT RESUMED"] += 1
    if differences(conn, past) or [e.seq for e in events] != list(range(1, len(events) + 1)):
        count["INCONSISTENT"] += 1


def main() -> None:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    rng = random.Random(300)
    crash = CrashHouse()
    with tempfile.TemporaryDirectory() as folder:
        postgres = TestPostgres(Path(folder) / "postgres")
        try:
            for name, house in (
                ("SQLite", House(Path(folder) / "sqlite")),
                ("Postgres", House(Path(folder) / "grown", postgres)),
            ):
                house_folder = Path(folder) / ("sqlite" if name == "SQLite" else "grown")
                house_folder.mkdir()
                count: Counter[str] = Counter()
                for _ in range(kills // 2):
                    kill_and_look(crash, house.settings(), rng, count)
                    house.clear()
                print(f"{name}, {kills // 2} kills")
                for word in ("LOST", "DOUBLED", "NOT RESUMED", "INCONSISTENT"):
                    print(f"  {word.lower():<34}{count.pop(word, 0):6d}")
                for word, many in sorted(count.items()):
                    print(f"  {word:<34}{many:6d}")
        finally:
            crash.close()
            postgres.stop()


if __name__ == "__main__":
    main()
