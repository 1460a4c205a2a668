"""The beginning of a world: its first timeline, everybody and everything in it, the opening scene. One transaction."""

from __future__ import annotations

from sqlalchemy import Connection

from talekeeper.canon.updater import propose
from talekeeper.canon.validators import Update
from talekeeper.canon.view import CanonView
from talekeeper.errors import BadInput
from talekeeper.loops.scene.work import Services
from talekeeper.presets.claims import world_claims
from talekeeper.presets.preset import Preset
from talekeeper.timeline.ids import entity_kind, scene_id, slugify
from talekeeper.timeline.lineage import create_first_timeline, path
from talekeeper.timeline.snapshots import WorldSnapshot, keep_snapshot
from talekeeper.timeline.vocabulary import Draft, NarrationTold, ProposalDecided, SceneOpened, WorldCreated
from talekeeper.timeline.worlds import World, create_world, list_worlds

FIRST = "t1"
_BUILDER = "world_builder"


def free_slug(conn: Connection, wish: str) -> str:
    """The wished-for name, or the next free one with a number."""
    taken = {world.slug for world in list_worlds(conn)}
    base = slugify(wish, "world")
    return next(slug for n in range(1, len(taken) + 2) if (slug := base if n == 1 else f"{base}-{n}") not in taken)


def create_from_preset(
    conn: Connection, services: Services, preset: Preset, slug: str, seed: int, title: str = ""
) -> World:
    card = preset.card
    world = _begin(
        conn, services, slug, title or card.title, seed, preset=card.id, rules=card.rules, player=preset.player
    )
    view = CanonView(conn, path(conn, slug, FIRST))
    bodies = propose(view, _BUILDER, [Update(claims, why) for why, claims in world_claims(preset)], decide=True)
    refused = [b for b in bodies if isinstance(b, ProposalDecided) and b.decision != "accepted"]
    if refused:
        raise BadInput(
            f"The preset {card.id} contradicts itself: {refused[0].reason}", "Run `talekeeper preset check`."
        )
    _append(services, conn, slug, [Draft(body=body, by=_BUILDER) for body in bodies])
    place = view.text(preset.player, "at")
    people = tuple(e for e in view.pointing_at("at", place) if entity_kind(e) == "person")
    scene = scene_id(FIRST, 1)
    opened, told = _append(
        services, conn, slug,
        [
            Draft(body=SceneOpened(scene=scene, place=place, participants=people), by=_BUILDER, scene=scene,
                  story_time=view.now, place=place),
            Draft(body=NarrationTold(text=card.opening.strip(), teller="preset"), by="narrator", scene=scene,
                  witnesses=(preset.player,), story_time=view.now, place=place),
        ],
    )  # fmt: skip
    snapshot = WorldSnapshot(
        scene=scene, scene_seq=opened, scene_turns=0, turn_number=0, place=place, now=view.now,
        weather=view.text("world", "weather"), participants=people,
    )  # fmt: skip
    keep_snapshot(conn, slug, FIRST, told, snapshot)
    return world


def create_empty(conn: Connection, services: Services, slug: str, seed: int, title: str = "") -> World:
    """A world nobody plays in yet: a channel's, a game's, a fleet's. It fills by what is heard."""
    world = _begin(conn, services, slug, title or slug, seed)
    scene = scene_id(FIRST, 1)
    (opened,) = _append(services, conn, slug, [Draft(body=SceneOpened(scene=scene), by=_BUILDER, scene=scene)])
    empty = WorldSnapshot(
        scene=scene, scene_seq=opened, scene_turns=0, turn_number=0, place="", now=0, weather="", participants=()
    )
    keep_snapshot(conn, slug, FIRST, opened, empty)
    return world


def _begin(
    conn: Connection,
    services: Services,
    slug: str,
    title: str,
    seed: int,
    *,
    preset: str = "",
    rules: str = "simple-d20",
    player: str = "",
) -> World:
    now = services.clock()
    world = create_world(conn, World(slug, title, seed, preset, rules, player, FIRST, now, now))
    create_first_timeline(conn, slug, now)
    created = WorldCreated(title=title, seed=seed, preset=preset, rules=rules, player=player)
    _append(services, conn, slug, [Draft(body=created, by="owner")])
    return world


def _append(services: Services, conn: Connection, slug: str, drafts: list[Draft]) -> list[int]:
    return [event.seq for event in services.appender.append(conn, slug, FIRST, drafts)]
