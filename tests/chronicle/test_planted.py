"""Arcs planted among other people's work are found, and little else is. The benchmark does it in a real history."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from types import ModuleType

import pytest

from talekeeper.chronicle.sifter import Record


@pytest.fixture(scope="module")
def planting() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "chronicle_planted.py"
    spec = importlib.util.spec_from_file_location("chronicle_planted", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_precision_and_recall(planting: ModuleType):
    rng = random.Random(3)
    at, noise = 1_700_000_000.0, []
    for number in range(1500):
        at += rng.expovariate(1 / 9000)
        agent = f"dev-{int(rng.paretovariate(1.2)) % 12}"
        kind = rng.choices(["commit", "push", "pr_merge", "abandon", "heartbeat"], [70, 10, 8, 2, 10])[0]
        keys = {"agent": agent, "task": f"topic-{rng.randrange(30)}", "place": "repo"}
        noise.append(Record(f"n{number}", kind, at, keys, {"detail": f"work {number}"}))
    precision, recall, *_ = planting.measure(noise, each=6, seed=5)
    assert precision >= 0.95
    assert recall >= 0.95
