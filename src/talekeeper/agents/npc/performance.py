"""One turn of a game's NPC: what it is given, and the port of whoever speaks for it (a model, or the storyteller)."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any, Protocol

import msgspec

from talekeeper.agents.npc.sheet import Sheet
from talekeeper.agents.npc.stimulus import Stimulus
from talekeeper.llm.model import Delta, ToolCall


class Said(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tag as it was performed."""

    tag: str
    text: str = ""
    attrs: dict[str, Any] = msgspec.field(default_factory=dict)


class ToolUse(msgspec.Struct, frozen=True, omit_defaults=True):
    """A call the game was asked to carry out, and what came of it; `ok` is None while nobody knows."""

    call: ToolCall
    ok: bool | None = None
    content: str = ""


class Exchange(msgspec.Struct, frozen=True, omit_defaults=True):
    """A past turn: what the NPC perceived, and what it then did. Without `perceived` it went on from tool results."""

    perceived: str
    said: tuple[Said, ...] = ()
    tools: tuple[ToolUse, ...] = ()
    cut_short: bool = False
    confirmed: bool = True


class Performance(msgspec.Struct, frozen=True, kw_only=True):
    """What this NPC knows and nothing else: its own sheet, open facts, its memories, its feelings, the moment."""

    entity: str
    sheet: Sheet
    stimulus: Stimulus
    noticed: tuple[str, ...] = ()
    """What it noticed since its last turn, without being asked to answer."""
    history: tuple[Exchange, ...] = ()
    continues: tuple[ToolUse, ...] = ()
    """Tool results this turn goes on from; empty for an answer to the stimulus itself."""
    attitude: str = "guarded"
    """warm, guarded or hostile towards the source."""
    mood: str = ""
    grievance: str = ""
    """Why it feels so, where the engine knows."""
    met_before: bool = False
    knows: tuple[str, ...] = ()
    remembers: tuple[str, ...] = ()
    """What it recalls of this, strongest first."""
    may_call_tools: bool = True
    seed: int


class Speaking(msgspec.Struct, frozen=True):
    """An answer about to be given: what the speaker read (for the log), and its words as they come."""

    read: Any
    deltas: AsyncGenerator[Delta, None]


class NpcSpeaker(Protocol):
    @property
    def name(self) -> str:
        """Told to the game with every turn."""

    def speak(self, performance: Performance) -> Speaking:
        """Nothing happens until the words are asked for."""
