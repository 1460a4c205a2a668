"""`talekeeper preset`: the story templates, and what one still lacks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from talekeeper.cli.console import FOUND_TROUBLE, GOOD, command_group, say, show_json, show_table
from talekeeper.cli.opening import JsonOption
from talekeeper.errors import NotFound
from talekeeper.presets.check import Finding, check
from talekeeper.presets.library import CARD, list_presets, load_preset, load_preset_folder
from talekeeper.presets.preset import Preset

app = command_group("The story templates worlds begin from.")


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List the presets that come with Talekeeper.

    Example: talekeeper preset list
    """
    cards = list_presets()
    if as_json:
        show_json([{"id": c.id, "title": c.title, "tagline": c.tagline, "rules": c.rules} for c in cards])
    else:
        show_table(("preset", "title", ""), [(c.id, c.title, c.tagline) for c in cards])


@app.command("check")
def check_(
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="ID|FOLDER", help="A shipped preset, or a folder of your own.", show_default="all shipped"
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say what a preset still lacks.

    Words, references, endings. Exit code 1 if anything is found.

    Example: talekeeper preset check ./my-story
    """
    presets = [load_preset(c.id) for c in list_presets()] if which is None else [_load(which)]
    found = {preset.id: check(preset) for preset in presets}
    if as_json:
        show_json(found)
    else:
        for preset in presets:
            _tell(preset, found[preset.id])
    if any(found.values()):
        raise typer.Exit(FOUND_TROUBLE)


def _load(which: str) -> Preset:
    folder = Path(which).expanduser()
    if folder.is_dir():
        return load_preset_folder(folder.resolve())
    if "/" in which or "\\" in which:
        raise NotFound(f"There is no folder {which}.", f"A preset is a folder with a {CARD}.")
    return load_preset(which)


def _tell(preset: Preset, findings: list[Finding]) -> None:
    if not findings:
        say(f"{preset.id} is complete.", GOOD)
        return
    say(f"{preset.id} lacks {len(findings)} thing{'s' if len(findings) > 1 else ''}:")
    show_table(("file", "key", ""), [(f.file, f.key, f.message) for f in findings])
