"""The one small thing the sifter reads, whatever it was before: an agent's event, a played turn, a chat line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Record:
    """`keys` name the threads it belongs to (agent, task, scene, relation, ...); `fields` are all else a pattern may ask."""

    __slots__ = ("at", "fields", "id", "keys", "kind")

    def __init__(
        self,
        id: str,  # noqa: A002 - the word the whole house uses
        kind: str,
        at: float,
        keys: Mapping[str, str],
        fields: Mapping[str, Any] | None = None,
    ) -> None:
        self.id = id
        self.kind = kind
        self.at = at
        self.keys = keys
        self.fields = fields or {}

    def get(self, name: str) -> Any:
        """A key or field by name, None when it has none."""
        value = self.keys.get(name)
        return self.fields.get(name) if value is None else value

    @property
    def happened(self) -> float:
        """On our clock; `at` may be on the clock of a world."""
        when = self.fields.get("happened")
        return float(when) if isinstance(when, int | float) else self.at

    def __repr__(self) -> str:
        return f"Record({self.id!r}, {self.kind!r}, {self.at!r}, {dict(self.keys)!r}, {dict(self.fields)!r})"
