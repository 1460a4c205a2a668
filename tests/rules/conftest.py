"""The shipped pack, and two more written as data alone: 2d6 moves and percentile skills."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import msgspec
import pytest
from hypothesis import settings

from talekeeper.rules import Pack, load_pack, parse_pack

# A slow machine is not a fault in the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

Rewrite = Callable[..., str]


def _toml(value: Any) -> str:
    """A TOML value on one line; enough for the packs of these tests."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return msgspec.json.encode(value).decode()


@pytest.fixture
def rewrite() -> Rewrite:
    """The text of the shipped pack with top-level keys replaced, or dotted keys set or (None) dropped."""
    shipped = files("talekeeper.rules").joinpath("packs", "simple-d20.toml").read_text(encoding="utf-8")

    def text(changes: dict[str, Any]) -> str:
        data = tomllib.loads(shipped)
        for dotted, value in changes.items():
            *path, last = dotted.split(".")
            at = data
            for key in path:
                at = at[int(key)] if isinstance(at, list) else at[key]
            if value is None:
                del at[last]
            else:
                at[last] = value
        return "\n".join(f"{key} = {_toml(value)}" for key, value in data.items())

    return text


@pytest.fixture
def d20() -> Pack:
    return load_pack("simple-d20")


@pytest.fixture
def moves(rewrite: Rewrite) -> Pack:
    return parse_pack(
        rewrite(
            {
                "id": "moves",
                "dice": {"plain": "2d6", "advantage": "3d6kh2", "disadvantage": "3d6kl2"},
                "ladder": [
                    {"word": "trivial", "value": 8},
                    {"word": "easy", "value": 9},
                    {"word": "fair", "value": 10},
                    {"word": "hard", "value": 11},
                ],
                "tiers": [
                    {"tier": "triumph", "margin": 3, "natural": [12, 12]},
                    {"tier": "success", "margin": 0},
                    {"tier": "cost", "margin": -3},
                    {"tier": "failure", "margin": -6},
                    {"tier": "disaster", "natural": [2, 2]},
                ],
            }
        ),
        "moves.toml",
    )


@pytest.fixture
def percentile(rewrite: Rewrite) -> Pack:
    return parse_pack(
        rewrite(
            {
                "id": "percentile",
                "dice": {"plain": "1d100", "advantage": "2d100kl1", "disadvantage": "2d100kh1", "aim": "under"},
                "ladder": [
                    {"word": "easy", "value": 20},
                    {"word": "fair", "value": 0},
                    {"word": "hard", "value": -20},
                ],
                "tiers": [
                    {"tier": "triumph", "margin": 40, "natural": [1, 5]},
                    {"tier": "success", "margin": 0},
                    {"tier": "cost", "margin": -10},
                    {"tier": "failure", "margin": -60},
                    {"tier": "disaster", "natural": [96, 100]},
                ],
            }
        ),
        "percentile.toml",
    )
