"""Finds and reads presets: folders of TOML, those that ship with Talekeeper and any other folder."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from talekeeper.errors import BadInput, NotFound
from talekeeper.presets.preset import (
    Preset,
    PresetCard,
    PresetFaction,
    PresetPerson,
    PresetPlace,
    PresetThing,
    PresetThread,
    Words,
)
from talekeeper.timeline.vocabulary import Tier, Verb

T = TypeVar("T")

LIBRARY = Path(__file__).parent / "library"
CARD = "preset.toml"
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,62}\Z")


def list_presets(library: Path = LIBRARY) -> tuple[PresetCard, ...]:
    """The cards alone: no words are read."""
    return tuple(_card(folder) for folder in sorted(library.iterdir()) if (folder / CARD).is_file())


@lru_cache(maxsize=16)
def load_card(preset: str) -> PresetCard:
    """Title, opening and player of a shipped preset, at once."""
    return _card(_shipped(preset))


@lru_cache(maxsize=16)
def load_preset(preset: str) -> Preset:
    return load_preset_folder(_shipped(preset))


def load_preset_folder(folder: Path) -> Preset:
    files: dict[str, str] = {}
    return Preset(
        card=_card(folder),
        places=_entities(folder, "places", "place", PresetPlace, files),
        people=_entities(folder, "people", "person", PresetPerson, files),
        things=_entities(folder, "things", "item", PresetThing, files),
        factions=_entities(folder, "factions", "faction", PresetFaction, files),
        threads=_entities(folder, "threads", "concept", PresetThread, files),
        verbs=_verbs(folder),
        files=files,
    )


def _shipped(preset: str) -> Path:
    folder = LIBRARY / preset
    if _ID.match(preset) is None or not (folder / CARD).is_file():
        known = ", ".join(sorted(path.parent.name for path in LIBRARY.glob(f"*/{CARD}")))
        raise NotFound(f"There is no preset called {preset[:80]!r}.", f"These are there: {known}.")
    return folder


def _card(folder: Path) -> PresetCard:
    path = folder / CARD
    card = _convert(_read(path), PresetCard, path, folder)
    if card.id != folder.name:
        raise BadInput(f"{CARD}: the id is {card.id!r} but the folder is {folder.name!r}.", "Give both the same name.")
    return card


def _entities(folder: Path, name: str, kind: str, shape: type[T], files: dict[str, str]) -> dict[str, T]:
    """`<name>.toml` holds one table per entity; a folder `<name>/` holds one file per entity."""
    found: dict[str, T] = {}
    for path in [folder / f"{name}.toml", *sorted((folder / name).glob("*.toml"))]:
        if not path.is_file():
            continue
        written = _read(path)
        tables = {path.stem: written} if path.parent != folder else written
        for slug, table in tables.items():
            entity = f"{kind}/{slug}"
            if entity in found:
                raise BadInput(f"{path.relative_to(folder)}: {entity} is written twice.", f"Also in {files[entity]}.")
            files[entity] = path.relative_to(folder).as_posix()
            found[entity] = _convert(table, shape, path, folder, slug)
    return found


def _verbs(folder: Path) -> dict[Verb, dict[Tier, Words]]:
    found: dict[Verb, dict[Tier, Words]] = {}
    for path in sorted((folder / "verbs").glob("*.toml")):
        for verb, tiers in _convert(_read(path), dict[Verb, dict[Tier, Words]], path, folder).items():
            if verb in found:
                raise BadInput(f"{path.relative_to(folder)}: the verb {verb!r} is written twice.")
            found[verb] = tiers
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise NotFound(f"{path.parent.name} has no {path.name}.", "A preset is a folder with a preset.toml.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{path.parent.name}/{path.name} does not read: {error}.", "Mend the file and try again."
        ) from error


def _convert(written: object, shape: type[T], path: Path, folder: Path, key: str = "") -> T:
    try:
        return msgspec.convert(written, shape)
    except msgspec.ValidationError as error:
        where = f"{path.relative_to(folder).as_posix()}{f', {key}' if key else ''}"
        raise BadInput(f"{where}: {error}.", "Mend the file and try again.") from error
