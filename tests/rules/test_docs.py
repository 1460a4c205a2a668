"""What docs/rules.md shows works as shown."""

from __future__ import annotations

import contextlib
import io
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from talekeeper.rules import parse_pack
from talekeeper.rules.pack import Adjustment, Condition, Cost, Harm, Pack, VerbRule

DOC = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", DOC, flags=re.DOTALL)


def test_the_replayed_roll_comes_out_as_printed() -> None:
    (code,) = blocks("python")
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, {})
    promised = re.search(r"print\(.*# (.*)", code)
    assert promised is not None
    assert out.getvalue().strip() == promised[1]


@pytest.mark.parametrize("text", blocks("toml"))
def test_the_other_games_are_valid_packs(rewrite: Callable[[dict[str, Any]], str], text: str) -> None:
    changes: dict[str, Any] = tomllib.loads(text)
    steps = {f"verbs.{verb}.step": "hard" for verb in ("cast",)}
    assert parse_pack(rewrite({**changes, **steps}), "example.toml").dice.plain == changes["dice"]["plain"]


@pytest.mark.parametrize("struct", [Pack, Adjustment, Condition, Harm, VerbRule, Cost])
def test_every_key_of_a_pack_is_explained(struct: type) -> None:
    for key in struct.__struct_fields__:
        assert re.search(rf"`(\[+)?{key}\b|\b{key}\]|\.{key}\b|\[\[{key}", DOC), key
