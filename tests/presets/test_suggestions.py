"""Suggestions name only what is there."""

from __future__ import annotations

from talekeeper.presets.suggestions import suggest


def test_one_of_each_kind() -> None:
    suggested = suggest(people=["Nan"], things=["hearthstone"], exits=["the Row"], matters=["the bell money"], seed=1)
    assert suggested == ("Ask Nan about the bell money", "Examine the hearthstone", "Go to the Row")


def test_an_empty_place_still_leaves_something_to_do() -> None:
    assert suggest(people=[], things=[], exits=[], matters=["the war"], seed=1) == ("Look around", "Wait")


def test_the_same_seed_suggests_the_same() -> None:
    everyone = ["Nan", "Tam", "Idris"]
    assert suggest(people=everyone, things=[], exits=[], matters=[], seed=9) == suggest(
        people=everyone, things=[], exits=[], matters=[], seed=9
    )
