"""The readable ids of a world: timeline t2, event t2@57, scene t2/s3, turn t2#14, entity person/mara."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from talekeeper.errors import BadInput

ENTITY_KINDS = ("person", "place", "item", "faction", "event", "concept")
WORLD_ENTITY = "world"
"""The one entity without a kind: facts about the world itself (its time, weather, axioms)."""

_EVENT = re.compile(r"(t[1-9][0-9]*)@([1-9][0-9]*)\Z")
_TURN = re.compile(r"(t[1-9][0-9]*)#([0-9]+)\Z")
_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?\Z")
_ENTITY = re.compile(rf"(?:{'|'.join(ENTITY_KINDS)})/[a-z0-9](?:[a-z0-9_-]{{0,94}})\Z")


class EventRef(NamedTuple):
    timeline: str
    seq: int


def event_id(timeline: str, seq: int) -> str:
    return f"{timeline}@{seq}"


def parse_event_id(text: str) -> EventRef:
    match = _EVENT.match(text)
    if match is None:
        raise BadInput(f"{text!r} is not an event id.", "Event ids look like t2@57.")
    return EventRef(match[1], int(match[2]))


def turn_id(timeline: str, number: int) -> str:
    return f"{timeline}#{number}"


def parse_turn_id(text: str) -> tuple[str, int]:
    match = _TURN.match(text)
    if match is None:
        raise BadInput(f"{text!r} is not a turn id.", "Turn ids look like t2#14.")
    return match[1], int(match[2])


def scene_id(timeline: str, number: int) -> str:
    return f"{timeline}/s{number}"


def is_entity(text: str) -> bool:
    return text == WORLD_ENTITY or _ENTITY.match(text) is not None


def entity_kind(entity: str) -> str:
    return entity.partition("/")[0]


def slugify(text: str, fallback: str = "unnamed") -> str:
    """A short ASCII slug of a name; names in other scripts keep a stable hexadecimal form of their letters."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].strip("-")
    if slug:
        return slug
    letters = "".join(c for c in text if c.isalnum())
    return letters.encode()[:24].hex() if letters else fallback


def check_world_slug(slug: str) -> str:
    if _SLUG.match(slug) is None:
        raise BadInput(
            f"{slug[:80]!r} cannot be the name of a world.",
            "Use up to 64 small letters, digits and hyphens, such as old-harbour.",
        )
    return slug
