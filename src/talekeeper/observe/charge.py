"""Which turn the work at hand is charged to; set where a turn begins to run, read where a model is called."""

from __future__ import annotations

from contextvars import ContextVar

import msgspec


class Charge(msgspec.Struct, frozen=True):
    world: str
    turn: str


charged_to: ContextVar[Charge | None] = ContextVar("charged_to", default=None)
