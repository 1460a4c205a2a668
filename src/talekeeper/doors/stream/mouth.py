"""How the companion's words leave the house: gated, then queued, each step on the disk before the next is taken."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from talekeeper.doors.common.house import House
from talekeeper.doors.stream.feed import Feed
from talekeeper.doors.stream.live_gate import KnowsLive, LiveGate
from talekeeper.doors.stream.moments import iso
from talekeeper.doors.stream.outgoing import Delivery, Outgoing, OutgoingLine, State
from talekeeper.doors.stream.transport.port import ChatTransport
from talekeeper.errors import NotConfigured
from talekeeper.loops.companion.actions import Action, mark
from talekeeper.loops.companion.session import Session
from talekeeper.loops.companion.speaking import Step, keep_step
from talekeeper.observe.ids import NewId, random_id


class Reach(msgspec.Struct):
    """How one channel is reached."""

    transport: ChatTransport
    status: KnowsLive
    marker: Callable[[str], Awaitable[None]] | None = None
    """Sets a stream marker, where the API is there."""


class Mouth:
    """One channel's; it outlives sessions, since the chat counts lines and not sessions."""

    def __init__(
        self, house: House, channel: str, reach: Reach, gate: LiveGate, feed: Feed, *, outgoing: Outgoing | None = None,
        moderator: bool = False, new_id: NewId = random_id,
    ) -> None:  # fmt: skip
        self.reach = reach
        self.gate = gate
        self._house = house
        self._feed = feed
        self._new_id = new_id
        self._sessions: dict[str, Session] = {}
        self._outgoing = outgoing or Outgoing(
            reach.transport, house.services.clock, self.keep, moderator, channel=channel, new_id=new_id
        )

    @property
    def connected(self) -> bool:
        return self.reach.transport.state.connected

    async def may_post(self) -> bool:
        return await self.gate.lets_pass(self.reach.status)

    async def set_marker(self, description: str) -> None:
        if self.reach.marker is None:
            raise NotConfigured("Markers need the Twitch API.", "Set TWITCH_CLIENT_ID and TWITCH_CLIENT_SECRET.")
        await self.reach.marker(description)

    async def say(
        self, session: Session, text: str, mode: str, reason: str, *, context_hash: str = "", approved_by: str = "",
        reply_to: str = "", action_id: str = "",
    ) -> Delivery:  # fmt: skip
        """What it is about has been gated before: live, style, hush."""
        action_id = action_id or self._new_id()
        self._sessions[action_id] = session
        try:
            delivery = await self._outgoing.say(
                text, mode, reason, context_hash, approved_by, reply_to, action_id=action_id
            )
        finally:
            del self._sessions[action_id]
        if delivery.message_id:
            await self._house.store.write(lambda conn: mark(conn, action_id, message=delivery.message_id))
        self._feed.tell(
            "spoke",
            {
                "at": iso(self._house.services.clock()), "text": text, "mode": mode, "reason": reason,
                "delivery": delivery.state, "why": delivery.reason, "id": action_id,
            },
            session.channel,
        )  # fmt: skip
        return delivery

    async def keep(self, line: OutgoingLine, state: State, reason: str) -> None:
        session = self._sessions[line.action_id]
        action = Action(
            id=line.action_id, world=session.world, session=session.id, at=line.at, type="response", mode=line.mode,
            text=line.text, reason=line.reason, state=state, context_hash=line.context_hash,
            approved_by=line.approved_by,
        )  # fmt: skip
        await self._house.command(keep_step, Step(action=action, why=reason))
