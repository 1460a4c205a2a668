"""How long the door waits for what, and how much it takes."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    state_seconds: float = 10.0
    """For the answer to get_agent_state."""
    first_word_seconds: float = 60.0
    turn_seconds: float = 180.0
    """For a whole turn, unless the game sets a shorter one."""
    tool_seconds: float = 60.0
    result_seconds: float = 30.0
    """For agent_turn_result; after that, what was sent counts as performed until a report says otherwise."""
    send_seconds: float = 20.0
    """A client that reads nothing for so long is given up."""
    cancel_seconds: float = 1.0
    """For a stream to end when it is told to."""
    goodbye_seconds: float = 2.0
    """For what is still to be said when a connection is ended."""
    events_per_second: float = 30.0
    events_at_once: int = 120
    agents: int = 1_000
    """A connection may speak with."""
    queued: int = 16
    noticed: int = 64
    npc_depth: int = 6
    """NPCs answer each other so many times before something else has to happen."""
    tool_turns: int = 6
    """Turns in a row that may call tools."""
    sweep_seconds: float = 1.0
