"""An effect: work after a turn that only derives rows from events. It never appends, and may run twice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from talekeeper.timeline.outbox import Job
from talekeeper.timeline.store import Store


class Effect(msgspec.Struct, frozen=True):
    name: str
    version: int
    """Raised when the same cause should be worked on again."""
    run: Callable[[Store, Job], Awaitable[None]]
