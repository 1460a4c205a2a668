"""The built-in storyteller: tells any outcome from written words alone, the same way for the same seed."""

from talekeeper.agents.storyteller.storyteller import Storyteller

__all__ = ["Storyteller"]
