"""Settings: command line, environment, .env in the working folder, talekeeper.toml in the home, defaults; in that order.

Frozen after start. Every setting is TALEKEEPER_<SECTION>_<NAME>; older names are accepted as aliases.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
import platformdirs
from dotenv import dotenv_values
from pydantic import AliasChoices, AliasGenerator, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from talekeeper.app.stream_settings import STREAM_NAMES, StreamSettings
from talekeeper.errors import BadInput

PREFIX = "TALEKEEPER_"
FILE = "talekeeper.toml"

OLDER_NAMES: dict[str, tuple[str, ...]] = {
    "server_host": ("HOST",),
    "server_port": ("PORT",),
    "server_log_level": ("LOG_LEVEL", "GAME_AGENT_LOG_LEVEL"),
    "server_debug": ("DEBUG",),
    "server_secret_key": ("SECRET_KEY",),
    "server_allowed_origins": ("CORS_ALLOWED_ORIGINS",),
    "server_socket_ping_interval": ("SOCKET_PING_INTERVAL",),
    "server_socket_ping_timeout": ("SOCKET_PING_TIMEOUT",),
    "store_database_url": ("DATABASE_URL", "DB_DSN"),
    "model_provider": ("LLM_PROVIDER",),
    "model_base_url": ("LLM_BASE_URL", "OPENAI_API_BASE", "OPENAI_BASE_URL"),
    "model_api_key": ("LLM_API_KEY", "OPENAI_API_KEY"),
    "model_name": ("LLM_MODEL",),
    "model_narrator": ("LLM_MODEL_NARRATOR",),
    "model_npc_voice": ("LLM_MODEL_NPC_VOICE",),
    "model_resolver": ("LLM_MODEL_RESOLVER",),
    "model_game": ("LLM_MODEL_GAME", "ACTIVE_STREAM_LLM_MODEL"),
    "model_fallback": ("LLM_MODEL_FALLBACK",),
    "model_timeout": ("LLM_TIMEOUT",),
    **STREAM_NAMES,
}


def names_of(field: str) -> tuple[str, ...]:
    """The environment names of a setting, its own first."""
    return (PREFIX + field.upper(), *OLDER_NAMES.get(field, ()))


def default_home() -> Path:
    return Path(platformdirs.user_data_dir("talekeeper", appauthor=False))


class _HomeFile(PydanticBaseSettingsSource):
    """talekeeper.toml; its place depends on the home, which the sources before it have settled."""

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        del field
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        home = self.current_state.get(names_of("home")[0])
        written = read_file(_expand(home) if home else default_home())
        return {names_of(field)[0]: value for field, value in written.items() if field in Settings.model_fields}


class Settings(StreamSettings):
    model_config = SettingsConfigDict(
        frozen=True,
        extra="ignore",
        env_file=".env",
        env_ignore_empty=True,
        populate_by_name=True,
        alias_generator=AliasGenerator(validation_alias=lambda field: AliasChoices(*names_of(field))),
    )

    home: Path = Field(default_factory=default_home, description="Where worlds, checkpoints, logs and exports live.")
    server_host: str = Field(default="127.0.0.1", description="Address the server listens on.")
    server_port: int = Field(default=8000, ge=0, le=65535, description="Port the server listens on.")
    server_log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        default="INFO", description="How much is logged."
    )
    server_debug: bool = Field(default=False, description="Show the details of unexpected errors.")
    server_secret_key: SecretStr | None = Field(
        default=None, description="Signs cookies; without one, made once and kept in the home."
    )
    server_allowed_origins: str = Field(
        default="",
        description="Other addresses pages may come from, with commas between, such as https://tales.example.org.",
    )
    auth: Literal["single", "accounts"] = Field(
        default="single", description="single: whoever reaches the server owns it; accounts: people log in."
    )
    accounts_registration: Literal["invited", "open"] = Field(
        default="invited", description="Who may make an account after the first one."
    )
    limits_turns: int = Field(default=30, ge=0, description="Turns a minute a seat; 0 for no limit.")
    limits_requests: int = Field(default=120, ge=0, description="Requests a minute an address; 0 for no limit.")
    server_socket_ping_interval: float = Field(default=20.0, gt=0, description="Seconds between pings on a socket.")
    server_socket_ping_timeout: float = Field(
        default=60.0,
        gt=0,
        description="A socket that answers no ping for so long is closed; a loading screen takes a while.",
    )
    store_database_url: SecretStr | None = Field(
        default=None, description="A Postgres address; without one, SQLite in the home."
    )
    store_synchronous: Literal["FULL", "NORMAL"] = Field(
        default="FULL",
        description="SQLite: FULL loses nothing acknowledged in a power cut; NORMAL is faster and may lose the last commits.",
    )
    model_provider: str = Field(
        default="",
        description="storyteller, openai, ollama, lm_studio, local, or any name with a base URL; empty: by what is set.",
    )
    model_base_url: str | None = Field(default=None, description="Address of an OpenAI-compatible service.")
    model_api_key: SecretStr | None = Field(default=None, description="Key for that service.")
    model_name: str | None = Field(default=None, description="Which model.")
    model_narrator: str | None = Field(default=None, description="Another model for the narrator.")
    model_npc_voice: str | None = Field(default=None, description="Another model for the characters.")
    model_resolver: str | None = Field(default=None, description="Another model for judging free actions.")
    model_game: str | None = Field(default=None, description="Another model for the NPCs of games.")
    model_fallback: str | None = Field(default=None, description="The model to use when the first does not answer.")
    model_timeout: float = Field(default=60.0, gt=0, description="Seconds to wait for a model's first word.")
    play_context_tokens: int = Field(default=6000, ge=500, description="Token budget of what the narrator is given.")
    play_max_scene_turns: int = Field(default=60, ge=1, description="A scene ends by itself after this many turns.")

    game_world: str = Field(default="game", description="The world of games that come without a token.")
    game_token_needed: bool = Field(default=False, description="Games need a token even from this machine.")
    game_pace: float = Field(
        default=12.0, ge=0, description="Words a second of NPCs without a model; 0 is as fast as it goes."
    )
    game_untagged: Literal["report", "speech"] = Field(
        default="report",
        description="What becomes of a model's text outside every tag: reported at the end of the turn, or spoken.",
    )

    @field_validator("server_debug", mode="before")
    @classmethod
    def _debug(cls, value: object) -> bool:
        return str(value).strip().lower() in {"1", "true", "t", "yes", "y", "on", "debug"}

    @field_validator("server_log_level", mode="before")
    @classmethod
    def _level(cls, value: object) -> str:
        return str(value).strip().upper()

    @field_validator("home", mode="before")
    @classmethod
    def _home(cls, value: object) -> Path:
        return _expand(value)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        del file_secret_settings
        return init_settings, env_settings, dotenv_settings, _HomeFile(settings_cls)

    @property
    def database(self) -> Path:
        return self.home / "talekeeper.db"

    @property
    def checkpoints(self) -> Path:
        """Their own file: sharing the store's raised its writer's p99 from 3 to 19 ms."""
        return self.home / "checkpoints.db"

    @property
    def key_file(self) -> Path:
        return self.home / "secret.key"

    @property
    def logs(self) -> Path:
        return self.home / "logs"

    @property
    def exports(self) -> Path:
        return self.home / "exports"

    @property
    def ledgers(self) -> Path:
        return _expand(self.stream_export_path) if self.stream_export_path else self.exports


class Loaded(msgspec.Struct, frozen=True):
    settings: Settings
    sources: dict[str, str]
    """Where each value came from."""
    warnings: tuple[str, ...]


def load(**overrides: Any) -> Loaded:
    """`overrides` are what the command line gave; None means it gave nothing."""
    given = {names_of(field)[0]: value for field, value in overrides.items() if value is not None}
    try:
        settings = Settings(**given)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadInput(
            f"The setting {first['loc'][0]} is wrong: {first['msg']}.", "Mend it, or leave it out."
        ) from error
    dotenv = {name: value for name, value in dotenv_values(".env").items() if value}
    written = read_file(settings.home)
    sources = {
        field: _source(field, given, {"environment": os.environ, ".env": dotenv}, written)
        for field in Settings.model_fields
    }
    return Loaded(settings, sources, tuple(_odd({**os.environ, **dotenv}, written)))


def _source(
    field: str, given: Mapping[str, Any], environments: Mapping[str, Mapping[str, str]], written: Mapping[str, Any]
) -> str:
    if names_of(field)[0] in given:
        return "command line"
    for where, environment in environments.items():
        for name in names_of(field):
            if environment.get(name):
                return f"{where}: {name}"
    return FILE if field in written else "default"


def _odd(environment: Iterable[str], written: Iterable[str]) -> Iterable[str]:
    known = {name for field in Settings.model_fields for name in names_of(field)}
    for name in sorted(n for n in environment if n.startswith(PREFIX) and n not in known):
        yield f"{name} is not a setting.{_nearest(name, known)}"
    for field in written:
        if field not in Settings.model_fields:
            yield f"{FILE}: {field} is not a setting.{_nearest(field, Settings.model_fields)}"


def read_file(home: Path) -> dict[str, Any]:
    """talekeeper.toml as field names: a section is the first word, as in [server] host = "..."."""
    path = home / FILE
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}  # a home that cannot be is said by whoever needs it
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise BadInput(f"{path} does not read: {error}.", "Mend the file, or move it away.") from error
    flat: dict[str, Any] = {}
    for section, content in written.items():
        if isinstance(content, dict):
            flat.update({f"{section}_{name}": value for name, value in content.items()})
        else:
            flat[section] = content
    return flat


def _expand(home: object) -> Path:
    return Path(str(home)).expanduser()


def _nearest(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(known), 1, 0.6)
    return f" Did you mean {close[0]}?" if close else ""
