"""Moments as the admin API writes them: aware, in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import overload

_LAST = 253402300799.0
"""The last second of the year 9999: a clock that jumped further is shown as that."""


@overload
def iso(at: float) -> str: ...
@overload
def iso(at: None) -> None: ...
@overload
def iso(at: float | None) -> str | None: ...
def iso(at: float | None) -> str | None:
    return None if at is None else datetime.fromtimestamp(min(max(at, 0.0), _LAST), UTC).isoformat()
