"""A table to play at: an engine, and the few words a player has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from talekeeper.app.engine import Engine
from talekeeper.canon.view import CanonView
from talekeeper.loops.frames import AnyFrame
from talekeeper.loops.intents import Act, Retry, Stop
from talekeeper.loops.running import RunningTurn
from talekeeper.testing.house import WORLD
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import path
from talekeeper.timeline.turns import Turn, get_turn, turns_along
from talekeeper.timeline.vocabulary import Event
from talekeeper.timeline.worlds import get_world


class Table:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    async def act(self, text: str, **more: Any) -> list[AnyFrame]:
        """One whole turn, as a player sees it."""
        return [frame async for frame in (await self.begin(text, **more)).watch()]

    async def begin(self, text: str, **more: Any) -> RunningTurn:
        return await self.engine.scenes.act(Act(world=WORLD, text=text, **more))

    async def retry(self, *, swipe: bool = False) -> list[AnyFrame]:
        turn = await self.engine.scenes.retry(Retry(world=WORLD, swipe=swipe))
        return [frame async for frame in turn.watch()]

    async def stop(self) -> bool:
        return await self.engine.scenes.stop(Stop(world=WORLD))

    async def do(self, carry_out: Callable[..., Any], intent: type, **fields: Any) -> Any:
        return await self.engine.command(carry_out, intent(world=WORLD, **fields))

    @property
    def active(self) -> str:
        return self.engine.store.read_now(lambda conn: get_world(conn, WORLD).active)

    def events(self, *kinds: type, timeline: str | None = None) -> list[Event]:
        """What has happened on the active timeline, or another; only some kinds, if named."""
        where = timeline or self.active
        events = self.engine.store.read_now(lambda conn: list(read_events(conn, path(conn, WORLD, where))))
        return [e for e in events if not kinds or isinstance(e.body, kinds)]

    def turn(self, turn: str) -> Turn:
        return self.engine.store.read_now(lambda conn: get_turn(conn, WORLD, turn))

    def turns(self) -> list[Turn]:
        where = self.active
        return self.engine.store.read_now(lambda conn: turns_along(conn, path(conn, WORLD, where)))

    def canon(self, subj: str, pred: str, slot: str = "") -> Any:
        where = self.active
        return self.engine.store.read_now(
            lambda conn: CanonView(conn, path(conn, WORLD, where)).value(subj, pred, slot)
        )

    def outcome(self, turn: str) -> Any:
        return msgspec.json.decode(self.turn(turn).outcome or "{}")


@pytest.fixture
def table(engine: Engine) -> Table:
    """The sample world with the built-in storyteller."""
    return Table(engine)


@pytest.fixture
def seat(open_engine) -> Callable[..., Table]:
    """A table with a teller of the test's own."""
    return lambda teller, settings=None: Table(open_engine(settings, teller=teller))
