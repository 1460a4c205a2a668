"""Guards on both sides of a teller: what comes in is marked, what goes out is checked."""

from talekeeper.agents.guard.guard import Finding, Guard
from talekeeper.agents.guard.suspicion import suspicions

__all__ = ["Finding", "Guard", "suspicions"]
