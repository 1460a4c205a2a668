"""Directives in force: a fold over what was given and lifted along a path."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import Path
from talekeeper.timeline.vocabulary import DirectiveGiven


class Directive(msgspec.Struct, frozen=True):
    event: str
    text: str
    source: str
    priority: int
    never: str = ""


def directives(conn: Connection, past: Path, scene: str, turn_number: int) -> list[Directive]:
    """Highest priority first; safety before everything."""
    given: dict[str, Directive] = {}
    for event in read_events(conn, past, kinds=[DirectiveGiven.kind]):
        body = event.body
        if not isinstance(body, DirectiveGiven):
            continue
        if body.lifts:
            given.pop(body.lifts, None)
        elapsed = body.until_turn is not None and turn_number > body.until_turn
        if body.text and not elapsed and (not body.scene_only or event.scene == scene):
            given[event.id] = Directive(event.id, body.text, body.source, body.priority, body.never)
    return sorted(given.values(), key=lambda d: (d.source != "safety", -d.priority, d.event))
