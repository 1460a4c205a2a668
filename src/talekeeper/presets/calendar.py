"""What the hour is called: dayparts, weekdays, and a date a person would say."""

from __future__ import annotations

from talekeeper.presets.preset import Calendar, Daypart

DAY = 24 * 60

PLAIN_CALENDAR = Calendar(
    dayparts=(
        Daypart("night", "night", 0),
        Daypart("dawn", "early morning", 5),
        Daypart("morning", "morning", 7),
        Daypart("afternoon", "afternoon", 12),
        Daypart("dusk", "evening", 18),
        Daypart("night", "night", 21),
    ),
    weekdays=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
)
"""For worlds that bring none of their own."""


def daypart_at(calendar: Calendar, now: int) -> Daypart:
    """Before the first daypart of the day it is still the last one of the day before."""
    hour = now % DAY // 60
    current = calendar.dayparts[-1]
    for part in calendar.dayparts:
        if part.starts <= hour:
            current = part
    return current


def hour_name(now: int) -> str:
    """Morning, afternoon or evening: what one wishes people a good one of."""
    hour = now % DAY // 60
    return "morning" if 3 <= hour < 12 else "afternoon" if 12 <= hour < 18 else "evening"


def time_name(calendar: Calendar, now: int) -> str:
    """`Thursday the 19th of Haymonth, dusk`."""
    day = now // DAY
    weekday = calendar.weekdays[day % len(calendar.weekdays)]
    date = f"{weekday} the {_ordinal(calendar.first_day + day)} of {calendar.month}" if calendar.month else weekday
    return f"{date}, {daypart_at(calendar, now).name}"


def _ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}{({1: 'st', 2: 'nd', 3: 'rd'}).get(number % 10, 'th')}"
