"""Talekeeper killed with SIGKILL, again and again, at every step of a turn and at random instants, on both databases.

`python benchmarks/crash.py [KILLS]` (300 by default, half on each). After each it is started again and held against
what was promised: nothing acknowledged is lost, nothing happens twice, the dice stand. The warmed process forks: an
instant costs two lives of 0.1 s.
"""

from __future__ import annotations

import itertools
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


class Instants:
    """Every boundary once, some pieces of prose, and then anywhere in a life, as long as lives turn out to be."""

    def __init__(self, dice: random.Random, life: float) -> None:
        self._dice = dice
        self._life = self._longest = life
        self._fixed = [Instant(at, n) for n in WRITES for at in AT] + [Instant("piece", n) for n in (1, 11, 21)]

    def next(self) -> Instant:
        if self._fixed:
            return self._fixed.pop(0)
        return Instant("milliseconds", round(self._dice.uniform(0, self._longest), 1))

    def came(self, in_time: bool) -> None:
        if not self._fixed:
            self._longest = min(self._life, self._longest * 1.05) if in_time else self._longest * 0.8


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
    when = Instants(random.Random(seed), whole_life)
    for n in itertools.count():
        if sums["killed"] == kills:
            break
        die = when.next()
        trial = outlive(Life(crash_house, house.settings()), die, forget_checkpoints=n % 2 == 0)
        sums["killed" if trial.fate.killed else "too late"] += 1
        when.came(trial.fate.killed)
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
                counts = f"{found.total():>7}{sums['killed']:>8}{sums['acknowledged']:>6}"
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
