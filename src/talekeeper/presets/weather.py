"""Which weather a preset's sky brings: a function of the world's seed and the hour, so that a replay sees the same sky."""

from __future__ import annotations

import random

from talekeeper.presets.preset import PresetCard

SPELL = 6 * 60
"""Minutes a weather holds."""


def weather_at(card: PresetCard, seed: int, now: int) -> str:
    """The first spell keeps the weather the story begins with."""
    spell = now // SPELL
    if spell <= card.start.at // SPELL:
        return card.start.weather
    skies = [sky.id for sky in card.weathers]
    weights = [sky.weight for sky in card.weathers]
    return random.Random(f"{seed}:{spell}").choices(skies, weights)[0]
