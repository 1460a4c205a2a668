"""Dice, checks, clocks and rules packs: pure functions and data."""

from talekeeper.rules.check import make_check, recorded, throw, tier_of
from talekeeper.rules.clocks import segments_passed, ticked
from talekeeper.rules.dice import Rolled, check_notation, replay, roll, roll_seed, turn_seed
from talekeeper.rules.load import load_pack, parse_pack, read_pack, shipped_packs
from talekeeper.rules.pack import Pack

__all__ = [
    "Pack", "Rolled", "check_notation", "load_pack", "make_check", "parse_pack", "read_pack", "recorded", "replay",
    "roll", "roll_seed", "segments_passed", "shipped_packs", "throw", "ticked", "tier_of", "turn_seed",
]  # fmt: skip
