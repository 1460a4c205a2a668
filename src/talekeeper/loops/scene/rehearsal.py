"""A turn that is only rehearsed: read, resolved, ready to be told. Nothing is written and no model is asked."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from talekeeper.agents.resolver import Resolver
from talekeeper.errors import BadInput
from talekeeper.loops.intents import Act
from talekeeper.loops.running import RunningTurn
from talekeeper.loops.scene.acceptance import clean_action
from talekeeper.loops.scene.load_context import context_of
from talekeeper.loops.scene.work import Resolution, Services, TurnWork, encode
from talekeeper.timeline.ids import turn_id
from talekeeper.timeline.lineage import get_timeline, path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.turns import Turn, last_turn
from talekeeper.timeline.vocabulary import ActionTaken
from talekeeper.timeline.worlds import World, get_world


async def rehearse(services: Services, intent: Act) -> TurnWork:
    """The turn this action would be. The dice fall as they would, since they are seeded."""
    intent = msgspec.structs.replace(intent, text=clean_action(intent.text))
    world, turn = await services.store.read(lambda conn: _next_turn(conn, intent))
    work = TurnWork(services, world, turn, RunningTurn(turn.world, turn.id))
    manifest = await services.store.read(lambda conn: context_of(conn, work))
    situation = await work.situation()
    resolver = Resolver(services.resolver(world).pack)
    judgement = await resolver.judge(situation, intent.text)
    roll = resolver.throw(judgement.check, situation.seed) if judgement.check else None
    outcome = resolver.settle(situation, judgement, roll)
    action = ActionTaken(actor=turn.actor, text=intent.text, verb=judgement.verb)
    resolution = Resolution(action, judgement.check, roll, outcome)
    work.turn = msgspec.structs.replace(turn, manifest=encode(manifest), outcome=encode(resolution), state="resolved")
    return work


async def recollect(services: Services, slug: str) -> TurnWork | None:
    """The last turn as it was when it was told; None before the first."""

    def read(conn: Connection) -> tuple[World, Turn | None]:
        world = get_world(conn, slug)
        return world, last_turn(conn, path(conn, slug, world.active))

    world, turn = await services.store.read(read)
    return TurnWork(services, world, turn, RunningTurn(turn.world, turn.id)) if turn else None


def _next_turn(conn: Connection, intent: Act) -> tuple[World, Turn]:
    world = get_world(conn, intent.world)
    timeline = get_timeline(conn, world.slug, intent.timeline or world.active)
    snapshot = latest_snapshot(conn, path(conn, world.slug, timeline.id))
    actor = intent.actor or world.player
    if snapshot is None or not actor:
        raise BadInput(f"Nobody plays in {world.slug}.", "Start a world from a preset: `talekeeper play --preset ...`.")
    number = snapshot.turn_number + 1
    return world, Turn(
        world=world.slug, id=turn_id(timeline.id, number), timeline=timeline.id, scene=snapshot.scene, number=number,
        actor=actor, intent=msgspec.json.encode(intent).decode(), base_seq=timeline.head, accepted_at=0.0,
    )  # fmt: skip
