"""`talekeeper settings`: every setting with its value and source, and the template of an .env file."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin
from urllib.parse import urlsplit, urlunsplit

from pydantic import SecretStr
from pydantic.fields import FieldInfo

from talekeeper.app.settings import FILE, Loaded, Settings, load, names_of
from talekeeper.cli.console import aside, command_group, show_json, show_table, write_bytes
from talekeeper.cli.opening import JsonOption

app = command_group("Every setting, where its value comes from, and a template to begin with.")

_HEAD = f"""\
# Settings of Talekeeper, each at its default. Copy this file to .env in the folder you start Talekeeper from and uncomment
# what you change; or set the same names in the environment; or write them into {FILE} in the home, where
# TALEKEEPER_SERVER_PORT is `port` below `[server]`. The environment goes before .env, and .env before {FILE}.
# Made by `talekeeper settings example`.
"""


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List every setting with its value and where it comes from.

    Secrets are not shown.

    Example: talekeeper settings list
    """
    loaded = load()
    rows = setting_rows(loaded)
    if as_json:
        show_json([{"name": name, "value": value, "source": source} for name, value, source in rows])
    else:
        show_table(("setting", "value", "from"), rows)
    for warning in loaded.warnings:
        aside(warning)


@app.command("example")
def example() -> None:
    """Print an .env file with every setting at its default, explained.

    Example: talekeeper settings example > .env
    """
    write_bytes(env_example().encode())


def setting_rows(loaded: Loaded) -> list[tuple[str, str, str]]:
    return [
        (names_of(field)[0], shown(getattr(loaded.settings, field)), loaded.sources[field])
        for field in Settings.model_fields
    ]


def shown(value: object) -> str:
    """A value as it may be seen by whoever looks over one's shoulder."""
    if value is None or value == "":
        return ""
    if isinstance(value, SecretStr):
        return without_password(value.get_secret_value()) if "://" in value.get_secret_value() else "(hidden)"
    return without_password(str(value))


def without_password(address: str) -> str:
    """An address with whatever stands for a password in it taken out."""
    if "://" not in address:
        return address
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        place = f"{host}:{parts.port}" if parts.port else host
    except ValueError:
        return "(hidden)"
    user = f"{parts.username}:***@" if parts.password else f"{parts.username}@" if parts.username else ""
    return urlunsplit((parts.scheme, user + place, parts.path, "", ""))


def env_example() -> str:
    sections: dict[str, list[str]] = {}
    for field, info in Settings.model_fields.items():
        sections.setdefault(field.partition("_")[0], []).append(_example(field, info))
    return _HEAD + "".join(f"\n# {section}\n{''.join(lines)}" for section, lines in sections.items())


def _example(field: str, info: FieldInfo) -> str:
    own, *older = names_of(field)
    about = [info.description or ""]
    if choices := _choices(info):
        about.append(f"One of {', '.join(choices)}.")
    if older:
        about.append(f"Also read as {', '.join(older)}.")
    return f"# {' '.join(about)}\n#{own}={_default(info)}\n"


def _choices(info: FieldInfo) -> tuple[str, ...]:
    annotation: Any = info.annotation
    return get_args(annotation) if get_origin(annotation) is Literal else ()


def _default(info: FieldInfo) -> str:
    if info.default_factory is not None or info.default is None:
        return ""
    return str(info.default).lower() if isinstance(info.default, bool) else str(info.default)
