"""The game door put together: who speaks for the NPCs, which world is open, where the logs go."""

from __future__ import annotations

from talekeeper.agents.npc.model_speaker import ModelSpeaker
from talekeeper.agents.npc.performance import NpcSpeaker
from talekeeper.agents.npc.storyteller import NpcStoryteller
from talekeeper.app.engine import Engine
from talekeeper.doors.game.hub import Hub
from talekeeper.doors.game.limits import Limits

ROLE = "game"


def game_hub(engine: Engine, speaker: NpcSpeaker | None = None) -> Hub:
    settings = engine.settings
    return Hub(
        engine,
        speaker or _speaker(engine),
        settings.logs / "game",
        world=settings.game_world,
        token_needed=settings.game_token_needed,
        speak_untagged=settings.game_untagged == "speech",
        limits=Limits(first_word_seconds=settings.model_timeout),
    )


def _speaker(engine: Engine) -> NpcSpeaker:
    model = engine.models.of(ROLE)
    return ModelSpeaker(model) if model is not None else NpcStoryteller(pace=engine.settings.game_pace)
