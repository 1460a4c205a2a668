"""Planted arcs in the noise of a real git history: how many are found, and how much is found that was not planted.

    python benchmarks/chronicle_planted.py [PATH of a git repository, default this one] [--each 40] [--seed 1]

The noise is the history itself, told by its real authors, plus as many half-told stories as there are whole ones. What the
history tells by itself (a run on the noise alone) is neither a hit nor a miss.
"""

from __future__ import annotations

import argparse
import bisect
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from talekeeper.chronicle.fleet_records import FleetRecords
from talekeeper.chronicle.sifter import Record, Sifter, arcs
from talekeeper.chronicle.sources import git_log

HOUR, DAY = 3600.0, 86400.0
Found = set[tuple[str, tuple[str, ...]]]

# Each step: kind, who (0 is the first person of the story), hours after the step before.
WHOLE: dict[str, list[tuple[str, int, float]]] = {
    "struggle_and_recovery": [("error", 0, 0), ("recovery", 0, 3)],
    "long_siege": [("error", 0, 0), ("error", 0, 5), ("error", 0, 9), ("error", 0, 2), ("recovery", 0, 20)],
    "false_dawn": [("error", 0, 0), ("recovery", 0, 4), ("error", 0, 6)],
    "fall": [("dispatch", 0, 0), ("error", 0, 10), ("error", 0, 5), ("abandon", 0, 8)],
    "abandon_then_retry": [("abandon", 0, 0), ("dispatch", 1, 50)],
    "handoff": [("dispatch", 0, 0), ("commit", 0, 4), ("dispatch", 1, 30), ("commit", 1, 5), ("pr_open", 1, 5)],
    "rescue": [("error", 0, 0), ("error", 0, 2), ("recovery", 1, 9)],
    "solo_sprint": [("dispatch", 0, 0), ("commit", 0, 2), ("commit", 0, 1), ("pr_open", 0, 2), ("pr_merge", 0, 6)],
    "fleet_convergence": [("commit", 0, 0), ("commit", 1, 3), ("commit", 2, 1), ("collab", 0, 2)],
    "cascade": [("error", 0, 0), ("error", 1, 0.1), ("error", 2, 0.1), ("error", 3, 0.1)],
    "the_long_silence": [("commit", 0, 0), ("commit", 0, 24 * 40)],
    "silent_grind": [("commit", 0, 2)] * 14,
}
HALF: list[list[tuple[str, int, float]]] = [
    [("error", 0, 0)],
    [("recovery", 0, 0)],
    [("error", 0, 0), ("recovery", 0, 24 * 14)],
    [("dispatch", 0, 0), ("commit", 0, 5), ("commit", 0, 5)],
    [("dispatch", 0, 0), ("commit", 0, 2), ("pr_merge", 0, 3)],
    [("abandon", 0, 0)],
    [("commit", 0, 0), ("collab", 0, 2)],
    [("dispatch", 0, 0), ("dispatch", 0, 9), ("commit", 0, 3)],
    [("pr_open", 0, 0), ("pr_merge", 0, 5)],
    [("error", 0, 0), ("error", 1, 0.2)],
]
ALONE = {"the_long_silence", "silent_grind"}
"""Stories of one person over all tasks: their heroes are new to the history, or its own commits would be part of them."""


def told(
    rng: random.Random, name: str, steps: list[tuple[str, int, float]], people: list[str], begin: float
) -> Iterator[Record]:
    who = [f"new-{name}"] if name.split("/")[0] in ALONE else rng.sample(people, 4)
    at = begin
    for number, (kind, person, hours) in enumerate(steps):
        at += hours * HOUR * rng.uniform(0.6, 1.1 if kind != "commit" or hours < 24 else 1.0)
        keys = {"agent": who[person], "task": f"#{name}", "place": f"place-{name}"}
        yield Record(f"{name}.{number}", kind, at, keys, {"detail": f"{kind} of {name}"})


class _Active:
    """Who was at work around a moment, so that nobody is made to come back from a long absence by the way."""

    def __init__(self, noise: list[Record]) -> None:
        self._times: dict[str, list[float]] = {}
        for record in noise:
            self._times.setdefault(record.keys["agent"], []).append(record.at)

    def at(self, moment: float) -> list[str]:
        people = []
        for agent, times in self._times.items():
            place = bisect.bisect(times, moment)
            if 0 < place < len(times) and moment - times[place - 1] < 7 * DAY and times[place] - moment < 7 * DAY:
                people.append(agent)
        return people + [f"guest-{number}-{moment:.0f}" for number in range(max(0, 4 - len(people)))]


def sift(records: list[Record]) -> Found:
    sifter = Sifter(arcs("fleet"))
    found = [change.told for record in records for change in sifter.push(record) if change.told is not None]
    return {(one.name, one.key) for one in sifter.rank(len(found), among=found)}


def measure(noise: list[Record], each: int, seed: int) -> tuple[float, float, Counter[str], Counter[str], Found]:
    rng = random.Random(seed)
    first, last = noise[0].at, max(record.at for record in noise)
    active = _Active(noise)
    planted: list[Record] = []
    expected: Found = set()
    for name, steps in WHOLE.items():
        for number in range(each):
            begin = rng.uniform(first, last)
            story = list(told(rng, f"{name}/{number}", steps, active.at(begin), begin))
            planted += story
            key = {"agent": story[0].keys["agent"], "task": story[0].keys["task"], "place": story[0].keys["place"]}
            pattern = next(one for one in arcs("fleet") if one.name == name)
            expected.add((name, tuple(key[part] for part in pattern.key)))
    for number in range(each * len(WHOLE)):
        begin = rng.uniform(first, last)
        planted += told(rng, f"half/{number}", HALF[number % len(HALF)], active.at(begin), begin)
    new = sift(sorted([*noise, *planted], key=lambda record: record.at)) - sift(noise)
    hits, missed = Counter(name for name, _ in new & expected), Counter(name for name, _ in expected - new)
    return len(new & expected) / max(1, len(new)), len(new & expected) / len(expected), hits, missed, new - expected


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", nargs="?", type=Path, default=Path(__file__).parent.parent)
    parser.add_argument("--each", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    noise = list(FleetRecords(one_place=True).records(git_log.read(options.path)))
    print(f"{len(noise)} events of {options.path.resolve().name}, {options.each} arcs of each kind planted\n")
    precision, recall, hits, missed, wrong = measure(noise, options.each, options.seed)
    print(f"{'arc':24} found  missed  not planted")
    for name in WHOLE:
        print(f"{name:24} {hits[name]:5} {missed[name]:7} {sum(one == name for one, _ in wrong):12}")
    print(f"\nprecision {precision:.3f}   recall {recall:.3f}   (asked: 0.95 each)")


if __name__ == "__main__":
    main()
