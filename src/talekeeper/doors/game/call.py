"""Something that happened to an agent, and who told us; and why a turn is stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from talekeeper.agents.npc.stimulus import Stimulus
from talekeeper.doors.game.incoming import InteractionEvent
from talekeeper.doors.game.outgoing import InterruptReason
from talekeeper.loops.npc_turn.listen import Listen

if TYPE_CHECKING:
    from talekeeper.doors.game.connection import Connection


class Call:
    __slots__ = ("at", "connection", "depth", "message", "queued")

    def __init__(self, connection: Connection, message: InteractionEvent, depth: int, at: float) -> None:
        self.connection = connection
        self.message = message
        self.depth = depth
        """How many NPCs have answered each other before."""
        self.at = at
        self.queued = False

    @property
    def stimulus(self) -> Stimulus:
        return self.message.event

    @property
    def agent_id(self) -> str:
        """As the game writes it."""
        return self.message.agent_id

    def only_heard(self, world: str) -> Listen:
        return Listen(
            world=world, agents=(self.agent_id,), session=self.connection.session, event=self.message.event_id,
            stimulus=self.stimulus,
        )  # fmt: skip


class Stop(msgspec.Struct, frozen=True):
    reason: InterruptReason
    by_event: str | None = None
    by: str = ""
    """The entity that cut in, when somebody did."""
