"""A batch of a log on its way into a world, which is made if it is not there yet."""

from __future__ import annotations

from sqlalchemy import Connection

from talekeeper.loops.creation import create_empty
from talekeeper.loops.intents import Hear
from talekeeper.loops.scene import commands
from talekeeper.loops.scene.work import Services
from talekeeper.timeline.ids import scene_id
from talekeeper.timeline.lineage import get_timeline
from talekeeper.timeline.vocabulary import Draft
from talekeeper.timeline.worlds import find_world


def heard(conn: Connection, services: Services, world: str, drafts: tuple[Draft, ...]) -> int:
    """How many of them the world did not know yet."""
    found = find_world(conn, world) or create_empty(conn, services, world, 0)
    before = get_timeline(conn, world, found.active).head
    intent = Hear(world=world, by="fleet", scene=scene_id(found.active, 1), drafts=drafts)
    return sum(event.seq > before for event in commands.hear(conn, services, intent))
