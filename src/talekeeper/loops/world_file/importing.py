"""Taking a world in: every line is checked before it is stored, all of it in one transaction, so a bad file leaves nothing."""

from __future__ import annotations

from typing import BinaryIO

from sqlalchemy import Connection
from sqlalchemy.exc import DataError, IntegrityError

from talekeeper.errors import Conflict, CorruptWorld, NotFound
from talekeeper.loops.scene.work import Services
from talekeeper.loops.world_file.ancestry import Ancestry
from talekeeper.loops.world_file.events import EventIntake
from talekeeper.loops.world_file.files import COPY_AGAIN
from talekeeper.loops.world_file.lines import EventLine, Header, Progress, SnapshotLine, TimelineLine, TurnLine
from talekeeper.loops.world_file.reader import Unsound, WorldFileReader
from talekeeper.loops.world_file.turns import SnapshotIntake, TurnIntake
from talekeeper.rules.load import load_pack
from talekeeper.timeline.ids import check_world_slug, is_entity
from talekeeper.timeline.worlds import World, create_world, find_world

_TOLD_EVERY = 500


def import_world(
    conn: Connection,
    services: Services,
    source: BinaryIO,
    *,
    name: str | None = None,
    progress: Progress = lambda _done, _of: None,
) -> World:
    """A world file, packed or plain, under its own name or another. `progress` is told how many events of how many are in."""
    reader = WorldFileReader(source)
    try:
        return _take(conn, services, reader, name, progress)
    except Unsound as error:
        raise CorruptWorld(f"Line {reader.number:,} of the world file: {error}.", COPY_AGAIN) from error
    except (IntegrityError, DataError) as error:
        raise CorruptWorld(f"The world file contradicts itself: {error.orig}.", COPY_AGAIN) from error


def _take(conn: Connection, services: Services, reader: WorldFileReader, name: str | None, progress: Progress) -> World:
    header = reader.header()
    world = _world(conn, header, name, services.clock())
    ancestry = Ancestry(world.slug)
    for timeline in reader.section(TimelineLine):
        ancestry.add(timeline)
    if (len(ancestry.timelines), ancestry.events) != (header.timelines, header.events):
        raise Unsound("the timelines are not those the header promises")
    if world.active not in ancestry.timelines:
        raise Unsound(f"the active timeline {world.active} is not there")
    ancestry.store(conn, services.clock())

    events = EventIntake(conn, services.appender, world, ancestry)
    for done, event in enumerate(reader.section(EventLine)):
        events.take(event)
        if done % _TOLD_EVERY == 0:
            progress(done, header.events)
    events.end()

    snapshots = SnapshotIntake(conn, world, ancestry, events.scenes)
    for snapshot in reader.section(SnapshotLine):
        snapshots.take(snapshot)
    snapshots.end()

    turns = TurnIntake(conn, services, world, ancestry)
    for turn in reader.section(TurnLine):
        turns.take(turn)
    reader.end()
    turns.end()
    progress(header.events, header.events)
    return world


def _world(conn: Connection, header: Header, name: str | None, now: float) -> World:
    part = header.world
    if part.player and not is_entity(part.player):
        raise Unsound(f"{part.player[:80]!r} cannot be the player")
    try:
        load_pack(part.rules)
    except NotFound as error:
        raise Unsound(f"it is played by the rules {part.rules[:80]!r}, which are not here") from error
    slug = check_world_slug(part.name if name is None else name)
    if find_world(conn, slug) is not None:
        raise Conflict(f"A world named {slug} is already here.", "Import it under another name with --name.")
    # A world from tomorrow would be the last one played for ever.
    played = min(part.played_at, now)
    return create_world(
        conn,
        World(slug, part.title, part.seed, part.preset, part.rules, part.player, part.active, part.created_at, played),
    )
