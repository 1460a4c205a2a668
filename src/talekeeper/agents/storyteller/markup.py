"""Tagged text: what leaves the storyteller, escaped so that no player's words can become a tag."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PIECE = re.compile(r"<[^>]*>|[^<\s]+\s*|\s+")


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def tag(name: str, text: str, **attributes: str) -> str:
    return f"<{name}{_attributes(attributes)}>{escape(text)}</{name}>"


def empty_tag(name: str, **attributes: str) -> str:
    return f"<{name}{_attributes(attributes)}/>"


def pieces(tagged: str) -> Iterator[str]:
    """A tag or a word at a time, as a model would stream it."""
    return (match[0] for match in _PIECE.finditer(tagged))


def _attributes(attributes: dict[str, str]) -> str:
    return "".join(f' {name}="{_attribute(value)}"' for name, value in attributes.items() if value)


def _attribute(value: str) -> str:
    return " ".join(escape(value).replace('"', "&quot;").split())
