"""A rules pack is data: what is wrong with one is said with its file and its key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.errors import BadInput, NotFound
from talekeeper.rules import Pack, load_pack, parse_pack, read_pack, roll, shipped_packs
from talekeeper.timeline.vocabulary import Verb

Rewrite = Callable[[dict[str, Any]], str]


def test_the_shipped_pack_loads_and_covers_every_verb(d20: Pack) -> None:
    assert "simple-d20" in shipped_packs()
    assert set(d20.verbs) == set(get_args(Verb))
    assert [step.word for step in d20.ladder][:3] == ["trivial", "easy", "fair"]


def test_the_dice_of_the_shipped_packs_can_be_rolled() -> None:
    for name in shipped_packs():
        dice = load_pack(name).dice
        for notation in (dice.plain, dice.advantage, dice.disadvantage):
            assert roll(notation, 1).total >= 1


def test_an_unknown_pack_names_those_there_are() -> None:
    with pytest.raises(NotFound, match="simple-d20"):
        load_pack("../../etc/passwd")


def test_a_pack_of_your_own(tmp_path: Path, rewrite: Rewrite) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(rewrite({"id": "mine", "name": "Mine"}), encoding="utf-8")
    assert read_pack(path).name == "Mine"
    with pytest.raises(BadInput, match="cannot be read"):
        read_pack(tmp_path / "missing.toml")


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"dice.plain": "many"}, "dice.plain"),
        ({"dice.plain": "1d20+5"}, "dice.plain"),
        ({"dice.advantage": "9999999d20"}, "dice.advantage"),
        ({"dice.aim": "sideways"}, "dice.aim"),
        ({"ladder": [{"word": "only", "value": 3}]}, "ladder"),
        ({"ladder.0.value": 99}, "ladder"),
        ({"ladder.1.word": "fair"}, "ladder"),
        ({"tiers.0.tier": "cost"}, "tiers"),
        ({"tiers.1.margin": None}, "tiers.margin"),
        ({"tiers.1.margin": 50}, "tiers.margin"),
        ({"tiers.4.margin": -50}, "tiers.margin"),
        ({"tiers.0.natural": [20, 1]}, "tiers.natural"),
        ({"verbs.ask": None}, "verbs"),
        ({"verbs.ask.stat": "luck"}, "verbs.ask.stat"),
        ({"verbs.ask.step": "absurd"}, "verbs.ask.step"),
        ({"verbs.ask.minutes": -1}, "verbs.ask.minutes"),
        ({"verbs.ask.rolls": "sometimes"}, "verbs.ask.rolls"),
        ({"verbs.ask.minuets": 5}, "verbs.ask"),
        ({"verbs.juggle": {"rolls": "never", "minutes": 1}}, "verbs"),
        ({"verbs.sneak.gains": "invisible"}, "verbs.sneak.gains"),
        ({"verbs.ask.nudges.success": {"envy": 1}}, "verbs.ask.nudges.success"),
        ({"verbs.ask.nudges.perfect": {"trust": 1}}, "verbs.ask.nudges"),
        ({"verbs.ask.costs.cost": {"says": "x", "harm": -1}}, "verbs.ask.costs.cost"),
        ({"adjustments.0.when": "raining"}, "adjustments[0].when"),
        ({"adjustments.0.says": "{who} frowns"}, "adjustments[0].says"),
        ({"adjustments.0.says": "{target"}, "adjustments[0].says"),
        ({"harm.limit": 99}, "harm.limit"),
        ({"harm.down": "asleep"}, "harm.down"),
        ({"conditions.down.at_harm": 2}, "conditions.down.at_harm"),
        ({"harm.rest_minutes": 0}, "harm.rest_minutes"),
        ({"clocks.hours_per_segment": 0}, "clocks.hours_per_segment"),
        ({"pace.longest_minutes": 0}, "pace.longest_minutes"),
        ({"stats": {}}, "stats"),
        ({"name": None}, "top level"),
    ],
    ids=str,
)
def test_a_fault_is_named_by_file_and_key(rewrite: Rewrite, changes: dict[str, Any], key: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_pack(rewrite(changes), "mine.toml")
    assert caught.value.message.startswith(f"mine.toml, {key}")
    assert "docs/rules.md" in caught.value.hint


def test_broken_toml_is_named_with_its_line() -> None:
    with pytest.raises(BadInput, match=r"mine\.toml is not valid TOML.*line 2"):
        parse_pack("id = 'mine'\nname = ?\n", "mine.toml")


@given(st.text(max_size=200))
def test_any_text_is_a_pack_or_a_clear_refusal(text: str) -> None:
    with pytest.raises(BadInput, match="any"):
        parse_pack(text, "any")


def test_packs_are_frozen(d20: Pack) -> None:
    with pytest.raises(AttributeError):
        d20.name = "other"  # type: ignore[misc]


def test_other_games_are_data_only(moves: Pack, percentile: Pack) -> None:
    assert msgspec.structs.asdict(moves)["id"] == "moves"
    assert percentile.dice.aim == "under"
