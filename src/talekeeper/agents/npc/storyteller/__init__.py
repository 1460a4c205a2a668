"""NPCs without a model: rules and written lines, in the tags the game declared."""

from talekeeper.agents.npc.storyteller.speaker import NpcStoryteller

__all__ = ["NpcStoryteller"]
