"""`talekeeper preset`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from talekeeper.presets.library import LIBRARY


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A preset of one's own: a copy, lacking an opening of the right length."""
    folder = Path(shutil.copytree(LIBRARY / "low-water", tmp_path / "mine"))
    card = (folder / "preset.toml").read_text()
    (folder / "preset.toml").write_text(card.replace('id = "low-water"', 'id = "mine"', 1))
    return folder


def test_the_shipped_presets_are_listed(run):
    assert run("preset", "list", "--json").json()[0]["id"] == "low-water"
    assert "Low Water at Corrow" in run("preset", "list").out


def test_the_shipped_presets_are_complete(run):
    assert run("preset", "check", "low-water").out == "low-water is complete.\n"
    assert run("preset", "check", "--json").json()["low-water"] == []


def test_what_a_preset_lacks_is_said_with_file_and_key(run, mine):
    assert run("preset", "check", str(mine)).code == 0
    card = mine / "preset.toml"
    card.write_text(card.read_text().replace('place = "', 'place = "no', 1))
    said = run("preset", "check", str(mine))
    assert said.code == 1
    assert "preset.toml" in said.out
    assert "start.place" in said.out
    findings = run("preset", "check", str(mine), "--json").json()["mine"]
    assert "start.place" in {finding["key"] for finding in findings}


def test_a_preset_that_does_not_read(run, mine):
    (mine / "preset.toml").write_text("id = ")
    said = run("preset", "check", str(mine))
    assert said.code == 2
    assert "mine/preset.toml does not read" in said.err


@pytest.mark.parametrize("which", ["nowhere", "./nowhere", "../low-water", "."])
def test_a_preset_that_is_not_there(run, which):
    assert run("preset", "check", which).code == 2
