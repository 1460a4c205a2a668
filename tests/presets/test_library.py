"""Presets are found and read; what does not read says where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from talekeeper.errors import BadInput, NotFound
from talekeeper.presets.library import list_presets, load_card, load_preset, load_preset_folder
from talekeeper.presets.words import written_lines

Spoil = Callable[[str, str, str], Path]


def test_cards_are_listed_without_reading_words(folder: Path) -> None:
    for path in folder.rglob("*.toml"):
        if path.name != "preset.toml":
            path.write_text("not toml at all [", encoding="utf-8")
    cards = list_presets(folder.parent)
    assert [card.id for card in cards] == ["low-water"]
    assert cards[0].title == "Low Water at Corrow"


def test_a_card_has_all_that_a_beginning_needs() -> None:
    card = load_card("low-water")
    assert "Corrow" in card.opening
    assert card.player.name
    assert card.suggestions


def test_a_preset_is_read_once() -> None:
    assert load_preset("low-water") is load_preset("low-water")


def test_a_preset_is_large_enough_for_an_evening() -> None:
    preset = load_preset("low-water")
    assert len({written.raw for written in written_lines(preset)}) > 1200
    assert len(preset.places) >= 8
    assert len([person for person in preset.people.values() if not person.absent]) >= 7


def test_people_may_have_a_file_each() -> None:
    assert load_preset("low-water").files["person/nan"] == "people/nan.toml"


@pytest.mark.parametrize("name", ["nothing-here", "../low-water", "", "LOW-WATER", "low-water\x00"])
def test_an_unknown_preset_is_not_found(name: str) -> None:
    with pytest.raises(NotFound, match="no preset"):
        load_preset(name)


@pytest.mark.parametrize(
    ("file", "old", "new", "where"),
    [
        ("places.toml", "[otter]", "[otter", "places.toml does not read.*line 1"),
        ("places.toml", 'name = "The Otter"', "name = 3", r"places\.toml, otter.*\$\.name"),
        ("people/nan.toml", "goals = [", "gaols = [", r"people/nan\.toml.*gaols"),
        ("people/nan.toml", "[[secrets]]", "[secrets]", r"people/nan\.toml.*\$\.secrets"),
        ("threads.toml", 'name = "There are forty-one', 'nome = "There are forty-one', r"threads\.toml, grave.*beats"),
        ("verbs/words.toml", "[move]", "[levitate]", r"verbs/words\.toml.*levitate"),
        ("preset.toml", "at = 980", 'at = "noon"', r"preset\.toml.*\$\.start\.at"),
        ("preset.toml", 'id = "low-water"', 'id = "high-water"', "high-water"),
    ],
)
def test_what_does_not_read_says_where(spoil: Spoil, file: str, old: str, new: str, where: str) -> None:
    with pytest.raises(BadInput, match=where):
        load_preset_folder(spoil(file, old, new))


def test_bytes_that_are_no_text_say_which_file(folder: Path) -> None:
    (folder / "things.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match=r"things\.toml does not read"):
        load_preset_folder(folder)


def test_the_same_entity_twice_is_refused(folder: Path) -> None:
    people = folder / "people.toml"
    people.write_text('[nan]\nname = "Nan"\nrole = "another"\nlook = "like Nan"\n', encoding="utf-8")
    with pytest.raises(BadInput, match="person/nan is written twice"):
        load_preset_folder(folder)


def test_a_folder_without_a_card_is_no_preset(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"no preset\.toml"):
        load_preset_folder(tmp_path)
