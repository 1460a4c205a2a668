"""Foreign words made harmless before they stand in Markdown or HTML."""

from __future__ import annotations

import html
import re

_SPECIAL = re.compile(r"[\\`*\[\]~<>&]|(?<![^\W_])_|_(?![^\W_])")
_ENTITIES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


def _safe(found: re.Match[str]) -> str:
    character = found.group()
    return _ENTITIES.get(character) or "\\" + character


def escape_markdown(text: str) -> str:
    """For text inside a line. An underscore within a word means nothing in Markdown and stays readable."""
    return _SPECIAL.sub(_safe, text)


def escape_html(text: str) -> str:
    return html.escape(text, quote=True)
