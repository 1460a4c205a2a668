"""What the companion remembers of earlier streams, by the words of the moment."""

from __future__ import annotations

from sqlalchemy import Connection

from talekeeper.loops.companion.channel import COMPANION
from talekeeper.loops.companion.session import Session
from talekeeper.memory.recall import recall
from talekeeper.timeline.ids import parse_event_id
from talekeeper.timeline.lineage import path
from talekeeper.timeline.worlds import get_world

_LOOKED_AT = 40


def memories_of(conn: Connection, session: Session, cue: str, limit: int = 5) -> tuple[str, ...]:
    """Kept lines from before this session, strongest first, each with who said it."""
    world = get_world(conn, session.world)
    past = path(conn, world.slug, world.active)
    found = recall(conn, past, COMPANION, cue, limit=_LOOKED_AT)
    earlier = (memory for memory in found if parse_event_id(memory.event).seq < session.seq)
    return tuple(f"{memory.speaker}: {memory.text}" for memory, _ in zip(earlier, range(limit), strict=False))
