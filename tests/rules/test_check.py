"""From a rung of the ladder to a check, and from the dice to a tier."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.rules import Pack, load_pack, make_check, throw, tier_of
from talekeeper.rules.load import ROLLED_TIERS

PACK = load_pack("simple-d20")
RUNGS = st.integers(-3, 12)
STATS = st.integers(-10, 10)


def test_a_check_says_what_is_rolled_and_against_what() -> None:
    check = make_check(PACK, stat="heart", value=2, rung=PACK.rung("hard"), why=["she is wary"])
    assert (check.notation, check.difficulty, check.ladder) == ("1d20+2", 15, "hard")
    assert (check.stat, check.modifier, check.why) == ("heart", 2, "she is wary")


@pytest.mark.parametrize(
    ("leans", "notation"),
    [
        ((), "1d20-1"),
        (("advantage",), "2d20kh1-1"),
        (("disadvantage", "disadvantage"), "2d20kl1-1"),
        (("advantage", "disadvantage", "advantage"), "1d20-1"),
    ],
)
def test_advantage_and_disadvantage_cancel(leans: tuple[str, ...], notation: str) -> None:
    assert make_check(PACK, stat="might", value=-1, rung=2, leans=leans).notation == notation  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("natural", "modifier", "tier"),
    [
        (20, -5, "triumph"),
        (19, 1, "triumph"),
        (12, 0, "success"),
        (8, 0, "cost"),
        (7, 0, "failure"),
        (1, 30, "disaster"),
    ],
)
def test_tiers_of_the_simple_pack_at_difficulty_12(natural: int, modifier: int, tier: str) -> None:
    check = make_check(PACK, stat="wits", value=modifier, rung=PACK.rung("fair"))
    assert tier_of(PACK, check, total=natural + modifier, natural=natural) == tier


@given(RUNGS, STATS)
def test_higher_dice_are_never_worse(rung: int, value: int) -> None:
    check = make_check(PACK, stat="might", value=value, rung=rung)
    ranks = [ROLLED_TIERS.index(tier_of(PACK, check, total=n + value, natural=n)) for n in range(1, 21)]
    assert ranks == sorted(ranks, reverse=True)


@given(STATS, st.integers(2, 19))
def test_harder_rungs_and_lower_stats_are_never_better(value: int, natural: int) -> None:
    def rank(rung: int, value: int) -> int:
        check = make_check(PACK, stat="might", value=value, rung=rung)
        return ROLLED_TIERS.index(tier_of(PACK, check, total=natural + value, natural=natural))

    by_rung = [rank(rung, value) for rung in range(len(PACK.ladder))]
    assert by_rung == sorted(by_rung)
    assert rank(2, value) <= rank(2, value - 1)


@given(RUNGS, STATS, st.integers(0, 2**53 - 1), st.integers(0, 9))
def test_a_throw_is_recorded_whole_and_falls_the_same_again(rung: int, value: int, seed: int, index: int) -> None:
    check = make_check(PACK, stat="grace", value=value, rung=rung, leans=["advantage"])
    made = throw(PACK, check, seed, index)
    assert throw(PACK, check, seed, index) == made
    assert (made.stat, made.difficulty, made.index) == ("grace", check.difficulty, index)
    assert made.tier in ROLLED_TIERS


def test_two_dice_moves(moves: Pack) -> None:
    check = make_check(moves, stat="heart", value=1, rung=moves.rung("fair"))
    assert check.notation == "2d6+1"
    tiers = {n: tier_of(moves, check, total=n + 1, natural=n) for n in range(2, 13)}
    assert (tiers[2], tiers[5], tiers[6], tiers[8], tiers[9], tiers[12]) == (
        "disaster", "failure", "cost", "cost", "success", "triumph",
    )  # fmt: skip


def test_percentile_rolls_under(percentile: Pack) -> None:
    check = make_check(percentile, stat="wits", value=45, rung=percentile.rung("hard"))
    assert (check.notation, check.difficulty) == ("1d100", 25)
    tiers = {n: tier_of(percentile, check, total=n, natural=n) for n in range(1, 101)}
    assert (tiers[3], tiers[25], tiers[26], tiers[36], tiers[100]) == (
        "triumph",
        "success",
        "cost",
        "failure",
        "disaster",
    )
    ranks = [ROLLED_TIERS.index(tier) for tier in tiers.values()]
    assert ranks == sorted(ranks)
