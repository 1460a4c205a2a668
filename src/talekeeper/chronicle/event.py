"""What an agent did: the twelve kinds, and one event of a fleet's working day."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

EARLIEST, LATEST = -62135596800.0, 253402300799.0
"""The seconds a calendar can name: the years 1 to 9999."""

UNKNOWN_AGENT = "unknown"


class EventKind(StrEnum):
    DISPATCH = "dispatch"
    COMMIT = "commit"
    PUSH = "push"
    PR_OPEN = "pr_open"
    PR_MERGE = "pr_merge"
    ERROR = "error"
    RECOVERY = "recovery"
    ABANDON = "abandon"
    COLLABORATION = "collab"
    HEARTBEAT = "heartbeat"
    IDLE = "idle"
    MILESTONE = "milestone"


@dataclass(slots=True)
class AgentEvent:
    """`timestamp` is in seconds since the epoch, UTC; `metadata` is copied, so the caller's dict stays the caller's."""

    kind: EventKind
    agent: str
    detail: str = ""
    timestamp: float = field(default_factory=time.time)
    metadata: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if type(self.kind) is not EventKind:
            self.kind = EventKind(self.kind)
        self.agent = _text(self.agent) or UNKNOWN_AGENT
        self.detail = _text(self.detail)
        self.metadata = dict(self.metadata) if self.metadata else {}

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind.value,
            "agent": self.agent,
            "detail": self.detail,
            "timestamp": self.timestamp,
            "metadata": dict(self.metadata),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> AgentEvent:
        """Raises KeyError without a kind or an agent, ValueError for a kind nobody knows."""
        kind, agent = EventKind(data["kind"]), data["agent"]
        metadata = data.get("metadata")
        timestamp = data.get("timestamp")
        return cls(
            kind,
            agent,
            data.get("detail") or "",
            time.time() if timestamp is None else timestamp,
            metadata if isinstance(metadata, dict) else {},
        )


def _text(value: Any) -> str:
    if type(value) is str:
        return value
    return "" if value is None else str(value)
