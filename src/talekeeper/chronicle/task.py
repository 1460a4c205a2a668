"""What an event is about: the issue, pull request or named task it speaks of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_NUMBER = re.compile(r"#(\d+)")
_NAMES = ("task", "issue_number", "pr_number", "number", "issue", "pr")


def task_of(detail: str, metadata: Mapping[str, Any]) -> str | None:
    """`#42`, or the name the source gave; None when nothing says."""
    if metadata:
        for name in _NAMES:
            value = metadata.get(name)
            if type(value) is int or (type(value) is str and value not in ("", "?")):
                text = str(value)
                return f"#{text}" if text.isdigit() else text
    if "#" in detail:
        found = _NUMBER.search(detail)
        if found:
            return found.group()
    return None
