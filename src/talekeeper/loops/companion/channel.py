"""A channel is a world: its name, the world's, and who the companion is in it."""

from __future__ import annotations

import hashlib
import re
import zlib

from sqlalchemy import Connection

from talekeeper.errors import BadInput
from talekeeper.loops.creation import create_empty
from talekeeper.loops.scene.work import Services
from talekeeper.timeline.ids import slugify
from talekeeper.timeline.worlds import World, find_world

COMPANION = "person/companion"
"""Who remembers what was said in the chat: the witness of every line that is kept."""
MOST_NAME = 60
_PREFIX = "channel-"
_PLAIN = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,50}[a-z0-9])?\Z")


def channel_name(text: str) -> str:
    """Trimmed, in small letters, without the `#`."""
    name = text.strip().lstrip("#").strip().lower()
    if not name or len(name) > MOST_NAME or not name.isprintable() or " " in name:
        raise BadInput("That cannot be a channel's name.", f"One word of up to {MOST_NAME} characters.")
    return name


def is_channel(world: str) -> bool:
    return world.startswith(_PREFIX)


def world_of(channel: str) -> str:
    """Names that are slugs keep their form; others get one that no two share."""
    if _PLAIN.match(channel):
        return f"{_PREFIX}{channel}"
    mark = hashlib.blake2b(channel.encode("utf-8", "replace"), digest_size=3).hexdigest()
    return f"{_PREFIX}{slugify(channel)[:40].strip('-')}-{mark}"


def ensure_world(conn: Connection, services: Services, channel: str) -> World:
    slug = world_of(channel)
    return find_world(conn, slug) or create_empty(
        conn, services, slug, zlib.crc32(slug.encode()), f"The channel {channel}"
    )
