"""Events into prose: the log of a fleet, the story sifter, the sources and the books made of them.

Names are loaded when first used, so that a program that only writes events imports almost nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .converters import event_from_commit, event_from_gitea_issue, event_from_heartbeat
    from .event import AgentEvent, EventKind
    from .writer import ChronicleWriter

_HOME = {
    "AgentEvent": "event",
    "ChronicleWriter": "writer",
    "EventKind": "event",
    "event_from_commit": "converters",
    "event_from_gitea_issue": "converters",
    "event_from_heartbeat": "converters",
}

__all__ = [
    "AgentEvent",
    "ChronicleWriter",
    "EventKind",
    "event_from_commit",
    "event_from_gitea_issue",
    "event_from_heartbeat",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - only needed when a name is first used

    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value
