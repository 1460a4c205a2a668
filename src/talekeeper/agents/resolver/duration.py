"""How long, in story minutes, the player's words say: two hours, half an hour, until dawn."""

from __future__ import annotations

from talekeeper.agents.resolver.words import Line

_UNITS = {"minute": 1, "min": 1, "hour": 60, "hr": 60, "h": 60, "day": 1440, "night": 480, "week": 10080, "moment": 5,
          "second": 1, "month": 43200, "year": 525600, "while": 60, "bit": 20, "heartbeat": 1, "turn": 10}  # fmt: skip
_NUMBERS = {
    "a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0, "six": 6.0, "seven": 7.0,
    "eight": 8.0, "nine": 9.0, "ten": 10.0, "eleven": 11.0, "twelve": 12.0, "fifteen": 15.0, "twenty": 20.0,
    "thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "ninety": 90.0, "half": 0.5, "several": 3.0,
    "few": 3.0, "couple": 2.0, "another": 1.0, "quarter": 0.25, "the": 1.0, "hundred": 100.0, "thousand": 1000.0,
}  # fmt: skip
_HOURS = {"dawn": 6, "sunrise": 6, "morning": 7, "daylight": 7, "daybreak": 6, "noon": 12, "midday": 12,
          "afternoon": 15, "dusk": 19, "sunset": 19, "evening": 19, "nightfall": 21, "dark": 21, "night": 21,
          "midnight": 24, "tomorrow": 31}  # fmt: skip
_DAY = 1440
_SKIPPED = ("of", "more", "good", "long", "full", "little")
_MOST = 10**6


def minutes_said(line: Line, now: int, low: int = 0) -> int | None:
    """The first duration from word `low` on, or None. `now` tells how far away dawn is."""
    words = [word.stem for word in line.words[low : low + 60]]
    for index, word in enumerate(words):
        if word in _HOURS and any(before in ("until", "till", "til", "for") for before in words[:index]):
            ahead = (_HOURS[word] * 60 - now) % _DAY
            return ahead or _DAY
        if word in _UNITS:
            amount = _amount(words, index)
            if amount is not None:
                half = 0.5 if words[index + 1 : index + 4] == ["and", "a", "half"] else 0
                return max(1, min(_MOST, int((amount + half) * _UNITS[word])))
    return None


def until_morning(now: int) -> int | None:
    """Who rests at night rests until morning; by day None."""
    hour = now % _DAY // 60
    by_day = _HOURS["dawn"] <= hour < _HOURS["nightfall"]
    return None if by_day else (_HOURS["morning"] * 60 - now) % _DAY


def _amount(words: list[str], unit: int) -> float | None:
    for back in range(unit - 1, max(-1, unit - 4), -1):
        word = words[back]
        if word.isascii() and word.isdigit():
            return float(word[:7])
        number = _NUMBERS.get(word)
        if number is not None:
            before = words[back - 1] if back else ""
            if word in ("a", "an", "hundred", "thousand") and before in _NUMBERS and before != "the":
                return _NUMBERS[before] * (number if word in ("hundred", "thousand") else 1.0)
            return number
        if word not in _SKIPPED:
            return None
    return None
