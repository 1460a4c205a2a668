"""Who tells the story and who advises the rules: a model where one is configured, else the built-in storyteller alone."""

from __future__ import annotations

from talekeeper.agents.model_teller import ModelTeller
from talekeeper.agents.resolver import Adviser
from talekeeper.agents.resolver.model_adviser import ModelAdviser
from talekeeper.agents.storyteller import Storyteller
from talekeeper.agents.teller import Teller
from talekeeper.app.models import Models


def choose_teller(models: Models) -> Teller:
    narrator, voice = models.of("narrator"), models.of("npc_voice")
    return ModelTeller(narrator, voice, brief=models.small) if narrator and voice else Storyteller()


def choose_adviser(models: Models) -> Adviser | None:
    # The small model in this process is slower at judging than the rules, and no better.
    model = None if models.small else models.of("resolver")
    return ModelAdviser(model) if model else None
