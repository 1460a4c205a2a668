"""Which of a game's own tags is for speech, which for a look, which for a deed: read from their names and descriptions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from talekeeper.agents.npc.sheet import TagDeclaration

Part = Literal["speech", "look", "deed", "other"]

_NAMES: dict[Part, frozenset[str]] = {
    "speech": frozenset(
        "say says speak speaks speech talk dialog dialogue line voice utter reply answer whisper shout tell text".split()
    ),
    "look": frozenset(
        "emote emotion expression face mood feeling gesture anim animation pose look tone reaction".split()
    ),
    "deed": frozenset("action act acts do does deed perform move movement".split()),
}
_WORDS: dict[Part, re.Pattern[str]] = {
    "speech": re.compile(r"\b(?:spoken|speech|dialogue|says?|said|voice|words)\b", re.IGNORECASE),
    "look": re.compile(r"\b(?:expression|emotion|gesture|facial|animation|feeling|tone)\b", re.IGNORECASE),
    "deed": re.compile(r"\b(?:actions?|does|deeds?|movement|physical)\b", re.IGNORECASE),
}


def part_of(tag: TagDeclaration) -> Part:
    words = set(re.split(r"[_:.\-]", tag.key))
    for part, names in _NAMES.items():
        if words & names:
            return part
    for part, pattern in _WORDS.items():
        if tag.description and pattern.search(tag.description):
            return part
    return "other"


def cast(tags: Sequence[TagDeclaration]) -> dict[str, Part]:
    """The part of each tag, by its key. There is always speech: an NPC that cannot speak speaks in its first tag."""
    parts = {tag.key: part_of(tag) for tag in tags}
    if "speech" not in parts.values():
        mute = next((tag for tag in tags if tag.stream and parts[tag.key] == "other"), tags[0])
        parts[mute.key] = "speech"
    return parts
