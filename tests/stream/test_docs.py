"""docs/stream.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from typer.main import get_command

from talekeeper.agents.companion.policy import Thresholds
from talekeeper.app.settings import Settings, names_of
from talekeeper.app.stream_settings import STREAM_NAMES
from talekeeper.cli.main import app

TEXT = (Path(__file__).parents[2] / "docs" / "stream.md").read_text(encoding="utf-8")


def test_the_settings_are_real():
    known = {name for field in Settings.model_fields for name in names_of(field)}
    named = set(re.findall(r"\b((?:TALEKEEPER|TWITCH|ADMIN|AGENT|HEARTHKEEPER|EXPORT)_[A-Z_]+)\b", TEXT))
    assert named <= known


def test_every_older_name_is_named():
    for names in STREAM_NAMES.values():
        for name in names:
            assert name in TEXT


def test_the_defaults_are_those_of_the_code():
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| `([^`]+)` \|", TEXT, re.MULTILINE))
    fields = {name: field for field in Settings.model_fields for name in names_of(field)}
    for name, default in rows.items():
        value = Settings.model_fields[fields[name]].default
        if name != "EXPORT_PATH":
            assert str(value).lower().removesuffix(".0") == default.lower(), name
    usual = Thresholds()
    assert (usual.inactivity, usual.cooldown, usual.suppression) == (900.0, 900.0, 3)


async def test_every_path_is_named(door):
    paths = [path for path in door.app.openapi()["paths"] if path.startswith("/admin/")]
    assert len(paths) > 25
    for path in paths:
        within = path.removeprefix("/admin/companion/")
        assert (f"`{within}`" if within != path else path) in TEXT, path


def test_every_option_of_the_commands_is_real():
    stream = get_command(app).commands["stream"]
    options = {option for command in stream.commands.values() for param in command.params for option in param.opts}
    assert set(re.findall(r"`(--[a-z]+)", TEXT)) <= options
    for name in re.findall(r"talekeeper stream ([a-z]+)", TEXT):
        assert name in stream.commands


def test_every_command_has_an_example_that_is_understood():
    for name, command in get_command(app).commands["stream"].commands.items():
        example = command.help.strip().split("\n\n")[-1]
        assert example.startswith(f"Example: talekeeper stream {name}")
        args = example.split()[4:]
        assert command.make_context(name, args).args == []
