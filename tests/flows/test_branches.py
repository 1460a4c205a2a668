"""Wherever a story goes, what is stored is what its events say: random programs of turns and journeys.

After every step of a program, canon, proposals, clocks, relations, told lines, memories, turn numbers, directives and
the snapshot of the timeline are compared with a replay; in the end those of every timeline, with effects run in any order.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from talekeeper.app.engine import Engine
from talekeeper.loops.creation import create_from_preset
from talekeeper.presets.library import load_preset
from talekeeper.testing.clock import FakeClock
from talekeeper.testing.hands import ByHand, ByLoop, found_town
from talekeeper.testing.house import WORLD, House
from talekeeper.testing.programs import OPERATIONS, Hand, Run, Step

PROGRAMS = st.lists(
    st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 999), st.integers(0, 999)), min_size=6, max_size=14
)


class Lab:
    """An engine that runs one program after another, each in a world of its own."""

    def __init__(self, house: House) -> None:
        self.runner = asyncio.Runner()
        self.engine = Engine.open(house.settings(world=False, play_max_scene_turns=5), clock=FakeClock())
        self._worlds = itertools.count(1)

    def run(self, program: list[Step], hand: Hand, *, preset: bool) -> list[str]:
        world = f"world-{next(self._worlds)}"
        if preset:
            services = self.engine.services
            self.engine.store.write_now(lambda c: create_from_preset(c, services, load_preset(WORLD), world, 3))
        else:
            found_town(self.engine, world)
        return self.runner.run(Run(self.engine, world, hand).steps(program))

    def close(self) -> None:
        self.runner.run(self.engine.close())
        self.runner.close()


@pytest.fixture
def lab(house: House) -> Iterator[Lab]:
    lab = Lab(house)
    yield lab
    lab.close()


def hold(lab: Lab, batch: int, examples: int, hand: Hand, *, preset: bool = False) -> None:
    @seed(batch)
    @settings(
        max_examples=examples, deadline=None, database=None, derandomize=False, print_blob=False,
        phases=[Phase.explicit, Phase.generate, Phase.shrink], suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(program=PROGRAMS)
    def program_holds(program: list[Step]) -> None:
        assert lab.run(program, hand, preset=preset) == []

    program_holds()


ON_BOTH = pytest.mark.parametrize(
    ("house", "batch"),
    [
        ("sqlite", 0),
        ("sqlite", 1),
        ("sqlite", 2),
        ("sqlite", 3),
        pytest.param("postgres", 4, marks=pytest.mark.postgres),
    ],
    indirect=["house"],
)


@ON_BOTH
def test_stored_state_is_replayed_state(lab: Lab, batch: int) -> None:
    """Two hundred programs on SQLite and some more on Postgres, on the store and its folds."""
    hold(lab, batch, 20 if lab.engine.store.dialect == "postgresql" else 50, ByHand())


@ON_BOTH
def test_stored_state_is_replayed_state_through_the_real_loop(lab: Lab, batch: int) -> None:
    """Twenty programs on SQLite and some more on Postgres, from the action to the database, told by the storyteller."""
    hold(lab, 100 + batch, 3 if lab.engine.store.dialect == "postgresql" else 5, ByLoop(), preset=True)
