"""Telling the last turn again: a fork before it, with its action, outcome and dice carried over."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from talekeeper.errors import BadInput
from talekeeper.loops.intents import Retry
from talekeeper.loops.scene.travel import leave, may_travel
from talekeeper.loops.scene.work import Services
from talekeeper.timeline.append import lock_head
from talekeeper.timeline.ids import turn_id
from talekeeper.timeline.lineage import path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.turns import LEASE_SECONDS, Turn, accept, failed_turn, last_turn, reopen_failed
from talekeeper.timeline.vocabulary import ForkReason
from talekeeper.timeline.worlds import World, get_world


def retell(conn: Connection, services: Services, intent: Retry) -> tuple[World, Turn]:
    may_travel(intent.role)
    world = get_world(conn, intent.world)
    timeline = intent.timeline or world.active
    head = lock_head(conn, world.slug, timeline)
    past = path(conn, world.slug, timeline)
    last = last_turn(conn, past)
    failed = failed_turn(conn, world.slug, timeline, after=last.number if last else 0)
    now = services.clock()
    if failed is not None:
        snapshot = latest_snapshot(conn, past)
        scene = snapshot.scene if snapshot else failed.scene
        return world, reopen_failed(conn, failed, services.owner, now, scene=scene, head=head)
    if last is None:
        raise BadInput("There is no turn to tell again yet.", "Say what you do first.")
    reason: ForkReason = "swipe" if intent.swipe else "retry"
    branch = leave(conn, services, world, timeline, last.base_seq, reason=reason)
    again = msgspec.structs.replace(
        last, id=turn_id(branch.id, last.number), timeline=branch.id, attempt=1, state="resolved",
        base_seq=branch.head, last_seq=None, manifest=None, prose=None, error=None, idem=None,
        lease_owner=services.owner, lease_until=now + LEASE_SECONDS, accepted_at=now, ended_at=None,
    )  # fmt: skip
    return get_world(conn, world.slug), accept(conn, again)
