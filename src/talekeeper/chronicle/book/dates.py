"""Days, weeks and months, named the same everywhere (UTC)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Literal

from talekeeper.errors import BadInput

Period = Literal["hour", "part", "day", "week", "month", "year"]
DAY = 86400.0

_MONTHS = "January February March April May June July August September October November December".split()
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_PARTS = ("in the small hours", "in the morning", "in the afternoon", "in the evening")


def moment(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)


def clock(at: float) -> str:
    return f"{moment(at):%H:%M}"


def iso(at: float) -> str:
    return f"{moment(at):%Y-%m-%dT%H:%M:%SZ}"


def iso_day(at: float) -> str:
    return f"{moment(at):%Y-%m-%d}"


def day(at: float, *, year: bool = True) -> str:
    when = moment(at)
    return f"{when.day} {_MONTHS[when.month - 1]}" + (f" {when.year}" if year else "")


def span(begin: float, end: float) -> str:
    """`4 November 2026`, `4 to 9 November 2026`, `30 October to 2 November 2026`."""
    first, last = moment(begin), moment(end)
    if first.date() == last.date():
        return day(end)
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day} to {day(end)}"
    return f"{day(begin, year=first.year != last.year)} to {day(end)}"


def fitting(begin: float, end: float) -> Period:
    """The length of chapter that makes a readable number of them."""
    days = (end - begin) / DAY
    if days <= 0.34:
        return "hour"
    if days <= 1.5:
        return "part"
    if days <= 21:
        return "day"
    if days <= 120:
        return "week"
    return "month" if days <= 365 * 3 else "year"


def start_of(at: float, period: Period) -> float:
    when = moment(at)
    midnight = when.replace(hour=0, minute=0, second=0, microsecond=0)
    if period in ("hour", "part"):
        midnight = midnight.replace(hour=when.hour if period == "hour" else when.hour // 6 * 6)
    elif period == "week":
        midnight -= timedelta(days=when.weekday())
    elif period == "month":
        midnight = midnight.replace(day=1)
    elif period == "year":
        midnight = midnight.replace(month=1, day=1)
    return midnight.timestamp()


def name_of(start: float, period: Period) -> str:
    when = moment(start)
    if period == "hour":
        return f"{_DAYS[when.weekday()]} {day(start)}, from {clock(start)}"
    if period == "part":
        return f"{_DAYS[when.weekday()]} {day(start)}, {_PARTS[when.hour // 6]}"
    if period == "day":
        return f"{_DAYS[when.weekday()]}, {day(start)}"
    if period == "week":
        return f"The week of {day(start)}"
    return f"{_MONTHS[when.month - 1]} {when.year}" if period == "month" else str(when.year)


def parse_day(text: str) -> float:
    """`2026-11-04` or a full ISO time."""
    try:
        when = datetime.fromisoformat(text.strip())
    except ValueError:
        raise BadInput(f"{text!r} is no date.", "Write it as 2026-11-04 or 2026-11-04T09:00.") from None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()
