"""Somebody new at the table brings a character: one accepted decision, on the timeline that is being played."""

from __future__ import annotations

from sqlalchemy import Connection

from talekeeper.canon.updater import propose
from talekeeper.canon.validators import Update
from talekeeper.canon.view import CanonView
from talekeeper.errors import BadInput
from talekeeper.loops.scene.acceptance import clean_action
from talekeeper.loops.scene.work import Services
from talekeeper.timeline.append import lock_head
from talekeeper.timeline.ids import slugify
from talekeeper.timeline.lineage import path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.vocabulary import Claim, Draft, ProposalDecided
from talekeeper.timeline.worlds import get_world

_ROLE = "world_builder"
_MOST_NAME = 80


def bring_character(conn: Connection, services: Services, world: str, name: str, *, by: str) -> str:
    """A person beside the player's own, as able as they are; gives its id. Nobody who is there already is taken over."""
    name = clean_action(name)[:_MOST_NAME]
    found = get_world(conn, world)
    if not found.player:
        raise BadInput(f"Nobody plays in {world}.", "Start a world from a preset.")
    lock_head(conn, world, found.active)
    view = CanonView(conn, path(conn, world, found.active))
    base = slugify(name, "guest")
    who = next(
        wish for n in range(1, 1000) if not view.exists(wish := f"person/{base}" if n == 1 else f"person/{base}-{n}")
    )
    _settle(conn, services, view, found.active, who, name, by)
    return who


def bring_back(conn: Connection, services: Services, world: str, who: str, name: str, *, by: str) -> None:
    """The same character on a timeline where it never came: somebody went back to before."""
    found = get_world(conn, world)
    lock_head(conn, world, found.active)
    view = CanonView(conn, path(conn, world, found.active))
    if not view.exists(who):
        _settle(conn, services, view, found.active, who, name, by)


def _settle(conn: Connection, services: Services, view: CanonView, timeline: str, who: str, name: str, by: str) -> None:
    world = get_world(conn, view.path.world)
    place = view.text(world.player, "at")
    claims = (
        Claim(who, "name", name),
        Claim(who, "about", f"{name} is {view.name(world.player)}'s companion."),
        *(Claim(who, "stat", fact.obj, slot=fact.slot) for fact in view.many(world.player, "stat")),
        *((Claim(who, "at", place),) if place else ()),
    )
    (decided,) = propose(view, _ROLE, [Update(claims, f"{name} joins the table")], decide=True)
    if not isinstance(decided, ProposalDecided) or decided.decision != "accepted":
        raise BadInput(f"{name} cannot join: {getattr(decided, 'reason', '')}", "Try another name.")
    snapshot = latest_snapshot(conn, view.path)
    draft = Draft(
        body=decided, by=by, scene=snapshot.scene if snapshot else None, story_time=view.now, place=place or None
    )
    services.appender.append(conn, world.slug, timeline, [draft])
