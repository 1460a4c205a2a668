"""Seeded dice in the notation of the `d20` library: the same seed gives the same dice on every machine."""

from __future__ import annotations

import hashlib
import re
import warnings
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from talekeeper.errors import BadInput

if TYPE_CHECKING:
    from talekeeper.rules.roller import SeededRoller

MAX_LENGTH = 120
MAX_ROLLS = 200
MAX_NUMBER = 1_000_000
MAX_NESTING = 8

EXAMPLE = "Try something like 1d20+3, 2d6, 4d6kh3 or 2d20kl1."
_NUMBER = re.compile(r"[0-9]+")
_DICE = re.compile(r"([0-9]*)\s*d\s*([0-9]+)", re.IGNORECASE)
_WORD_BITS = 64


class Rolled(msgspec.Struct, frozen=True):
    """What the dice showed. `natural` is the sum of the kept dice of the leftmost group, before anything is added."""

    notation: str
    total: int
    natural: int
    detail: str
    seed: int
    index: int = 0


class DiceStream:
    """An endless, unbiased row of dice from one seed.

    The n-th word is the first eight bytes of sha256("<seed>:<n>"); a word in the last, incomplete stretch of
    multiples of the die's size is skipped, so that no face is likelier than another.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._drawn = 0

    def die(self, sides: int) -> int:
        """A number from 1 to `sides`."""
        fair = (1 << _WORD_BITS) // sides * sides
        while True:
            digest = hashlib.sha256(f"{self._seed}:{self._drawn}".encode()).digest()
            self._drawn += 1
            word = int.from_bytes(digest[:8], "big")
            if word < fair:
                return word % sides + 1


def turn_seed(world_seed: int, turn: str) -> int:
    """The seed all rolls of one turn come from."""
    return _hashed(f"{world_seed}|{turn}")


def roll_seed(seed: int, index: int) -> int:
    """The seed of one roll: hash(world seed, turn id, roll index), given the turn's seed."""
    return _hashed(f"{seed}|{index}")


def _hashed(text: str) -> int:
    # 53 of the 64 bits: recorded seeds travel as JSON to browsers and games, whose numbers are doubles.
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 11


def roll(notation: str, seed: int, index: int = 0) -> Rolled:
    """Roll `notation` as the `index`-th roll of the turn whose seed is `seed`."""
    return replay(notation, roll_seed(seed, index), index)


def replay(notation: str, seed: int, index: int = 0) -> Rolled:
    """The roll that was recorded with this notation and seed, die for die."""
    text = check_notation(notation)
    total, natural, detail = _roller().throw(text, DiceStream(seed), MAX_ROLLS)
    return Rolled(text, total, natural, detail, seed, index)


def check_notation(notation: str) -> str:
    """`notation` in its plain form, or a BadInput that says what is wrong with it. Does not load the parser."""
    text = " ".join(notation.split())
    if not text:
        raise BadInput("There is nothing to roll.", EXAMPLE)
    if len(text) > MAX_LENGTH:
        raise BadInput(f"That roll is {len(text)} characters long; at most {MAX_LENGTH} are read.", EXAMPLE)
    if not (text.isascii() and text.isprintable()):
        raise BadInput(f"{text!r} is not dice notation.", EXAMPLE)
    if any(len(number) > 12 or int(number) > MAX_NUMBER for number in _NUMBER.findall(text)):
        raise BadInput(f"A number in {text!r} is too large.", f"Numbers may go up to {MAX_NUMBER:,}.")
    dice = [(int(count or 1), int(sides)) for count, sides in _DICE.findall(text)]
    if sum(count for count, _ in dice) > MAX_ROLLS:
        raise BadInput(f"{text!r} rolls too many dice.", f"A roll may use up to {MAX_ROLLS} dice.")
    if any(sides < 1 for _, sides in dice):
        raise BadInput(f"{text!r} has a die without sides.", EXAMPLE)
    if _depth(text) > MAX_NESTING:
        raise BadInput(f"{text!r} is nested too deeply.", f"Brackets may nest {MAX_NESTING} deep.")
    return text


def _depth(text: str) -> int:
    depth = deepest = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        deepest = max(deepest, depth)
    return deepest


@cache
def _roller() -> SeededRoller:
    with warnings.catch_warnings():
        # The parser under d20 imports a module that Python has since renamed.
        warnings.simplefilter("ignore", DeprecationWarning)
        # d20 builds its parser on import (0.2 s), which the first prompt need not wait for.
        from talekeeper.rules.roller import SeededRoller  # noqa: PLC0415

    return SeededRoller()
