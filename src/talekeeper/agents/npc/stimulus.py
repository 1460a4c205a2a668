"""Something that happens to an NPC: words, a deed, an arrival, a gift, a blow."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from talekeeper.agents.npc.sheet import Id, Short, in_words

Kind = Literal[
    "player_said", "player_did", "approach", "leave", "gave_item", "attacked", "npc_said", "timer", "custom",
]  # fmt: skip
SPOKEN: frozenset[Kind] = frozenset({"player_said", "npc_said"})


class Source(msgspec.Struct, frozen=True):
    id: Id
    name: Short | None = None
    kind: Literal["player", "npc", "world"] = "player"

    @property
    def called(self) -> str:
        return self.name or self.id


class Stimulus(msgspec.Struct, frozen=True):
    kind: Kind
    source: Source
    text: Annotated[str, Meta(max_length=16_000)] | None = None
    data: Any = None
    salience: float | None = None
    location: Any = None
    game_time: Any = None

    @property
    def spoken(self) -> bool:
        return self.kind in SPOKEN and bool(self.text)

    @property
    def item(self) -> str:
        """What was given."""
        if isinstance(self.data, dict):
            given = self.data.get("item", self.data.get("item_name", self.data.get("name")))
            return in_words(given)
        return ""


def deed(stimulus: Stimulus, npc: str) -> str:
    """What was done, as a sentence without its subject; for a happening of the world, the whole sentence."""
    text = (stimulus.text or "").strip()
    match stimulus.kind:
        case "approach":
            return text or f"comes up to {npc}"
        case "leave":
            return text or f"walks away from {npc}"
        case "gave_item":
            given = f"gives {npc} {stimulus.item or 'something'}"
            return f"{given}: {text}" if text else given
        case "attacked":
            return f"attacks {npc}: {text}" if text else f"attacks {npc}"
        case "timer":
            return text or "some time passes"
    return text or in_words(stimulus.data) or "something happens"


def perceived(stimulus: Stimulus, npc: str) -> str:
    """The stimulus as one line of a prompt."""
    who = stimulus.source.called
    when = f"[{in_words(stimulus.game_time)}] " if stimulus.game_time is not None else ""
    if stimulus.spoken:
        return f"{when}{who} says to {npc}: {stimulus.text}"
    if stimulus.source.kind == "world" or stimulus.kind in ("timer", "custom"):
        return f"{when}{deed(stimulus, npc)}"
    return f"{when}{who} {deed(stimulus, npc)}"
