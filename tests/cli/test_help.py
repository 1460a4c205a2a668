"""Every command explains itself, with an example that runs, and docs/cli.md knows them all."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from talekeeper.cli.main import app

PAGE = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
ELSEWHERE = ("play", "serve", "game", "chronicle", "fleet", "stream")
"""Doors with pages of their own."""


def commands() -> Iterator[tuple[str, Any]]:
    def walk(name: str, command: Any) -> Iterator[tuple[str, Any]]:
        below = getattr(command, "commands", None)
        if below is None:
            yield name, command
        for child, deeper in (below or {}).items():
            yield from walk(f"{name} {child}".strip(), deeper)

    yield from walk("", get_command(app))


ALL = dict(commands())
ON_THE_PAGE = {name: command for name, command in ALL.items() if name.split()[0] not in ELSEWHERE}


@pytest.mark.parametrize("name", ALL)
def test_a_command_has_a_summary_and_an_example_of_itself(name):
    said = ALL[name].help
    summary, *_, example = said.strip().split("\n\n")
    assert len(" ".join(summary.split())) < 80
    assert example.startswith(f"Example: talekeeper {name}")


@pytest.mark.parametrize("name", ALL)
def test_the_example_is_understood(name):
    example = ALL[name].help.strip().split("\n\n")[-1].removeprefix("Example: talekeeper ")
    args = shlex.split(example.split(" > ")[0])[len(name.split()) :]
    assert ALL[name].make_context(name, args).args == []


@pytest.mark.parametrize("name", ON_THE_PAGE)
def test_the_page_has_every_command_with_its_options(name):
    section = re.search(rf"^### `{re.escape(name)}\b.*?(?=^##|\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert section, f"docs/cli.md has no section for `{name}`"
    options = {option for param in ALL[name].params for option in param.opts if option.startswith("--")}
    missing = {option for option in options - {"--help", "--json"} if option not in section[0]}
    assert not missing


def test_the_page_names_no_command_that_is_not_there():
    told = {match.strip() for match in re.findall(r"^### `([a-z -]+?)(?: [A-Z\[|-].*)?`", PAGE, re.MULTILINE)}
    assert told <= ALL.keys()


def test_no_command_at_all_shows_the_help(run):
    for args in ((), ("world",), ("canon",)):
        said = run(*args)
        assert said.code == 2
        assert "Commands" in said.out + said.err


def test_a_misspelt_command_is_met_with_the_nearest(run):
    said = run("wurld", "list")
    assert said.code == 2
    assert "world" in said.err
