"""What one pushed event did to one arc."""

from __future__ import annotations

from typing import Literal, NamedTuple

from .partial import State, records_of
from .told import Told

What = Literal["advanced", "completed", "broken", "expired"]
Key = str | tuple[str, ...]


class _Fields(NamedTuple):
    what: What
    arc: str
    raw_key: Key
    state: State
    size: int
    told: Told | None
    breaker: str


class Change(_Fields):
    """`ids` are the arc's events at that moment; a broken arc's last id is the event that broke it."""

    __slots__ = ()

    @property
    def key(self) -> tuple[str, ...]:
        return self.raw_key if isinstance(self.raw_key, tuple) else (self.raw_key,)

    @property
    def ids(self) -> tuple[str, ...]:
        ids = tuple(record.id for record in records_of(self.state)[: self.size])
        return (*ids, self.breaker) if self.breaker else ids

    def __repr__(self) -> str:
        return f"Change({self.what}, {self.arc}, {self.key}, {self.ids})"
