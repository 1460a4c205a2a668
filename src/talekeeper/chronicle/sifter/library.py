"""The arcs that come with the house, in three books: fleet, played, stream."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal

from .pattern import Pattern
from .toml_patterns import parse_patterns

Book = Literal["fleet", "played", "stream"]
BOOKS: tuple[Book, ...] = ("fleet", "played", "stream")


@cache
def arcs(book: Book) -> tuple[Pattern, ...]:
    text = files(__package__).joinpath("arcs", f"{book}.toml").read_text(encoding="utf-8")
    return tuple(parse_patterns(text, f"{book}.toml"))


def all_arcs() -> tuple[Pattern, ...]:
    return tuple(pattern for book in BOOKS for pattern in arcs(book))
