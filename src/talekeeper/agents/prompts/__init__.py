"""Prompts are files: `fill` reads one beside this module and puts values where it says `$name`."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from string import Template

_GAP = re.compile(r"\n{3,}")


@cache
def prompt(name: str) -> Template:
    """The prompt file of that name, unfilled."""
    return Template(files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8"))


def fill(name: str, /, **values: str) -> str:
    """The prompt with every `$name` replaced; a value that is empty leaves no hole."""
    return _GAP.sub("\n\n", prompt(name).substitute(values)).strip() + "\n"


def fixed_text(name: str) -> str:
    """What the prompt says in every world: itself without its values."""
    template = prompt(name)
    return template.substitute(dict.fromkeys(template.get_identifiers(), "\n"))
