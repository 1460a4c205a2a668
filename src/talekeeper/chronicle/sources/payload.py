"""Reading foreign payloads: whatever is missing, null or of another type is simply not there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from ..event import EARLIEST, LATEST

_CLOSES = re.compile(r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s*:?\s+(?:[\w./-]+)?#(\d+)", re.IGNORECASE)
_NANOSECONDS = re.compile(r"(\.\d{6})\d+")
_NOTHING: Mapping[str, Any] = {}


def table(value: Any, *path: str) -> Mapping[str, Any]:
    """The mapping at a path, an empty one if there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else _NOTHING


def tables(value: Any, *path: str) -> Iterator[Mapping[str, Any]]:
    """The mappings in the list at a path."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(value, list):
        yield from (entry for entry in value if isinstance(entry, Mapping))


def text(value: Any, *path: str) -> str:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def number(value: Any, *path: str) -> int | None:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def moment(*candidates: Any) -> float | None:
    """The first candidate that is a time: ISO, "YYYY-MM-DD HH:MM:SS UTC", or seconds, milli- or nanoseconds."""
    for candidate in candidates:
        found = _seconds(candidate)
        if found is not None and found > 0:
            return found
    return None


def _seconds(value: Any) -> float | None:
    if isinstance(value, str):
        if value.isdigit():
            return _seconds(int(value))
        cleaned = _NANOSECONDS.sub(r"\1", value.strip().replace(" UTC", "+00:00"))
        try:
            parsed = datetime.fromisoformat(cleaned)
            return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        for scale in (1, 1e3, 1e6, 1e9):
            if EARLIEST <= value / scale <= LATEST:
                return value / scale
    return None


def first_line(message: str) -> str:
    stripped = message.strip()
    return stripped.splitlines()[0].strip() if stripped else ""


def closed_issue(*texts: str) -> str:
    """`#42` when a text says that it closes it."""
    for one in texts:
        found = _CLOSES.search(one)
        if found:
            return f"#{found.group(1)}"
    return ""


def known(**metadata: Any) -> dict[str, Any]:
    """Only what is there."""
    return {name: value for name, value in metadata.items() if value not in ("", None)}
