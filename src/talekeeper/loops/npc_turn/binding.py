"""Who a game's ids are in the world: each agent, player and place of a game is an entity, made when first met."""

from __future__ import annotations

import hashlib
import re
import unicodedata
import zlib
from collections.abc import Iterable

from sqlalchemy import Connection

from talekeeper.agents.npc.sheet import Spec, State, in_words
from talekeeper.agents.npc.stimulus import Source
from talekeeper.canon.updater import Proposed, propose
from talekeeper.canon.validators import MAX_TEXT, Update
from talekeeper.canon.view import CanonView
from talekeeper.loops.creation import create_empty
from talekeeper.loops.scene.work import Services
from talekeeper.timeline.ids import WORLD_ENTITY, is_entity, slugify
from talekeeper.timeline.vocabulary import Claim
from talekeeper.timeline.worlds import World, find_world

ROLE = "game"
_PLAIN = re.compile(r"[a-z0-9][a-z0-9_-]{0,80}\Z")
_REGARD = (
    (re.compile(r"love|devoted|adore|dear", re.IGNORECASE), {"affection": 60, "trust": 40}),
    (re.compile(r"friend|fond|like|warm|kind|trust", re.IGNORECASE), {"affection": 25, "trust": 25}),
    (re.compile(r"respect|admir|loyal", re.IGNORECASE), {"respect": 40, "trust": 15}),
    (re.compile(r"fear|afraid|scared|terrif", re.IGNORECASE), {"fear": 50, "trust": -15}),
    (re.compile(r"hate|hostile|enem|loath|despis", re.IGNORECASE), {"affection": -50, "trust": -40}),
    (re.compile(r"dislike|distrust|suspicio|wary|rival|resent|annoy", re.IGNORECASE), {"affection": -15, "trust": -20}),
)  # fmt: skip
_UNKIND = re.compile(r"\b(?:not|no|un|dis)\b|\bun(?:friend|kind|trust)|dislike|distrust", re.IGNORECASE)


def entity_of(game_id: str, kind: str = "person") -> str:
    """The entity a game's id stands for. Ids that are slugs keep their name; others get one that no two share."""
    if is_entity(game_id) and game_id.startswith(f"{kind}/"):
        return game_id
    if _PLAIN.match(game_id):
        return f"{kind}/{game_id}"
    mark = hashlib.blake2b(game_id.encode(), digest_size=4).hexdigest()
    return f"{kind}/{slugify(game_id)[:60]}-{mark}"


def source_entity(source: Source) -> str:
    return WORLD_ENTITY if source.kind == "world" else entity_of(source.id)


def ensure_world(conn: Connection, services: Services, slug: str) -> World:
    """The world of that name; a game's own world is made when it is first entered."""
    return find_world(conn, slug) or create_empty(conn, services, slug, zlib.crc32(slug.encode()), f"The game {slug}")


def introduce_source(view: CanonView, source: Source) -> list[Proposed]:
    entity = source_entity(source)
    if view.exists(entity):
        return []
    return propose(
        view, ROLE, [Update((Claim(entity, "name", _named(source.called, entity)),), "met in a game")], decide=True
    )


def introduce_agent(view: CanonView, entity: str, spec: Spec) -> list[Proposed]:
    """An NPC nobody knew yet, as its first snapshot describes it. One that canon knows keeps what canon says."""
    if view.exists(entity):
        return []
    why = "first met in a game"
    claims = [Claim(entity, "name", _named(spec.name, entity)), *_character(entity, spec)]
    known: list[Claim] = []
    ties = spec.relationships or ()
    for tie in ties:
        other = entity_of(tie.id)
        if other != entity and not view.exists(other) and all(other != claim.subj for claim in known):
            known.append(Claim(other, "name", _named(tie.name or tie.id, other)))
    regard = [
        Claim(entity, pred, value, slot=entity_of(tie.id))
        for tie in {entity_of(t.id): t for t in ties if entity_of(t.id) != entity}.values()
        for pred, value in _first_regard(tie.attitude or "").items()
    ]
    return propose(view, ROLE, [Update((claim,), why) for claim in (*claims, *known, *regard)], decide=True)


def _character(entity: str, spec: Spec) -> Iterable[Claim]:
    for pred, text in (
        ("role", spec.role),
        ("about", " ".join(filter(None, (spec.persona, spec.backstory)))),
        ("voice", spec.speech_style),
    ):
        if text and (clean := _clean(text, MAX_TEXT)):
            yield Claim(entity, pred, clean)
    for number, wish in enumerate(spec.goals or (), 1):
        if clean := _clean(wish, MAX_TEXT):
            yield Claim(entity, "goal", clean, slot=str(number))


def _first_regard(attitude: str) -> dict[str, int]:
    for pattern, regard in _REGARD:
        if pattern.search(attitude):
            return {p: -abs(v) if _UNKIND.search(attitude) else v for p, v in regard.items()}
    return {}


def whereabouts(view: CanonView, entity: str, state: State, before: str) -> list[Proposed]:
    """A new place, when the game says so and did not say the same before."""
    place = in_words(state.location)
    if not place or place == before:
        return []
    there = entity_of(place, "place")
    made = [] if view.exists(there) else [Update((Claim(there, "name", _named(place, there)),), "named by a game")]
    return propose(view, ROLE, [*made, Update((Claim(entity, "at", there),), "the game says so")], decide=True)


def told_mood(view: CanonView, entity: str, state: State, before: str) -> list[Proposed]:
    """A mood the game has changed. What it merely repeats does not undo what the NPC has felt since."""
    mood = _clean(state.mood or "", 200)
    if not mood or mood == before:
        return []
    return propose(view, ROLE, [Update((Claim(entity, "mood", mood),), "the game says so")], decide=True)


def _named(name: str, entity: str) -> str:
    return _clean(name, 200) or entity.partition("/")[2]


def _clean(text: str, most: int) -> str:
    """Without control characters, which canon refuses."""
    kept = "".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in text)
    return " ".join(kept.split())[:most]
