"""Random programs of turns, corrections, retellings, forks, journeys and decisions: stored state against a replay.

`python benchmarks/branch.py [PROGRAMS]` (2,000 by default: nine of ten by hand on the store and its folds, the rest
through the real loop; one of ten of each on Postgres). After every step, canon, proposals, clocks, relations, told
lines, memories, turn numbers, directives and the snapshot are compared; in the end those of every timeline, with
effects run in any order and some of them twice.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from talekeeper.app.engine import Engine
from talekeeper.loops.creation import create_from_preset
from talekeeper.presets.library import load_preset
from talekeeper.testing.clock import FakeClock
from talekeeper.testing.hands import ByHand, ByLoop, found_town
from talekeeper.testing.house import WORLD, House
from talekeeper.testing.postgres import TestPostgres
from talekeeper.testing.programs import Hand, Run, random_program

STEPS = 14
SHARE = 25
"""Programs a process runs on one database before it takes another."""


def share(folder: str, server: str | None, seeds: list[int], by_hand: bool) -> tuple[int, int, int, list[str]]:
    """Steps taken, steps refused, timelines made, and what did not agree."""
    return asyncio.run(_share(Path(folder), Path(server) if server else None, seeds, by_hand))


async def _share(folder: Path, server: Path | None, seeds: list[int], by_hand: bool) -> tuple[int, int, int, list[str]]:
    house = House(Path(tempfile.mkdtemp(dir=folder)), TestPostgres(server) if server else None)
    engine = Engine.open(house.settings(world=False, play_max_scene_turns=5), clock=FakeClock())
    services = engine.services
    hand: Hand = ByHand() if by_hand else ByLoop()
    refused = timelines = 0
    found: list[str] = []
    for seed in seeds:
        world = f"world-{seed}"
        if by_hand:
            found_town(engine, world)
        else:
            await engine.store.write(lambda c, w=world: create_from_preset(c, services, load_preset(WORLD), w, 3))
        run = Run(engine, world, hand)
        program = random_program(seed, STEPS)
        found += [f"program {seed}: {difference}" for difference in await run.steps(program)]
        refused += run.refused
        timelines += len(run.histories)
    await engine.close()
    house.clear()
    return len(seeds) * STEPS, refused, timelines, found


def main() -> None:
    programs = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    loop = programs // 10
    plan = [
        ("by hand, SQLite", True, False, programs - loop - (programs - loop) // 10),
        ("by hand, Postgres", True, True, (programs - loop) // 10),
        ("the real loop, SQLite", False, False, loop - loop // 10),
        ("the real loop, Postgres", False, True, loop // 10),
    ]
    print(f"{'':<26}{'programs':>9}{'steps':>8}{'refused':>9}{'timelines':>11}{'differences':>13}{'seconds':>9}")
    first, failed = 0, False
    with tempfile.TemporaryDirectory() as folder:
        server = Path(folder) / "postgres"
        postgres = TestPostgres(server)
        try:
            postgres.start()
            for name, by_hand, on_postgres, many in plan:
                seeds = list(range(first, first + many))
                first += many
                failed = _row(name, folder, str(server) if on_postgres else None, seeds, by_hand) or failed
        finally:
            postgres.stop()
    if failed:
        raise SystemExit(1)


def _row(name: str, folder: str, server: str | None, seeds: list[int], by_hand: bool) -> bool:
    began = time.monotonic()
    shares = [seeds[n : n + SHARE] for n in range(0, len(seeds), SHARE)]
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count() or 1, mp_context=spawn) as pool:
        work = [pool.submit(share, folder, server, mine, by_hand) for mine in shares]
        results = [w.result() for w in work]
    steps, refused, timelines = (sum(r[n] for r in results) for n in range(3))
    found = [difference for r in results for difference in r[3]]
    took = time.monotonic() - began
    print(f"{name:<26}{len(seeds):>9,}{steps:>8,}{refused:>9,}{timelines:>11,}{len(found):>13}{took:>9.0f}")
    for difference in found[:5]:
        print(f"  {difference}")
    return bool(found)


if __name__ == "__main__":
    main()
