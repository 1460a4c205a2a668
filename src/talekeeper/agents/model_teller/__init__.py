"""The teller port on a model."""

from talekeeper.agents.model_teller.narrator_prompt import narrator_prompt
from talekeeper.agents.model_teller.prompt import Prompt, find_card
from talekeeper.agents.model_teller.teller import ModelTeller
from talekeeper.agents.model_teller.voice_prompt import voice_prompt

__all__ = ["ModelTeller", "Prompt", "find_card", "narrator_prompt", "voice_prompt"]
