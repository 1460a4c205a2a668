"""What an NPC is given for a turn: its sheet, what canon lets it know, what it remembers and feels, the talk so far."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection

from talekeeper.agents.context import knowledge
from talekeeper.agents.npc.performance import Performance, ToolUse
from talekeeper.agents.npc.sheet import Sheet
from talekeeper.agents.npc.stimulus import Stimulus
from talekeeper.agents.situate import read_person
from talekeeper.canon.facts import Fact
from talekeeper.canon.predicates import RELATIONS
from talekeeper.canon.view import CanonView
from talekeeper.loops.npc_turn import record
from talekeeper.loops.npc_turn.history import exchanges
from talekeeper.loops.npc_turn.record import GameTurn
from talekeeper.loops.npc_turn.regard import BAD_MOODS
from talekeeper.memory.recall import Recalled, recall
from talekeeper.rules.dice import turn_seed
from talekeeper.timeline.events import get_event
from talekeeper.timeline.ids import WORLD_ENTITY
from talekeeper.timeline.lineage import path
from talekeeper.timeline.vocabulary import ProposalDecided
from talekeeper.timeline.worlds import get_world

RECENT_TURNS = 24
_MEMORIES = 8
_TOLD_OTHERWISE = frozenset({"about", "role", "voice", "goal", "at", "mood", *RELATIONS})
"""What the sheet says of the NPC itself, and feelings: they are told in words."""


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """A turn that has begun, and what of it is not in the record."""

    turn: GameTurn
    sheet: Sheet
    stimulus: Stimulus
    noticed: tuple[str, ...] = ()
    continues: tuple[ToolUse, ...] = ()
    may_call_tools: bool = True


def performance_of(conn: Connection, look: Look) -> Performance:
    turn = look.turn
    world = get_world(conn, turn.world)
    past = path(conn, turn.world, turn.timeline)
    view = CanonView(conn, past)
    before = [t for t in record.newest(conn, past, turn.entity, RECENT_TURNS + 1) if t.id != turn.id]
    history, unanswered = exchanges(before[-RECENT_TURNS:])
    source = turn.body.source
    person = read_person(view, turn.entity, source)
    cue = " ".join(filter(None, (look.stimulus.text, look.stimulus.source.called, *look.noticed)))
    remembered = recall(conn, past, turn.entity, cue, limit=_MEMORIES * 2)
    return Performance(
        entity=turn.entity, sheet=look.sheet, stimulus=look.stimulus,
        noticed=tuple(filter(None, (unanswered, *look.noticed))), history=history, continues=look.continues,
        attitude=person.attitude, mood=person.mood, grievance=_grievance(conn, view, turn.entity),
        met_before=any(t.body.source == source for t in before),
        knows=_knows(view, turn.entity, source), remembers=_new(view, remembered, look, history),
        may_call_tools=look.may_call_tools, seed=turn_seed(world.seed, turn.id),
    )  # fmt: skip


def _grievance(conn: Connection, view: CanonView, entity: str) -> str:
    """Why the mood is bad: the reason of the decision that made it so."""
    mood: Fact | None = view.fact(entity, "mood")
    if mood is None or mood.obj not in BAD_MOODS:
        return ""
    decided = get_event(conn, view.path.world, mood.event).body
    return decided.reason if isinstance(decided, ProposalDecided) else ""


def _knows(view: CanonView, entity: str, source: str) -> tuple[str, ...]:
    """Open facts of its own world, beyond what its own sheet says of itself."""
    place = view.text(entity, "at")
    around = [e for e in (place, source) if e and e != WORLD_ENTITY]
    own = {view.say(fact) for fact in view.facts_of(entity) if fact.pred in _TOLD_OTHERWISE}
    return tuple(known for known in knowledge(view, entity, around) if known not in own)


def _new(view: CanonView, remembered: Sequence[Recalled], look: Look, history: Sequence[object]) -> tuple[str, ...]:
    """Memories that are not in the conversation anyway."""
    shown = look.turn.body.perceived + "".join(map(str, history))
    told = (f"{view.name(m.speaker)}: {m.text}" if m.speaker else m.text for m in remembered if m.text not in shown)
    return tuple(told)[:_MEMORIES]
