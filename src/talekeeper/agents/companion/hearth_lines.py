"""The companion's own written lines, from the files in `hearth`: frames for what it may point at, and a few to stand alone."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def hearth_lines(name: str) -> tuple[str, ...]:
    return tuple(files(__package__).joinpath("hearth", f"{name}.txt").read_text(encoding="utf-8").splitlines())
