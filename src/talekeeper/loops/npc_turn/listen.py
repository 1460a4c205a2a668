"""What an NPC only notices: it is appended and remembered, and no turn follows."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from talekeeper.agents.npc.stimulus import Stimulus
from talekeeper.canon.view import CanonView
from talekeeper.loops.npc_turn import binding
from talekeeper.loops.npc_turn.begin import heard_key, scene_of, witnesses
from talekeeper.loops.npc_turn.hearing import happening
from talekeeper.loops.npc_turn.regard import react
from talekeeper.loops.scene.work import Services
from talekeeper.timeline.append import lock_head
from talekeeper.timeline.lineage import path
from talekeeper.timeline.vocabulary import PUBLIC, Draft, SessionClosed
from talekeeper.timeline.worlds import find_world


class Listen(msgspec.Struct, frozen=True, kw_only=True):
    world: str
    agents: tuple[str, ...]
    """The game's ids of those who notice it; empty means everybody."""
    session: str
    event: str
    stimulus: Stimulus


def listen(conn: Connection, services: Services, intent: Listen) -> None:
    world = binding.ensure_world(conn, services, intent.world)
    lock_head(conn, world.slug, world.active)
    view = CanonView(conn, path(conn, world.slug, world.active))
    source = binding.source_entity(intent.stimulus.source)
    entities = tuple(dict.fromkeys(map(binding.entity_of, intent.agents)))
    first = entities[0] if entities else ""
    body = happening(intent.stimulus, first, view.name(first) if len(entities) == 1 else "everybody")
    drafts = [Draft(body=b, by=binding.ROLE) for b in binding.introduce_source(view, intent.stimulus.source)]
    drafts.append(
        Draft(
            body=body, by=source, witnesses=witnesses(source, *entities) if entities else PUBLIC,
            scene=scene_of(world, first) if len(entities) == 1 else None,
            idem=heard_key(intent.session, intent.event, first if len(entities) == 1 else "*"),
        )
    )  # fmt: skip
    if len(entities) == 1 and view.exists(first):
        drafts += [Draft(body=b, by="rules") for b in react(view, first, source, intent.stimulus)]
    services.appender.append(conn, world.slug, world.active, drafts)


class Leave(msgspec.Struct, frozen=True, kw_only=True):
    world: str
    session: str
    reason: str


def leave(conn: Connection, services: Services, intent: Leave) -> None:
    """The end of a session that had a beginning."""
    world = find_world(conn, intent.world)
    if world is not None:
        closed = SessionClosed(session=intent.session, reason=intent.reason)
        draft = Draft(body=closed, by="game", idem=f"session:{intent.session}:closed")
        services.appender.append(conn, world.slug, world.active, [draft])
