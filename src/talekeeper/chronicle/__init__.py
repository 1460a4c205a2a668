"""Events into prose: the log of a fleet, the story sifter, the sources and the books made of them.

Names are loaded when first used, so that a program that only writes events imports almost nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .book.compose import compose
    from .converters import event_from_commit, event_from_gitea_issue, event_from_heartbeat
    from .event import AgentEvent, EventKind
    from .fleet_records import FleetRecords
    from .sifter import Record, Sifter, all_arcs, arc, arcs, other_than, parse_patterns, read_patterns, same_as
    from .sources import Intake, read_file
    from .writer import ChronicleWriter

_HOME = {
    "AgentEvent": "event",
    "ChronicleWriter": "writer",
    "EventKind": "event",
    "FleetRecords": "fleet_records",
    "Intake": "sources",
    "Record": "sifter",
    "Sifter": "sifter",
    "all_arcs": "sifter",
    "arc": "sifter",
    "arcs": "sifter",
    "compose": "book.compose",
    "event_from_commit": "converters",
    "event_from_gitea_issue": "converters",
    "event_from_heartbeat": "converters",
    "other_than": "sifter",
    "parse_patterns": "sifter",
    "read_file": "sources",
    "read_patterns": "sifter",
    "same_as": "sifter",
}

__all__ = [
    "AgentEvent",
    "ChronicleWriter",
    "EventKind",
    "FleetRecords",
    "Intake",
    "Record",
    "Sifter",
    "all_arcs",
    "arc",
    "arcs",
    "compose",
    "event_from_commit",
    "event_from_gitea_issue",
    "event_from_heartbeat",
    "other_than",
    "parse_patterns",
    "read_file",
    "read_patterns",
    "same_as",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - only needed when a name is first used

    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value
