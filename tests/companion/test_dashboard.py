"""Dashboards: read from markdown, merged by what is given, generated from a few answers, and checked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.agents.companion.dashboard import (
    Dashboard,
    GeneratorInput,
    generate,
    merge,
    parse,
    render,
    theme_of,
    topics,
    validate,
)  # fmt: skip
from talekeeper.errors import BadInput

WRITTEN = """\
# Tonight

**Stream Title:** Keepers: an evening on the rock
- Game: Keepers
Mood: *calm*

## Go-live notification
Up the stair again.
Bring a coat.

## Session goals
1. Climb to the lantern room
2. [x] Read the whole log book

- Leave before the storm

## Social post
The rock, tonight. #keepers #slowgames

## Content angle
What lighthouses ask of those who keep them

Some loose thought after it.

## Things to mention
* the oil lamp
"""


def test_markdown_is_read_into_fields() -> None:
    assert parse(WRITTEN) == {
        "stream_title": "Keepers: an evening on the rock",
        "game": "Keepers",
        "mood": "calm",
        "go_live_notification": "Up the stair again. Bring a coat.",
        "session_goals": ("Climb to the lantern room", "Read the whole log book", "Leave before the storm"),
        "social_post": "The rock, tonight. #keepers #slowgames",
        "content_angle": "What lighthouses ask of those who keep them",
    }


def test_what_is_no_field_is_a_topic() -> None:
    assert topics(WRITTEN) == ("Some loose thought after it.", "Things to mention", "the oil lamp")


def test_saving_replaces_only_what_is_given() -> None:
    first = merge(None, {"raw_markdown": WRITTEN}, now=10.0)
    second = merge(first, {"mood": "stormy"}, now=20.0)
    assert (second.mood, second.game, second.raw_markdown) == ("stormy", "Keepers", WRITTEN)
    assert (second.created_at, second.updated_at) == (10.0, 20.0)


def test_a_field_that_is_given_beats_the_markdown() -> None:
    assert merge(None, {"raw_markdown": "Mood: calm", "mood": "stormy"}).mood == "stormy"
    assert merge(None, {"mood": "stormy", "raw_markdown": "Mood: calm"}).mood == "stormy"


def test_null_and_an_empty_list_clear() -> None:
    saved = merge(None, {"raw_markdown": WRITTEN})
    cleared = merge(saved, {"mood": None, "session_goals": []})
    assert (cleared.mood, cleared.session_goals, cleared.game) == ("", (), "Keepers")
    assert merge(saved, {"session_goals": None}).session_goals == ()


def test_new_markdown_leaves_what_it_does_not_name() -> None:
    saved = merge(None, {"raw_markdown": WRITTEN})
    assert merge(saved, {"raw_markdown": "Mood: grim"}).game == "Keepers"


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"raw_markdown": None},
        {"raw_markdown": "   "},
        {"raw_markdown": 3},
        {"raw_markdown": "x" * 5_000_000},
        {"raw_markdown": "x", "mood": 3},
        {"raw_markdown": "x", "mood": "m" * 3_000},
        {"raw_markdown": "x", "session_goals": "one"},
        {"raw_markdown": "x", "session_goals": [1]},
        {"raw_markdown": "x", "session_goals": ["goal"] * 21},
    ],
)
def test_what_cannot_be_used_is_said(given: dict[str, object]) -> None:
    with pytest.raises(BadInput) as refused:
        merge(None, given)
    assert refused.value.hint


def test_the_theme_is_the_angle_or_else_the_title() -> None:
    assert theme_of(Dashboard(content_angle="angle", stream_title="title")) == "angle"
    assert theme_of(Dashboard(stream_title="title")) == "title"
    assert theme_of(Dashboard()) == theme_of(None) == ""


ANSWERS = st.builds(
    GeneratorInput,
    game=st.sampled_from(["Keepers", "Outer Wilds", "Just Chatting", "DARK SOULS III", "café müller", "2048"]),
    mood=st.sampled_from(["", "calm", "Eerie", "slow and foggy, with rain", "😌"]),
    familiarity=st.sampled_from(["", "first time", "a few hours", "know it very well"]),
    experience=st.sampled_from(["", "Reached the second landing.", "I lost the lamp", "died!!! a lot!!!"]),
    start_time=st.sampled_from(["", "20:00", "2026-11-15T08:30:00Z", "at noon"]),
)


@given(ANSWERS)
def test_what_it_generates_is_as_it_should_be(answers: GeneratorInput) -> None:
    made = generate(answers)
    assert validate(made) == ()
    assert 3 <= len(made.session_goals) <= 5
    assert generate(answers) == made


@given(ANSWERS)
def test_what_it_generates_can_be_read_back(answers: GeneratorInput) -> None:
    made = generate(answers)
    assert merge(None, {"raw_markdown": made.raw_markdown}) == made


def test_a_generator_needs_a_game() -> None:
    with pytest.raises(BadInput):
        generate(GeneratorInput(mood="calm"))


def test_it_is_grounded_in_the_answers() -> None:
    made = generate(
        GeneratorInput(game="Keepers", mood="calm", experience="Reached the second landing.", start_time="20:00")
    )
    assert "Keepers" in made.stream_title
    assert made.go_live_notification.endswith("Last time: reached the second landing.")
    assert "#Keepers" in made.social_post
    assert made.session_goals[0] == "Go on from where it stopped: reached the second landing."


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("stream_title", "", "There is no stream title."),
        ("stream_title", "EPIC stream!!! HYPE", "The stream title: it piles up exclamation or question marks."),
        ("stream_title", "x" * 141, "The stream title is longer than 140 characters."),
        ("go_live_notification", "One. Two. Three.", "The go-live note should be one or two sentences."),
        ("go_live_notification", "Follow for more.", "The go-live note: it asks for a follow, a like or a subscription."),
        ("social_post", "No tags.", "The announcement has 0 hashtags; two to four are enough."),
        ("social_post", "#a #b #c #d #e", "The announcement has 5 hashtags; two to four are enough."),
        ("session_goals", ("one", "two"), "There are 2 goals; three to five can be kept in mind."),
        ("content_angle", "One. Two.", "The content angle should be one thought, in one sentence."),
    ],
)  # fmt: skip
def test_the_validator_says_what_is_amiss(field: str, value: object, reason: str) -> None:
    good = generate(GeneratorInput(game="Keepers"))
    fields = {name: getattr(good, name) for name in good.__struct_fields__} | {field: value}
    assert reason in validate(Dashboard(**fields))


@given(st.text(max_size=500))
def test_any_text_can_be_a_dashboard(text: str) -> None:
    found = parse(text)
    assert all(found.values())
    assert "session_goals" not in found or isinstance(found["session_goals"], tuple)
    assert all(topic == " ".join(topic.split()) for topic in topics(text))


plain_text = st.text(alphabet="abcdefgh ij", min_size=3, max_size=40).map(lambda t: " ".join(t.split())).filter(bool)


@given(plain_text, st.lists(plain_text, max_size=5), plain_text)
def test_what_is_rendered_is_read_again(title: str, goals: list[str], angle: str) -> None:
    board = Dashboard(stream_title=title, session_goals=tuple(goals), content_angle=angle)
    again = parse(render(board))
    assert (again["stream_title"], again.get("session_goals", ()), again["content_angle"]) == (
        title,
        tuple(goals),
        angle,
    )
