"""How many events a second the sifter takes with all arcs, 2,000 agents and 50,000 tasks, and what it keeps.

    python benchmarks/chronicle_sifting.py [--events 400000]

A fleet at work (errands, commits, heartbeats, errors, merges) and, beside it, the worst case: every kind, agent and task drawn
at random. The reference is a sifter that keeps each thread's events and looks through them all again at every event.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator

from talekeeper.chronicle.event import EventKind
from talekeeper.chronicle.sifter import Record, Sifter, all_arcs

AGENTS, TASKS = 2_000, 50_000


def fleet(count: int, seed: int = 1) -> Iterator[Record]:
    rng = random.Random(seed)
    names = [f"agent-{number}" for number in range(AGENTS)]
    lives = [_life(rng) for _ in names]
    at = 1_793_600_000.0
    for number in range(count):
        who = rng.randrange(AGENTS)
        at += 0.35
        kind, task = next(lives[who])
        yield _record(number, kind, at, names[who], task)


def _life(rng: random.Random) -> Iterator[tuple[str, str]]:
    while True:
        task = f"#{rng.randrange(TASKS)}"
        yield "dispatch", task
        for _ in range(rng.randrange(3, 10)):
            for _ in range(rng.randrange(1, 4)):
                yield "heartbeat", task
            if rng.random() < 0.05:
                yield "error", task
                while rng.random() < 0.3:
                    yield "error", task
                if rng.random() < 0.85:
                    yield "recovery", task
            yield "commit", task
            if rng.random() < 0.4:
                yield "push", task
        if rng.random() < 0.06:
            yield "abandon", task
            continue
        if rng.random() < 0.08:
            yield "collab", task
        yield "pr_open", task
        if rng.random() < 0.9:
            yield "pr_merge", task
        yield "idle", task


def shuffled(count: int, seed: int = 1) -> Iterator[Record]:
    rng = random.Random(seed)
    kinds = [kind.value for kind in EventKind]
    for number in range(count):
        at = 1_793_600_000.0 + number * 2
        yield _record(number, rng.choice(kinds), at, f"agent-{rng.randrange(AGENTS)}", f"#{rng.randrange(TASKS)}")


def _record(number: int, kind: str, at: float, agent: str, task: str) -> Record:
    return Record(f"e{number}", kind, at, {"agent": agent, "task": task, "place": "fleet"}, {"detail": "x"})


class LooksAgain:
    """The straightforward way: keep every thread, and at each event sift the whole thread afresh."""

    def __init__(self) -> None:
        self._threads: dict[str, list[Record]] = {}

    def push(self, record: Record) -> None:
        thread = self._threads.setdefault(record.keys["task"], [])
        thread.append(record)
        sifter = Sifter(all_arcs())
        for one in thread:
            sifter.push(one)


def rate(push: Callable[[Record], object], records: Iterable[Record]) -> float:
    those = list(records)
    gc.collect()
    gc.freeze()
    begin = time.process_time()
    for record in those:
        push(record)
    taken = time.process_time() - begin
    gc.unfreeze()
    return len(those) / taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=400_000)
    count = parser.parse_args().events
    work = max(rate(Sifter(all_arcs()).push, fleet(count)) for _ in range(3))
    worst = max(rate(Sifter(all_arcs()).push, shuffled(count)) for _ in range(2))
    again = rate(LooksAgain().push, fleet(300))
    sifter = Sifter(all_arcs())
    tracemalloc.start()
    for record in fleet(count):
        sifter.push(record)
    kept = tracemalloc.get_traced_memory()[0] / 2**20
    print(f"{len(all_arcs())} arcs, {AGENTS:,} agents, {TASKS:,} tasks, {count:,} events; processor time of one core\n")
    print(f"{'a fleet at work':44} {work:>12,.0f} events/s   (asked: 200,000)")
    print(f"{'everything at random':44} {worst:>12,.0f} events/s")
    print(f"{'reference: each thread sifted afresh':44} {again:>12,.0f} events/s")
    print(f"{'kept in memory after all of them':44} {kept:>12,.0f} MB")


if __name__ == "__main__":
    main()
