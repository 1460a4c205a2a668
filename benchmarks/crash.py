"""Talekeeper killed with SIGKILL, again and again, at every step of a turn and at random instants, on both databases.

`python benchmarks/crash.py [KILLS]` (300 by default, half on each). After each it is started again and held against
what was promised: nothing acknowledged is lost, nothing happens twice, the dice stand. The warmed process forks: an
instant costs two lives of 0.1 s.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from talekeeper.testing.crash import CrashHouse, Instant
from talekeeper.testing.house import House
from talekeeper.testing.lives import WRITES, Life, outlive
from talekeeper.testing.postgres import TestPostgres

AT = ("before write", "inside write", "after write")


def instants(kills: int, dice: random.Random, longest: float) -> list[Instant]:
    """Every boundary once, some pieces of prose, and the rest anywhere within `longest` milliseconds."""
    fixed = [Instant(at, n) for n in WRITES for at in AT] + [Instant("piece", n) for n in (1, 11, 21)]
    anywhere = [Instant("milliseconds", round(dice.uniform(0, longest), 1)) for _ in range(max(0, kills - len(fixed)))]
    return (fixed + anywhere)[:kills]


def trials(
    house: House, crash_house: CrashHouse, kills: int, seed: int
) -> tuple[Counter[str], Counter[str], list[str]]:
    """How many were killed, how they were found, and what went wrong."""
    sums: Counter[str] = Counter()
    found: Counter[str] = Counter()
    faults: list[str] = []
    began = time.monotonic()
    Life(crash_house, house.settings()).act()
    whole_life = (time.monotonic() - began) * 1000
    for n, die in enumerate(instants(kills, random.Random(seed), whole_life)):
        trial = outlive(Life(crash_house, house.settings()), die, forget_checkpoints=n % 2 == 0)
        sums["killed" if trial.fate.killed else "too late"] += 1
        sums["acknowledged"] += bool(trial.fate.acknowledged)
        found[trial.state or "not accepted"] += 1
        faults += [f"{die}: {fault}" for fault in trial.faults]
        if n % 10 == 9:
            house.clear()
    return sums, found, faults


def main() -> None:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    crash_house = CrashHouse()
    columns = ("not accepted", "accepted", "resolved", "told", "done")
    print(
        f"{'':<10}{'lives':>7}{'killed':>8}{'ack.':>6}  found: {''.join(f'{c:>13}' for c in columns)}{'faults':>8}{'seconds':>9}"
    )
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        postgres = TestPostgres(Path(folder) / "postgres")
        try:
            for name, house in (
                ("SQLite", House(_made(Path(folder) / "sqlite"))),
                ("Postgres", House(_made(Path(folder) / "homes"), postgres)),
            ):
                began = time.monotonic()
                sums, found, faults = trials(house, crash_house, kills // 2, seed=kills)
                took = time.monotonic() - began
                counts = f"{kills // 2:>7}{sums['killed']:>8}{sums['acknowledged']:>6}"
                states = "".join(f"{found[c]:>13}" for c in columns)
                print(f"{name:<10}{counts}         {states}{len(faults):>8}{took:>9.0f}")
                for fault in faults:
                    print(f"  {fault}")
                failed = failed or bool(faults)
        finally:
            crash_house.close()
            postgres.stop()
    if failed:
        raise SystemExit(1)


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


if __name__ == "__main__":
    main()
