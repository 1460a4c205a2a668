"""/pictures: the tree of timelines and the ties between people, as SVG."""

from __future__ import annotations

import asyncio

from fastapi import Response
from sqlalchemy import Connection

from talekeeper.canon.predicates import RELATIONS
from talekeeper.canon.view import CanonView
from talekeeper.doors.common.seats import Seat
from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.entrance import TheHouse, Watching
from talekeeper.doors.web.pictures.relation_graph import Soul, Tie, relation_graph
from talekeeper.doors.web.pictures.timeline_tree import Branch, timeline_tree
from talekeeper.doors.web.timelines import timelines
from talekeeper.timeline.lineage import path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.worlds import get_world

router = api_router("/worlds/{world}/pictures", "pictures")

_SVG: dict[int | str, dict[str, object]] = {200: {"content": {"image/svg+xml": {}}, "description": "A picture."}}


@router.get("/timelines.svg", summary="The tree of timelines", response_class=Response, responses=_SVG)
async def tree(seat: Watching, house: TheHouse) -> Response:
    branches = [
        Branch(
            id=line.id, name=line.name, parent=line.parent, fork_turn=line.fork_turn, reason=line.reason,
            turns=line.turns, active=line.active,
        )
        for line in await timelines(seat, house)
    ]  # fmt: skip
    return _sent(timeline_tree(branches))


@router.get("/relations.svg", summary="Who feels what for whom", response_class=Response, responses=_SVG)
async def relations(seat: Watching, house: TheHouse) -> Response:
    souls, ties = await house.store.read(lambda conn: _ties(conn, seat))
    return _sent(await asyncio.to_thread(relation_graph, souls, ties))


def _ties(conn: Connection, seat: Seat) -> tuple[list[Soul], list[Tie]]:
    """What people feel for each other is the game master's to see; a player sees what they feel for the player's character."""
    world = get_world(conn, seat.world)
    view = CanonView(conn, path(conn, world.slug, world.active))
    snapshot = latest_snapshot(conn, view.path)
    here = set(snapshot.participants) if snapshot else set()
    actor = seat.actor or world.player
    souls = [
        Soul(person, view.name(person), present=person in here, player=person == actor)
        for person in view.entities("person")
    ]  # fmt: skip
    ties = [
        Tie(fact.subj, fact.slot, relation, int(fact.obj))
        for relation in RELATIONS
        for fact in view.with_predicate(relation)
        if seat.may("run") or fact.slot == actor
    ]
    return souls, [tie for tie in ties if tie.value]


def _sent(picture: str) -> Response:
    return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})
