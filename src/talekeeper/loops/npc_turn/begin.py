"""A turn begins: the NPC is bound to its entity, what it heard is appended, its feelings follow, and the turn is recorded."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection

from talekeeper.agents.npc.casting import cast
from talekeeper.agents.npc.performance import ToolUse
from talekeeper.agents.npc.sheet import Sheet, in_words
from talekeeper.agents.npc.stimulus import Stimulus, perceived
from talekeeper.canon.view import CanonView
from talekeeper.loops.npc_turn import binding, record
from talekeeper.loops.npc_turn.hearing import happening
from talekeeper.loops.npc_turn.record import GameTurn, TurnBody
from talekeeper.loops.npc_turn.regard import react
from talekeeper.loops.scene.work import Services
from talekeeper.timeline.append import lock_head
from talekeeper.timeline.ids import WORLD_ENTITY, entity_kind
from talekeeper.timeline.lineage import path
from talekeeper.timeline.vocabulary import UNSEEN, Body, DeedDone, Draft, SceneOpened, SessionOpened
from talekeeper.timeline.worlds import World, touch


class Begin(msgspec.Struct, frozen=True, kw_only=True):
    world: str
    agent: str
    """The game's id of the NPC."""
    session: str
    event: str
    turn: str
    sheet: Sheet
    stimulus: Stimulus
    noticed: tuple[str, ...] = ()
    heard: bool = False
    """It was appended before: an event that waited."""
    continues: tuple[ToolUse, ...] = ()


def begin(conn: Connection, services: Services, intent: Begin) -> GameTurn:
    world = binding.ensure_world(conn, services, intent.world)
    head = lock_head(conn, world.slug, world.active)
    past = path(conn, world.slug, world.active)
    entity = binding.entity_of(intent.agent)
    source = binding.source_entity(intent.stimulus.source)
    view = CanonView(conn, past)
    before = record.newest(conn, past, entity, 1)
    last = before[0].body if before else None
    scene = scene_of(world, entity)
    name = intent.sheet.spec.name
    drafts = _Drafts(scene, entity, source)
    drafts.decided(binding.introduce_agent(view, entity, intent.sheet.spec), binding.ROLE)
    drafts.decided(binding.introduce_source(view, intent.stimulus.source), binding.ROLE)
    state = intent.sheet.state
    drafts.decided(binding.whereabouts(view, entity, state, last.game_place if last else ""), binding.ROLE)
    drafts.decided(binding.told_mood(view, entity, state, last.game_mood if last else ""), binding.ROLE)
    drafts.place = view.text(entity, "at") or None
    if intent.continues:
        for use in intent.continues:
            drafts.seen(DeedDone(actor=entity, text=_used(use)), entity)
    elif not intent.heard:
        drafts.seen(
            happening(intent.stimulus, entity, name), source, idem=heard_key(intent.session, intent.event, entity)
        )
        drafts.decided(react(view, entity, source, intent.stimulus), "rules")
    appended = services.appender.append(
        conn, world.slug, world.active, [*_opening(intent, scene, entity, drafts.place), *drafts.made]
    )
    turn = GameTurn(
        world=world.slug, id=intent.turn, entity=entity, timeline=world.active,
        seq=max(head, *(event.seq for event in appended)), started_at=services.clock(),
        body=TurnBody(
            event=intent.event, scene=scene, source=source,
            perceived="" if intent.continues else _perceived(intent, name),
            speech=tuple(key for key, part in cast(intent.sheet.tags).items() if part == "speech"),
            game_mood=state.mood or "", game_place=in_words(state.location),
        ),
    )  # fmt: skip
    record.keep(conn, turn)
    touch(conn, world.slug, services.clock())
    return turn


def heard_key(session: str, event: str, entity: str) -> str:
    """The same event of one session is taken once, however often it is sent."""
    return f"game:{session}:{event}:{entity}"


def scene_of(world: World, entity: str) -> str:
    """Each NPC of a game is a scene of its own, so that two may speak at once."""
    return f"{world.active}/npc-{entity.partition('/')[2]}"


def _opening(intent: Begin, scene: str, entity: str, place: str | None) -> list[Draft]:
    """Both are appended once, whoever comes first."""
    opened = SceneOpened(scene=scene, title=intent.sheet.spec.name, place=place or "", participants=(entity,))
    return [
        Draft(
            body=SessionOpened(session=intent.session, door="game"), by="game", idem=f"session:{intent.session}:opened"
        ),
        Draft(body=opened, by="game", scene=scene, place=place, idem=f"scene:{scene}"),
    ]


def _perceived(intent: Begin, name: str) -> str:
    return "\n".join([*intent.noticed, perceived(intent.stimulus, name)])


def _used(use: ToolUse) -> str:
    return f"{use.call.name.replace('_', ' ')}: {use.content or ('done' if use.ok else 'it did not work')}"


def witnesses(*entities: str) -> tuple[str, ...]:
    """Those who were there. The world itself sees nothing."""
    return tuple(sorted({entity for entity in entities if entity != WORLD_ENTITY and entity_kind(entity) == "person"}))


class _Drafts:
    """The events of the beginning, in the order in which they happened."""

    def __init__(self, scene: str, entity: str, source: str) -> None:
        self.made: list[Draft] = []
        self.place: str | None = None
        self._scene = scene
        self._witnesses = witnesses(entity, source)

    def decided(self, bodies: Sequence[Body], by: str) -> None:
        self.made += [Draft(body=body, by=by, scene=self._scene, witnesses=UNSEEN) for body in bodies]

    def seen(self, body: Body, by: str, idem: str | None = None) -> None:
        self.made.append(
            Draft(body=body, by=by, scene=self._scene, place=self.place, witnesses=self._witnesses, idem=idem)
        )
