"""The composition root: settings become a store, a teller, loops and effects. The only place that names adapters."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from talekeeper.agents.resolver import Resolver
from talekeeper.agents.storyteller import Storyteller
from talekeeper.agents.teller import Teller
from talekeeper.app.call_book import CallBook
from talekeeper.app.models import Models
from talekeeper.app.schema import FORGETTINGS, PROJECTIONS
from talekeeper.app.settings import Settings
from talekeeper.app.tellers import choose_adviser, choose_teller
from talekeeper.effects.recap import RECAP
from talekeeper.effects.runner import EffectsRunner
from talekeeper.errors import BadInput, NotFound, StoreDown, TalekeeperError
from talekeeper.loops.running import RunningTurn
from talekeeper.loops.scene.checkpoints import Checkpoints
from talekeeper.loops.scene.loop import SceneLoop
from talekeeper.loops.scene.work import Services
from talekeeper.observe.clock import Clock, system_clock
from talekeeper.observe.ids import random_id
from talekeeper.observe.observer import Observer, Silence
from talekeeper.observe.sole import SoleUse
from talekeeper.observe.tasks import Supervisor
from talekeeper.presets.calendar import PLAIN_CALENDAR
from talekeeper.presets.library import load_card
from talekeeper.presets.preset import Calendar, PresetCard
from talekeeper.presets.weather import weather_at
from talekeeper.rules.load import load_pack
from talekeeper.timeline.append import Appender
from talekeeper.timeline.store import Store
from talekeeper.timeline.store.postgres import normal_url, open_postgres
from talekeeper.timeline.store.schema import prepare
from talekeeper.timeline.store.sqlite import open_sqlite
from talekeeper.timeline.turns import release_leases
from talekeeper.timeline.worlds import World

Wish = TypeVar("Wish")
R = TypeVar("R")

EFFECTS = (RECAP,)


def open_store(settings: Settings) -> Store:
    """The database of these settings, at the schema this code knows."""
    url = settings.store_database_url
    if url is not None:
        address = url.get_secret_value()
        if not address.startswith(("postgresql", "postgres:")):
            raise BadInput(
                "DATABASE_URL is not a Postgres address.", "It looks like postgresql://user:password@host/name."
            )
        store = open_postgres(address)
    else:
        try:
            settings.home.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreDown(
                f"The folder {settings.home} cannot be made: {error.strerror}.",
                "Set TALEKEEPER_HOME to a folder of yours.",
            ) from error
        store = open_sqlite(settings.database, synchronous=settings.store_synchronous)
    try:
        prepare(store)
    except BaseException:
        store.close()
        raise
    return store


class Engine:
    """One running Talekeeper. `open` is quick and needs no event loop; `start` takes up what a crash left."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        *,
        teller: Teller | None = None,
        clock: Clock = system_clock,
        observer: Observer | None = None,
    ) -> None:
        self.settings = settings
        self.store = store
        self.tasks = Supervisor()
        observer = observer or Silence()
        self.models = Models(settings, CallBook(store, self.tasks, clock, observer).record)
        # Whoever brings a teller of their own wants no model asked behind its back.
        adviser = choose_adviser(self.models) if teller is None else None
        self.effects = EffectsRunner(store, clock, EFFECTS, observer)
        self.services = Services(
            store=store,
            appender=Appender(clock, PROJECTIONS, FORGETTINGS),
            clock=clock,
            owner=random_id(),
            teller=teller or choose_teller(self.models),
            understudy=Storyteller(),
            resolver=lambda world: Resolver(load_pack(world.rules), adviser),
            calendar=calendar_of,
            tone=lambda world: card.tone if (card := _card(world)) else "",
            boundaries=lambda world: (*card.lines, *card.veils) if (card := _card(world)) else (),
            weather=lambda world, now: weather_at(card, world.seed, now) if (card := _card(world)) else "",
            effects=tuple((effect.name, effect.version) for effect in EFFECTS),
            after_turn=self.effects.wake,
            observer=observer,
            budget=self.models.context_tokens,
            max_scene_turns=settings.play_max_scene_turns,
        )
        url = settings.store_database_url
        where = settings.checkpoints if url is None else _plain(url.get_secret_value())
        self._checkpoints = Checkpoints(where)
        self._sole = SoleUse(settings.home / "running.lock")
        self._closed = False
        self.scenes = SceneLoop(self.services, self.tasks, self._checkpoints)

    @classmethod
    def open(
        cls,
        settings: Settings,
        *,
        teller: Teller | None = None,
        clock: Clock = system_clock,
        observer: Observer | None = None,
    ) -> Engine:
        store = open_store(settings)
        try:
            return cls(settings, store, teller=teller, clock=clock, observer=observer)
        except BaseException:
            store.close()
            raise

    async def start(self) -> list[RunningTurn]:
        """Begin effects and take up unfinished turns; those are returned, so that they can be watched."""
        self.tasks.spawn(self.effects.run(), "effects")
        # Alone on a file, whoever held a lease is dead; otherwise leases must run out first.
        alone = self.store.dialect == "sqlite" and self._sole.take()
        self.tasks.spawn(self.scenes.watch_over(), "turns of the dead")
        return await self.scenes.resume(leases_void=alone)

    async def command(self, carry_out: Callable[[Connection, Services, Wish], R], intent: Wish) -> R:
        """One intent of the table, as one transaction."""
        return await self.store.write(lambda conn: carry_out(conn, self.services, intent))

    async def close(self) -> None:
        """In good order, once; a second time changes nothing."""
        if self._closed:
            return
        self._closed = True
        await self.tasks.close()
        await self._checkpoints.close()
        await self.models.close()
        with contextlib.suppress(TalekeeperError):
            await self.store.write(lambda conn: release_leases(conn, self.services.owner))
        self._sole.release()
        await asyncio.to_thread(self.store.close)


def calendar_of(world: World) -> Calendar:
    card = _card(world)
    return card.calendar if card else PLAIN_CALENDAR


def _card(world: World) -> PresetCard | None:
    try:
        return load_card(world.preset) if world.preset else None
    except NotFound:
        return None


def _plain(url: str) -> str:
    return normal_url(url).replace("postgresql+psycopg://", "postgresql://", 1)
