"""Blocks: how text by others stands in a prompt. It is escaped, so that no text can end its own block or open another."""

from __future__ import annotations

from collections.abc import Iterable


def block(name: str, *texts: str) -> str:
    """The texts as data under a name; nothing at all when there is no text."""
    content = "\n".join(escape(text).strip() for text in texts if text.strip())
    return f"<{name}>\n{content}\n</{name}>" if content else ""


def escape(text: str) -> str:
    """Only `<` can begin a block's end, so only `<` is replaced: the rest stays as readable as it was."""
    return text.replace("<", "&lt;")


def inline(text: str) -> str:
    """Text by others inside a sentence of ours: one short line."""
    return escape(" ".join(text.split()))[:120]


def bullets(texts: Iterable[str]) -> str:
    return "\n".join(f"- {' '.join(text.split())}" for text in texts if text.strip())
