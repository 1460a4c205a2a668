"""Clocks that run by themselves while story time passes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from talekeeper.rules import segments_passed, ticked

NAMES = st.from_regex(r"faction/[a-z]{1,12}", fullmatch=True)


@given(NAMES, st.integers(0, 10**6), st.lists(st.integers(0, 3000), max_size=12), st.integers(1, 48))
def test_however_time_is_cut_the_same_segments_fill(name: str, now: int, waits: list[int], hours: int) -> None:
    at_once = segments_passed(name, now=now, minutes=sum(waits), hours_per_segment=hours)
    by_turns = 0
    for minutes in waits:
        by_turns += segments_passed(name, now=now, minutes=minutes, hours_per_segment=hours)
        now += minutes
    assert by_turns == at_once


def test_one_segment_each_twelve_hours() -> None:
    assert segments_passed("faction/tide", now=600, minutes=10 * 12 * 60, hours_per_segment=12) == 10


def test_clocks_do_not_all_strike_at_once() -> None:
    hours = {
        next(h for h in range(25) if segments_passed(f"faction/{name}", now=0, minutes=h * 60, hours_per_segment=24))
        for name in ("tide", "works", "lowsiders", "crown", "abbey")
    }
    assert len(hours) > 1


@given(st.integers(0, 24), st.integers(2, 24), st.integers(0, 100))
def test_a_clock_fills_and_stays_full(filled: int, size: int, segments: int) -> None:
    after = ticked(filled, size, segments)
    assert after >= filled
    assert after <= max(size, filled)
