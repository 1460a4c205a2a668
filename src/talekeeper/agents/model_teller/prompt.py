"""What is sent to a model for one call: a system text that stays the same from turn to turn, and the turn itself."""

from __future__ import annotations

import msgspec

from talekeeper.agents.prompts.blocks import block, bullets
from talekeeper.errors import NotFound
from talekeeper.llm.model import Message
from talekeeper.presets.calendar import PLAIN_CALENDAR, time_name
from talekeeper.presets.library import load_card
from talekeeper.presets.preset import PresetCard


class Prompt(msgspec.Struct, frozen=True):
    system: str
    turn: str

    @property
    def messages(self) -> tuple[Message, ...]:
        """Two, since many local templates take no more than one of each kind before an answer."""
        return Message("system", self.system), Message("user", self.turn)


def world_blocks(premise: tuple[str, ...], tone: str, card: PresetCard | None) -> str:
    """What is the same every turn: the world, its tone, its lines and veils."""
    lines, veils = (card.lines, card.veils) if card else ((), ())
    never = f"Never happens:\n{bullets(lines)}" if lines else ""
    veiled = f"Happens out of sight:\n{bullets(veils)}" if veils else ""
    blocks = (block("world", *premise), block("tone", tone), block("boundaries", never, veiled))
    return "\n".join(filter(None, blocks))


def hour(now: int, weather: str, card: PresetCard | None) -> str:
    names = {sky.id: sky.name for sky in card.weathers} if card else {}
    sky = f" The sky: {names.get(weather, weather)}." if weather else ""
    return f"It is {time_name(card.calendar if card else PLAIN_CALENDAR, now)}.{sky}"


def find_card(preset: str) -> PresetCard | None:
    """None for a world without a preset, or whose preset is not on this machine."""
    try:
        return load_card(preset) if preset else None
    except NotFound:
        return None
