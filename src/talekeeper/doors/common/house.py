"""What a door may ask of the house behind it. The app's engine is one; tests may build their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from sqlalchemy import Connection

from talekeeper.loops.scene.loop import SceneLoop
from talekeeper.loops.scene.work import Services
from talekeeper.timeline.store import Store

Wish = TypeVar("Wish")
R = TypeVar("R")


class House(Protocol):
    @property
    def store(self) -> Store: ...

    @property
    def scenes(self) -> SceneLoop: ...

    @property
    def services(self) -> Services: ...

    async def command(self, carry_out: Callable[[Connection, Services, Wish], R], intent: Wish) -> R:
        """One intent of the table, as one transaction."""
