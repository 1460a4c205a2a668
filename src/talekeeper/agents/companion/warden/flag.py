"""What the Warden reports: how grave, why, and which earlier lines belonged to the same pitch."""

from __future__ import annotations

from typing import Literal

import msgspec

Severity = Literal["low", "medium", "high"]


class Flag(msgspec.Struct, frozen=True):
    severity: Severity
    reason: str
    score: float
    lines: tuple[str, ...] = ()
    """Ids of earlier lines of the same author, when the pitch came in pieces."""
