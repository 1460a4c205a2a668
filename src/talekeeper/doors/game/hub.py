"""The game door as a whole: every agent of every world that is being spoken with, and every connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import structlog
from starlette.types import Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from talekeeper.agents.npc.performance import NpcSpeaker
from talekeeper.doors.common.house import House
from talekeeper.doors.game.admission import Admission, admit
from talekeeper.doors.game.agent import Agent
from talekeeper.doors.game.call import Stop
from talekeeper.doors.game.connection import GOING_AWAY, INTERNAL, UNAUTHORIZED, Connection, Farewell
from talekeeper.doors.game.journal import Journal
from talekeeper.doors.game.limits import Limits
from talekeeper.doors.game.metrics import CONNECTIONS
from talekeeper.doors.game.outgoing import Error
from talekeeper.doors.game.tokens import still_good
from talekeeper.errors import TalekeeperError
from talekeeper.loops.npc_turn.settle import Presume, presume, presume_all
from talekeeper.observe.ids import NewId, random_id
from talekeeper.observe.tasks import Supervisor

log = structlog.get_logger("talekeeper.game")

_SELDOM = 15
"""Sweeps between looks at what changes slowly: revoked tokens, agents nobody needs."""


class Hub:
    def __init__(
        self,
        house: House,
        speaker: NpcSpeaker,
        logs: Path,
        *,
        world: str = "game",
        token_needed: bool = False,
        speak_untagged: bool = False,
        limits: Limits | None = None,
        new_id: NewId = random_id,
    ) -> None:
        self.house = house
        self.speaker = speaker
        self.limits = limits or Limits()
        self.speak_untagged = speak_untagged
        self.new_id = new_id
        self.tasks = Supervisor()
        self._logs = logs
        self._world = world
        self._token_needed = token_needed
        self._agents: dict[tuple[str, str], Agent] = {}
        self._connections: set[Connection] = set()
        self._unreported: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self._closing = False
        self._empty = asyncio.Event()
        self._empty.set()

    @property
    def now(self) -> Callable[[], float]:
        """Steady time: for waits and timings, not for dates."""
        return asyncio.get_running_loop().time

    async def start(self) -> None:
        left = await self.house.store.write(lambda conn: presume_all(conn, self.house.services))
        if left:
            log.info("game_turns_presumed", turns=left)
        self.tasks.spawn(self._sweep(), "game sweep")

    async def serve(self, socket: WebSocket, send: Send) -> None:
        """One connection from its first moment to its last. `send` is the server's own, for what is sent most."""
        await socket.accept()
        try:
            admission = await admit(socket, self.house, world=self._world, token_needed=self._token_needed)
        except TalekeeperError as error:
            await _turn_away(socket, error)
            return
        connection = self._connected(socket, send, admission)
        try:
            await connection.serve()
        except WebSocketDisconnect:
            log.debug("game_left_in_between", session=connection.session)
        finally:
            self._gone(connection)

    def _connected(self, socket: WebSocket, send: Send, admission: Admission) -> Connection:
        session = self.new_id()
        journal = Journal(self._logs, session, self.house.services.clock)
        connection = Connection(self, socket, send, admission, session, journal)
        self._connections.add(connection)
        self._empty.clear()
        CONNECTIONS.inc()
        if self._closing:
            connection.end(Farewell("the server is going down", GOING_AWAY))
        return connection

    def _gone(self, connection: Connection) -> None:
        self._connections.discard(connection)
        if not self._connections:
            self._empty.set()
        CONNECTIONS.dec()
        self._forget_agents()

    def _forget_agents(self) -> None:
        """Those nobody speaks with any more. What they know is the world's; they come back as they were."""
        in_use = {agent for connection in self._connections for agent in connection.agents.values()}
        for key, agent in list(self._agents.items()):
            if agent.forgettable and agent not in in_use:
                del self._agents[key]

    def agent(self, world: str, entity: str) -> Agent:
        key = (world, entity)
        if key not in self._agents:
            self._agents[key] = Agent(self, world, entity)
        return self._agents[key]

    def find(self, world: str, entity: str) -> Agent | None:
        return self._agents.get((world, entity))

    def agents_of(self, world: str) -> list[Agent]:
        return [agent for (where, _), agent in self._agents.items() if where == world]

    # What the game reports, or does not

    def expect_report(self, world: str, turn: str) -> None:
        loop = asyncio.get_running_loop()
        late = loop.call_later(self.limits.result_seconds, self._presume, world, turn)
        self._unreported[world, turn] = late

    def reported(self, world: str, turn: str) -> None:
        late = self._unreported.pop((world, turn), None)
        if late is not None:
            late.cancel()
        self.house.services.after_turn()

    def _presume(self, world: str, turn: str) -> None:
        self._unreported.pop((world, turn), None)
        self.tasks.spawn(self.house.command(presume, Presume(world=world, turn=turn)), "game turn presumed")

    # The end, and the watch until then

    async def close(self) -> None:
        """Say goodbye while the sockets are still open; then record what is left to be recorded."""
        self._closing = True
        for connection in list(self._connections):
            connection.end(Farewell("the server is going down", GOING_AWAY, Stop("shutdown")))
        await self._until_quiet()
        for (world, turn), late in list(self._unreported.items()):
            late.cancel()
            await self.house.command(presume, Presume(world=world, turn=turn))
        self._unreported.clear()
        await self.tasks.close()

    async def _until_quiet(self) -> None:
        async def quiet() -> None:
            await self._empty.wait()
            for agent in self._agents.values():
                await agent.at_rest()
                await agent.recorded(_nothing)

        try:
            await asyncio.wait_for(quiet(), self.limits.goodbye_seconds + self.limits.cancel_seconds)
        except TimeoutError:
            log.warning("game_not_quiet", connections=len(self._connections))

    async def _sweep(self) -> None:
        sweeps = 0
        while True:
            await asyncio.sleep(self.limits.sweep_seconds)
            sweeps += 1
            for connection in list(self._connections):
                connection.watch(self.now())
            if sweeps % _SELDOM == 0:
                self._forget_agents()
                await self.end_revoked()

    async def end_revoked(self) -> None:
        """Connections whose token has been revoked since they came in."""
        used = {c.admission.token for c in self._connections if c.admission.token}
        if not used:
            return
        try:
            good = await self.house.store.read(lambda conn: still_good(conn, used))
        except TalekeeperError as error:
            log.warning("game_tokens_unknown", error=str(error))
            return
        for connection in list(self._connections):
            if connection.admission.token and connection.admission.token not in good:
                connection.end(Farewell("the token was revoked", UNAUTHORIZED))


async def _nothing() -> None:
    return None


async def _turn_away(socket: WebSocket, error: TalekeeperError) -> None:
    known = error.status == UNAUTHORIZED - 4000
    told = Error(id="s1", code="unauthorized" if known else "internal", message=str(error), fatal=True)
    try:
        await socket.send_text(msgspec.json.encode(told).decode())
        await socket.close(UNAUTHORIZED if known else INTERNAL)
    except (WebSocketDisconnect, RuntimeError):
        # It left before it heard why.
        return
