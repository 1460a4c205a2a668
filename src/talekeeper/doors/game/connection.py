"""One game on the line: a reader that takes messages and a writer that sends them, until either side is done."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

import msgspec
import structlog
from starlette.types import Send
from starlette.websockets import WebSocket

from talekeeper.doors.game.admission import Admission
from talekeeper.doors.game.agent import Agent
from talekeeper.doors.game.call import Stop
from talekeeper.doors.game.decoding import MOST_BYTES, Refused, decode
from talekeeper.doors.game.incoming import AgentStateSnapshot, InteractionEvent
from talekeeper.doors.game.journal import Journal
from talekeeper.doors.game.metrics import REFUSED
from talekeeper.doors.game.outgoing import AgentTagChunk, Code, Error, GetAgentState, Outgoing
from talekeeper.doors.game.rate import Rate
from talekeeper.doors.game.requests import carry_out
from talekeeper.doors.game.sheets import Request, Sheets
from talekeeper.doors.game.wire import Wire
from talekeeper.loops.npc_turn.binding import entity_of
from talekeeper.loops.npc_turn.listen import Leave, leave

if TYPE_CHECKING:
    from talekeeper.doors.game.hub import Hub

log = structlog.get_logger("talekeeper.game")

GOING_AWAY = 1001
TOO_LARGE = 1009
INTERNAL = 1011
UNAUTHORIZED = 4401


class Farewell(msgspec.Struct, frozen=True):
    why: str
    code: int | None = None
    """With which the socket is closed; None when there is nobody left to tell."""
    stop: Stop = Stop("disconnect")


class Connection:
    def __init__(
        self, hub: Hub, socket: WebSocket, send: Send, admission: Admission, session: str, journal: Journal
    ) -> None:
        self.hub = hub
        self.session = session
        self.admission = admission
        self.journal = journal
        self.sheets = Sheets(hub.new_id)
        self.wire = Wire(send, hub.now, self._was_sent)
        self.agents: dict[str, Agent] = {}
        self._socket = socket
        limits = hub.limits
        self.events = Rate(limits.events_per_second, limits.events_at_once, hub.now)
        self.reports = Rate(limits.events_per_second, limits.events_at_once, hub.now)
        self._counts: Counter[str] = Counter()
        self._over: asyncio.Future[Farewell] = asyncio.get_running_loop().create_future()

    @property
    def world(self) -> str:
        return self.admission.world

    async def serve(self) -> None:
        """Until it is over, and everything that must be said has been said."""
        began = self.hub.now()
        self.journal.note("connected", session=self.session, world=self.world)
        writer = asyncio.ensure_future(self.wire.run())
        reader = asyncio.ensure_future(self._read())
        writer.add_done_callback(lambda _task: self.end(Farewell("the line broke")))
        try:
            farewell = await asyncio.shield(self._over)
            reader.cancel()
            await self._take_leave(farewell, writer)
        finally:
            self.end(Farewell("cancelled"))
            reader.cancel()
            writer.cancel()
            await asyncio.gather(reader, writer, return_exceptions=True)
            self.wire.abandon()
            why, seconds = self._over.result().why, round(self.hub.now() - began, 3)
            self.journal.note("summary", why=why, seconds=seconds, agents=len(self.agents), **self._counts)
            self.journal.close()

    def end(self, farewell: Farewell) -> None:
        """The first reason to end it counts."""
        if not self._over.done():
            self._over.set_result(farewell)

    async def _take_leave(self, farewell: Farewell, writer: asyncio.Future[None]) -> None:
        if farewell.code is None:
            self.wire.abandon()
        for agent in self.agents.values():
            agent.leave(self, farewell.stop)
        if self._counts["interaction_event"]:
            gone = Leave(world=self.world, session=self.session, reason=farewell.why)
            self.hub.tasks.spawn(self.hub.house.command(leave, gone), "game session closed")
        if farewell.code is None:
            return
        await asyncio.gather(*(agent.at_rest() for agent in self.agents.values()))
        self.wire.finish()
        done, _ = await asyncio.wait({writer}, timeout=self.hub.limits.goodbye_seconds)
        if done and writer.exception() is None:
            await self._socket.close(farewell.code, farewell.why)

    async def _read(self) -> None:
        while True:
            received = await self._socket.receive()
            if received["type"] == "websocket.disconnect":
                self.end(Farewell("the game left"))
                return
            text = received.get("text")
            if text is None:
                self.send(self.error("bad_json", "Send text frames; this one was binary."))
            elif len(text) > MOST_BYTES or (len(text) * 4 > MOST_BYTES and len(text.encode()) > MOST_BYTES):
                self.send(self.error("too_large", f"A message has at most {MOST_BYTES} bytes.", fatal=True))
                self.end(Farewell("a message was too large", TOO_LARGE))
                return
            else:
                self._take(text)
            await self.wire.room()

    def _take(self, text: str) -> None:
        self._counts["received"] += 1
        try:
            message = decode(text)
            self._counts[str(type(message).__struct_config__.tag)] += 1
            if not isinstance(message, AgentStateSnapshot):
                self.journal.received(message)
            carry_out(self, message)
        except Refused as refused:
            self.send(
                self.error(
                    refused.code, refused.message, refused.in_reply_to, refused.agent_id, details=refused.details
                )
            )
        except Exception as error:
            log.error("game_message_broke", session=self.session, exc_info=error)
            self.send(self.error("internal", "Something broke on our side; the log has the details."))

    def agent(self, agent_id: str) -> Agent:
        """The agent of that id, made when the game first names it."""
        entity = entity_of(agent_id)
        if entity not in self.agents:
            if len(self.agents) >= self.hub.limits.agents:
                raise Refused("rate_limited", "Too many agents on one connection.", agent_id=agent_id)
            self.agents[entity] = self.hub.agent(self.world, entity)
        return self.agents[entity]

    def known_agent(self, agent_id: str, in_reply_to: str | None) -> Agent:
        found = self.agents.get(entity_of(agent_id)) or self.hub.find(self.world, entity_of(agent_id))
        if found is None:
            raise Refused("unknown_agent", "No such agent has been here.", in_reply_to=in_reply_to, agent_id=agent_id)
        return found

    def ask_state(self, agent_id: str, event_id: str) -> Request:
        request = self.sheets.ask(agent_id)
        deadline = int(self.hub.limits.state_seconds * 1000)
        self.send(
            GetAgentState(
                request_id=request.id, agent_id=agent_id, event_id=event_id, deadline_ms=deadline,
                known_revision=request.known_revision,
            )
        )  # fmt: skip
        return request

    def refuse(self, code: Code, message: str, event: InteractionEvent) -> None:
        self.send(self.error(code, message, event.event_id, event.agent_id))

    def error(
        self,
        code: Code,
        message: str,
        in_reply_to: str | None = None,
        agent_id: str | None = None,
        turn_id: str | None = None,
        *,
        fatal: bool = False,
        details: object = None,
    ) -> Error:
        REFUSED.labels(code).inc()
        self._counts["errors"] += 1
        return Error(
            code=code, message=message, fatal=fatal, in_reply_to=in_reply_to, agent_id=agent_id, turn_id=turn_id,
            details=details,
        )  # fmt: skip

    def send(self, message: Outgoing) -> None:
        self.wire.put(message)

    def count(self, what: str) -> None:
        self._counts[what] += 1

    def watch(self, now: float) -> None:
        """Now and then: is anybody reading?"""
        since = self.wire.sending_since
        if self.wire.overflown or (since is not None and now - since > self.hub.limits.send_seconds):
            self.end(Farewell("the game does not read"))

    def _was_sent(self, message: Outgoing) -> None:
        self._counts["sent"] += 1
        # The close of a tag has all its text; its chunks would say it twice.
        if not isinstance(message, AgentTagChunk):
            self.journal.sent(message)
