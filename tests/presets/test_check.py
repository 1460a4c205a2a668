"""`check` passes what is complete and finds each thing that is not, with file and key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from talekeeper.presets.check import check
from talekeeper.presets.library import load_preset, load_preset_folder

Spoil = Callable[[str, str, str], Path]


def test_the_shipped_preset_is_complete() -> None:
    assert [str(finding) for finding in check(load_preset("low-water"))] == []


@pytest.mark.parametrize(
    ("file", "old", "new", "found"),
    [
        ("preset.toml", 'place = "otter"', 'place = "badger"', "preset.toml: start.place: there is no place 'badger'"),
        ("preset.toml", 'weather = "haze"', 'weather = "frogs"', "preset.toml: start.weather: there is no weather"),
        ("preset.toml", "The carrier put you down", "It was long ago that the carrier put you down", "opening: 205 words"),
        ("places.toml", 'otter = "through the low', 'badger = "through the low', "row.exits.badger: there is no place"),
        ("places.toml", 'gallery = "down the iron stair"', "", "gatehouse.barred.gallery: barred, but no exit"),
        ("people/nan.toml", "[topics.bray]", "[topics.brays]\n[topics.bray]", "topics.brays.about: nothing leads"),
        ("people/nan.toml", 'at = "otter"', 'at = "sea"', "people/nan.toml: at: there is no place 'sea'"),
        ("people/nan.toml", 'dawn = "ground"', 'teatime = "ground"', "schedule.teatime: there is no daypart"),
        ("people/nan.toml", "[regard.bray]", "[regard.brya]", "regard.brya: there is nobody called 'brya'"),
        ("people/nan.toml", "affection = 35", "fondness = 35", "regard.player.fondness: one of trust"),
        ("people/nan.toml", "\nthanks = [", "\n# thanks = [", "people/nan.toml: thanks: nothing written"),
        ("people/tam.toml", 'lowsiders = "spokesman"', 'highsiders = "x"', "member_of.highsiders: there is no faction"),
        ("people/tam.toml", 'topics = ["item/boat"', 'topics = ["item/bote"', "there is no 'item/bote'"),
        ("things.toml", 'at = "place/otter"', 'at = "place/nowhere"', "there is no 'place/nowhere'"),
        ("factions.toml", "size = 8", "size = 9", "factions.toml: works.clock.omens[9]: no omen"),
        ("threads.toml", 'clock = "faction/works"', 'clock = ""', "grave.clock: nothing runs against"),
        ("threads.toml", '"item/dockets"', '"item/docket"', "grave.topics: there is no 'item/docket'"),
        ("places.toml", "[smell] It smelt of barley", "[smel] It smelt of barley", "unknown tag [smel]"),
        ("places.toml", "[smell] It smelt of barley", "[!place/x] It smelt", "unknown tag [!place/x]"),
        ("verbs/words.toml", "You left {from}", "You left {form}", "nothing fills {form}"),
        ("places.toml", "A mattock lay by the wall, and the cooling iron clicked.", "The same cat had the same chair.",
         "places.toml: ground.senses[13]: the sentence 'The same cat had the same chair.' also stands in places.toml"),
    ],
)  # fmt: skip
def test_each_planted_defect_is_found(spoil: Spoil, file: str, old: str, new: str, found: str) -> None:
    findings = [str(finding) for finding in check(load_preset_folder(spoil(file, old, new)))]
    assert any(found in finding for finding in findings), findings


def test_too_few_words_are_counted(folder: Path) -> None:
    places = folder / "places.toml"
    text = places.read_text(encoding="utf-8")
    start = text.index("senses = [")
    places.write_text(text[:start] + 'senses = ["Damp."]\n' + text[text.index("leads = [", start) :], encoding="utf-8")
    assert "places.toml: otter.senses: 1 sensory lines of at least 12" in map(str, check(load_preset_folder(folder)))


def test_a_small_world_is_told_so(folder: Path) -> None:
    (folder / "threads.toml").unlink()
    (folder / "factions.toml").unlink()
    findings = [str(finding) for finding in check(load_preset_folder(folder))]
    assert "preset.toml: threads: 0 of at least 3" in findings
    assert "preset.toml: factions: 0 of at least 2" in findings


def test_a_place_nobody_can_reach_is_found(folder: Path) -> None:
    with (folder / "places.toml").open("a", encoding="utf-8") as places:
        places.write('\n[attic]\nname = "The Attic"\nabout = "Nobody knows."\n')
    assert "places.toml: attic.exits: cannot be reached from the start" in map(str, check(load_preset_folder(folder)))


def test_a_thread_with_few_beats_is_found(folder: Path) -> None:
    threads = folder / "threads.toml"
    text = threads.read_text(encoding="utf-8")
    threads.write_text(text[: text.rindex("[[wall.beats]]", 0, text.rindex("[[wall.beats]]"))], encoding="utf-8")
    findings = [str(finding) for finding in check(load_preset_folder(folder))]
    assert "threads.toml: wall.beats: 4 beats of at least 5" in findings


def test_a_secret_needs_topics_and_words(folder: Path) -> None:
    nan = folder / "people" / "nan.toml"
    with nan.open("a", encoding="utf-8") as written:
        written.write('\n[[secrets]]\nid = "bees"\ntext = "Nan talks to the bees about you."\n')
    findings = [str(finding) for finding in check(load_preset_folder(folder))]
    assert "people/nan.toml: secrets.bees: a secret without topics can never be asked about" in findings
    assert "people/nan.toml: secrets.bees.told: no line in which it is told" in findings
