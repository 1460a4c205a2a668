"""Text that every database and every client can hold."""

from __future__ import annotations


def storable(text: str) -> str:
    """Without NUL, which Postgres refuses, and without halves of characters, which cannot be encoded at all."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
