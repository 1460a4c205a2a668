"""The hour has a name, and the sky a weather that a replay finds again."""

from __future__ import annotations

import pytest

from talekeeper.presets.calendar import DAY, PLAIN_CALENDAR, daypart_at, hour_name, time_name
from talekeeper.presets.library import load_card
from talekeeper.presets.weather import weather_at

CARD = load_card("low-water")


@pytest.mark.parametrize(
    ("hour", "daypart"),
    [(0, "night"), (4, "night"), (5, "dawn"), (7, "morning"), (12, "afternoon"), (18, "dusk"), (21, "night")],
)
def test_the_day_has_parts(hour: int, daypart: str) -> None:
    assert daypart_at(CARD.calendar, 3 * DAY + hour * 60).id == daypart
    assert daypart_at(PLAIN_CALENDAR, hour * 60).id == daypart


def test_a_date_reads_as_one_would_say_it() -> None:
    assert time_name(CARD.calendar, CARD.start.at) == "Washday the 19th of Dry September, afternoon"
    assert time_name(CARD.calendar, 2 * DAY) == "Midweek the 21st of Dry September, night"
    assert time_name(PLAIN_CALENDAR, 0) == "Monday, night"


def test_one_wishes_people_a_good_part_of_the_day() -> None:
    assert [hour_name(hour * 60) for hour in (8, 14, 20, 1)] == ["morning", "afternoon", "evening", "evening"]


def test_the_story_begins_in_its_own_weather() -> None:
    assert {weather_at(CARD, seed, CARD.start.at) for seed in range(20)} == {"haze"}


def test_the_same_seed_brings_the_same_weather() -> None:
    hours = range(0, 20 * DAY, 60)
    assert [weather_at(CARD, 5, now) for now in hours] == [weather_at(CARD, 5, now) for now in hours]
    assert {weather_at(CARD, 5, now) for now in hours} == {sky.id for sky in CARD.weathers}
