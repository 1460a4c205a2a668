"""Who tells the story: a model where one is configured, else the built-in storyteller."""

from __future__ import annotations

from talekeeper.agents.resolver import Adviser
from talekeeper.agents.storyteller import Storyteller
from talekeeper.agents.teller import Teller
from talekeeper.app.settings import Settings


def choose_teller(settings: Settings) -> Teller:
    del settings
    return Storyteller()


def choose_adviser(settings: Settings) -> Adviser | None:
    del settings
    return None
