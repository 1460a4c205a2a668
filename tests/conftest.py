"""What every test may use: databases of both kinds, ready-made homes, engines, a clock that stands still."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from pathlib import Path

import hypothesis
import pytest
import structlog
import typer.testing

from talekeeper.agents.teller import Teller
from talekeeper.app.engine import Engine, open_store
from talekeeper.app.settings import PREFIX, Settings, names_of
from talekeeper.observe.clock import Clock
from talekeeper.testing.clock import FakeClock
from talekeeper.testing.house import House
from talekeeper.testing.postgres import TestPostgres
from talekeeper.timeline.store import Store

# The default draws the locals of every frame, which takes half a minute where a whole engine is among them.
structlog.configure(processors=[structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()])

# Typer makes the commands anew for each call in a test, fifty milliseconds for always the same.
typer.testing._get_command = cache(typer.testing._get_command)

# The same examples on every run; the benchmarks look further.
hypothesis.settings.register_profile("talekeeper", deadline=None, derandomize=True)
hypothesis.settings.load_profile("talekeeper")

pytest.register_assert_rewrite("talekeeper.testing.conformance")

_RUN = "TALEKEEPER_TEST_RUN"
"""The folder one run's processes share, made by the first of them."""

# Whatever keys and addresses this machine has, the tests do not see them.
for _name in [n for n in os.environ if n.startswith(PREFIX) and n != _RUN] + [
    n for field in Settings.model_fields for n in names_of(field)
]:
    os.environ.pop(_name, None)


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        os.environ[_RUN] = tempfile.mkdtemp(prefix="talekeeper-test-")


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        TestPostgres(Path(os.environ[_RUN])).stop()
        shutil.rmtree(os.environ[_RUN], ignore_errors=True)


@pytest.fixture(autouse=True)
def logs_as_they_were() -> Iterator[None]:
    """A command sets up the logs of its process; in a test that is ours, and the next test's too."""
    root, configured = logging.getLogger(), structlog.get_config()
    handlers, level = list(root.handlers), root.level
    yield
    structlog.configure(**configured)
    root.setLevel(level)
    for added in [handler for handler in root.handlers if handler not in handlers]:
        root.removeHandler(added)
        added.close()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(scope="session")
def postgres() -> TestPostgres:
    return TestPostgres(Path(os.environ[_RUN]))


@pytest.fixture(scope="session")
def sqlite_house(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House(tmp_path_factory.mktemp("sqlite"))


@pytest.fixture
def postgres_house(tmp_path: Path, postgres: TestPostgres) -> Iterator[House]:
    house = House(tmp_path, postgres)
    yield house
    house.clear()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def house(request: pytest.FixtureRequest) -> House:
    """Homes on SQLite, and once more on Postgres."""
    found = request.getfixturevalue(f"{request.param}_house")
    assert isinstance(found, House)
    return found


@pytest.fixture
def store(house: House) -> Iterator[Store]:
    """An empty store at the current schema, on both databases."""
    opened = open_store(house.settings(world=False))
    yield opened
    opened.close()


OpenEngine = Callable[..., Engine]


@pytest.fixture
async def open_engine(sqlite_house: House) -> AsyncIterator[OpenEngine]:
    """Opens engines on a copy of the sample world, or on given settings, and closes them in the end."""
    opened: list[Engine] = []

    def open_(settings: Settings | None = None, *, teller: Teller | None = None, clock: Clock | None = None) -> Engine:
        more = {} if clock is None else {"clock": clock}
        engine = Engine.open(settings or sqlite_house.settings(), teller=teller, **more)
        opened.append(engine)
        return engine

    yield open_
    for engine in opened:
        await engine.close()


@pytest.fixture
async def engine(open_engine: OpenEngine, clock: FakeClock) -> Engine:
    """The real engine with the built-in storyteller, on SQLite, in the sample world, not yet started."""
    return open_engine(clock=clock)
