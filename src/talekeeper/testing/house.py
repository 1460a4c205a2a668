"""Ready-made homes for tests: a prepared database, with or without a world in it, copied instead of made anew."""

from __future__ import annotations

import shutil
from pathlib import Path

from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from talekeeper.agents.storyteller import Storyteller
from talekeeper.app.engine import Engine, open_store
from talekeeper.app.settings import Settings
from talekeeper.loops.creation import create_from_preset
from talekeeper.presets.library import load_preset
from talekeeper.testing.postgres import TestPostgres

WORLD = "low-water"
"""The world of ready-made homes, from the preset of the same name."""
SEED = 7


class GivenSettings(Settings):
    """Settings that look at nothing but their arguments: no environment, no .env, no file."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        del settings_cls, env_settings, dotenv_settings, file_secret_settings
        return (init_settings,)


def settings_for(home: Path, url: str | None = None, **more: object) -> Settings:
    return GivenSettings.model_validate(
        {"home": home, "store_database_url": url, "model_provider": "storyteller", **more}
    )


class House:
    """Makes homes below one folder. `postgres` is None where everything is SQLite."""

    def __init__(self, folder: Path, postgres: TestPostgres | None = None) -> None:
        self._folder = folder
        self._postgres = postgres
        self._made = 0
        self._urls: list[str] = []

    def settings(self, *, world: bool = True, **more: object) -> Settings:
        """A home of its own with a database at the current schema, and the sample world if wanted."""
        self._made += 1
        home = self._folder / f"home-{self._made}"
        template = "template_world" if world else "template_empty"
        if self._postgres is None:
            ready = self._folder / template
            if not ready.exists():
                _furnish(settings_for(ready), world=world)
            shutil.copytree(ready, home)
            return settings_for(home, None, **more)
        home.mkdir()
        url = self._postgres.fresh(template, lambda url: _furnish(settings_for(home, url), world=world))
        self._urls.append(url)
        return settings_for(home, url, **more)

    def clear(self) -> None:
        if self._postgres is not None:
            for url in self._urls:
                self._postgres.drop(url)
            self._urls.clear()


def _furnish(settings: Settings, *, world: bool) -> None:
    store = open_store(settings)
    try:
        if world:
            engine = Engine(settings, store, teller=Storyteller())
            store.write_now(lambda conn: create_from_preset(conn, engine.services, load_preset(WORLD), WORLD, SEED))
    finally:
        store.close()
