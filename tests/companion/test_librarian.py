"""The Librarian: what is kept, and what a channel comes back to."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.agents.companion.librarian import LongTheme, Theme, long_themes, themes, worth_keeping
from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.words import on_theme, stem, stems

Say = Callable[..., ChatLine]


def test_long_lines_are_kept_and_short_ones_when_answered(say: Say) -> None:
    assert worth_keeping(say("x" * 51), answered=False)
    assert not worth_keeping(say("x" * 50), answered=False)
    assert not worth_keeping(say("gg" + " " * 80), answered=False)
    assert worth_keeping(say("why?"), answered=True)


def test_lines_of_machines_and_other_channels_are_not_kept(say: Say) -> None:
    line = say("x" * 80)
    assert not worth_keeping(msgspec.structs.replace(line, bot=True), answered=True)
    assert not worth_keeping(msgspec.structs.replace(line, source_channel="elsewhere"), answered=True)


def test_themes_are_what_several_people_came_back_to(say: Say) -> None:
    talk = [
        say("that lighthouse again", "ada"),
        say("lighthouses are all the same", "bo"),
        say("not this lighthouse", "cy"),
        say("bread bread bread", "ada"),
        say("bread", "ada"),
        say("bread", "ada"),
        say("kappaPride lighthouse https://lighthouse.example", "ada"),
    ]
    assert themes(talk) == (Theme("lighthouse", 4, 3),)


def test_themes_come_back_over_the_years() -> None:
    found = long_themes([(1.0, ["Lighthouses", "bread"]), (2.0, ["lighthouses"]), (3.0, ["rain", "rain", " "])])
    assert found == (LongTheme("Lighthouses", 2, 2.0), LongTheme("rain", 1, 3.0), LongTheme("bread", 1, 1.0))


def test_words_are_compared_in_one_form() -> None:
    assert stem("lighthouses") == stem("Lighthouse")
    assert stem("wandering") == stem("wanders") == stem("wandered")
    assert on_theme("we are wandering", "She wanders")
    assert not on_theme("the and of", "the and of")
    assert not on_theme("lighthouse", "")


@given(st.lists(st.text(max_size=60), max_size=8))
def test_any_talk_can_be_read(texts: list[str]) -> None:
    lines = [ChatLine(str(n), f"p{n % 3}", text, float(n)) for n, text in enumerate(texts)]
    for theme in themes(lines):
        assert theme.speakers > 1
        assert theme.lines >= theme.speakers


@given(st.text(max_size=80))
def test_a_text_is_about_its_own_words(text: str) -> None:
    assert on_theme(text, text) == bool(stems(text))
