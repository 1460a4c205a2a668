"""One NPC of a game: takes what happens to it one thing after the other, and answers each with a turn that can be cut short."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import msgspec
import structlog

from talekeeper.agents.npc.performance import Said, ToolUse
from talekeeper.agents.npc.sheet import Sheet
from talekeeper.agents.npc.stimulus import perceived
from talekeeper.doors.game.call import Call, Stop
from talekeeper.doors.game.delivery import Delivery
from talekeeper.doors.game.first_of import first_of
from talekeeper.doors.game.incoming import ToolResult
from talekeeper.doors.game.noticed import Noticed
from talekeeper.doors.game.turn import Turn
from talekeeper.errors import TalekeeperError
from talekeeper.llm.model import ToolCall
from talekeeper.loops.npc_turn.binding import source_entity
from talekeeper.loops.npc_turn.listen import listen
from talekeeper.loops.npc_turn.settle import Answered, answered

if TYPE_CHECKING:
    from talekeeper.doors.game.connection import Connection
    from talekeeper.doors.game.hub import Hub

log = structlog.get_logger("talekeeper.game")

T = TypeVar("T")
_TURNS_KEPT = 16


class _ToolWait(msgspec.Struct, frozen=True):
    turn: str
    answer: asyncio.Future[tuple[ToolUse, ...]]


class Agent:
    def __init__(self, hub: Hub, world: str, entity: str) -> None:
        self.world = world
        self.entity = entity
        self.depth = 0
        """How many NPCs have answered each other before its present turn."""
        self.noticed = Noticed(hub.limits.noticed)
        self._hub = hub
        self._waiting: deque[Call] = deque()
        self._current: Call | None = None
        self._stop: asyncio.Future[Stop] | None = None
        self._task: asyncio.Task[None] | None = None
        self._recording = asyncio.Lock()
        self._turn: Turn | None = None
        self._tools: _ToolWait | None = None
        self._called: OrderedDict[str, tuple[ToolCall, ...]] = OrderedDict()
        """Tool calls nobody has answered yet."""
        self._sent: OrderedDict[str, Delivery] = OrderedDict()

    @property
    def busy(self) -> bool:
        return self._current is not None or bool(self._waiting)

    @property
    def forgettable(self) -> bool:
        return not self.busy and not self.noticed and not self._recording.locked()

    def post(self, call: Call) -> None:
        """By the event's own wish: at once, only if nothing else is going on, or when its time has come."""
        how = call.message.interrupt
        if how == "if_idle" and self.busy:
            self.observe(call)
            return
        if how == "queue" and self.busy:
            if len(self._waiting) >= self._hub.limits.queued:
                self.observe(call)
                call.connection.refuse("rate_limited", "Too many events wait for this agent.", call.message)
                return
            call.queued = True
            self._waiting.append(call)
        else:
            for earlier in [c for c in self._waiting if not c.queued]:
                self._waiting.remove(earlier)
                self.observe(earlier)
            self._waiting.appendleft(call)
            self._halt(Stop("superseded", call.message.event_id, source_entity(call.stimulus.source)))
        if self._task is None:
            self._task = self._hub.tasks.spawn(self._run(), f"npc {self.world} {self.entity}")

    def cancel(self, turn_id: str | None) -> bool:
        """Whether there was such a turn to cancel."""
        turn = self._turn
        if turn is None or turn_id not in (None, turn.id):
            return False
        self._halt(Stop("client_cancel"))
        return True

    def cancel_before_start(self) -> bool:
        """Whether something was about to begin and now will not."""
        if self._current is None or self._turn is not None or self._tools is not None:
            return False
        self._halt(Stop("client_cancel"))
        return True

    def observe(self, call: Call) -> None:
        """It is heard, though nothing is answered."""
        stimulus = call.stimulus
        sheet = call.connection.sheets.newest(call.agent_id)
        self.noticed.add(perceived(stimulus, sheet.spec.name if sheet else call.agent_id), 1, stimulus.salience or 0.0)
        self.record_soon(lambda: self._hub.house.command(listen, call.only_heard(self.world)))

    def tool_results(self, turn_id: str, results: tuple[ToolResult, ...]) -> bool:
        """Whether a turn goes on from them. Late ones are kept for the history all the same."""
        calls = self._called.pop(turn_id, None)
        if calls is None:
            return False
        uses = tuple(_use(call, results) for call in calls)
        intent = Answered(world=self.world, turn=turn_id, tools=uses)
        self.record_soon(lambda: self._hub.house.command(answered, intent))
        wait = self._tools
        if wait is None or wait.turn != turn_id or wait.answer.done():
            return False
        wait.answer.set_result(uses)
        return True

    def was_sent(self, turn_id: str, tag_id: str) -> Said | None:
        delivery = self._sent.get(turn_id)
        return delivery.segment(tag_id) if delivery else None

    def leave(self, connection: Connection, stop: Stop) -> None:
        """The connection is gone: its turn ends, and what it still wanted is only heard."""
        for call in [c for c in self._waiting if c.connection is connection]:
            self._waiting.remove(call)
            self.observe(call)
        if self._current is not None and self._current.connection is connection:
            self._halt(stop)

    async def at_rest(self) -> None:
        """When nothing is going on."""
        if self._task is not None:
            await asyncio.wait({self._task})

    async def recorded(self, work: Callable[[], Awaitable[T]]) -> T:
        """First come, first served: what was recorded before a turn begins is in its history."""
        async with self._recording:
            return await work()

    def record_soon(self, work: Callable[[], Awaitable[object]]) -> None:
        self._hub.tasks.spawn(self.recorded(work), f"record {self.world} {self.entity}")

    def _halt(self, stop: Stop) -> None:
        if self._stop is not None and not self._stop.done():
            self._stop.set_result(stop)

    async def _run(self) -> None:
        try:
            while self._waiting:
                call = self._waiting.popleft()
                self._current = call
                self._stop = asyncio.get_running_loop().create_future()
                try:
                    await self._answer(call, self._stop)
                except Exception as error:
                    log.error("npc_turn_broke", world=self.world, entity=self.entity, exc_info=error)
                    call.connection.refuse("internal", _said(error), call.message)
                finally:
                    self._current = self._stop = self._turn = self._tools = None
        finally:
            self._task = None

    async def _answer(self, call: Call, stop: asyncio.Future[Stop]) -> None:
        self.depth = call.depth
        sheet = await self._ask_state(call, stop)
        if sheet is None:
            return
        state_ms = round((self._hub.now() - call.at) * 1000, 3)
        continues: tuple[ToolUse, ...] = ()
        for left in range(self._hub.limits.tool_turns, -1, -1):
            turn = Turn(
                self._hub, self.world, call, sheet, state_ms=state_ms, continues=continues, may_call_tools=left > 0
            )
            calls = await self._play(turn, stop)
            continues = await self._await_tools(turn, calls, stop) if calls else ()
            if not continues or stop.done():
                return
            sheet = call.connection.sheets.newest(call.agent_id) or sheet

    async def _ask_state(self, call: Call, stop: asyncio.Future[Stop]) -> Sheet | None:
        request = call.connection.ask_state(call.agent_id, call.message.event_id)
        seconds = self._hub.limits.state_seconds
        await first_of(request.answer, stop, seconds=seconds)
        if request.answer.done() and not stop.done():
            return request.answer.result()
        call.connection.sheets.drop(request)
        self.observe(call)
        if not stop.done():
            call.connection.refuse("state_timeout", f"No state came within {seconds:g} seconds.", call.message)
        return None

    async def _play(self, turn: Turn, stop: asyncio.Future[Stop]) -> tuple[ToolCall, ...]:
        performance = await self.recorded(lambda: turn.begin(self.noticed.take()))
        if stop.done():
            self.record_soon(turn.drop)
            return ()
        self._turn = turn
        self._remember(turn.delivery)
        try:
            calls = await turn.play(performance, stop)
        finally:
            self._turn = None
        self.record_soon(lambda: turn.record(calls))
        self._hub.expect_report(self.world, turn.id)
        return calls

    async def _await_tools(
        self, turn: Turn, calls: tuple[ToolCall, ...], stop: asyncio.Future[Stop]
    ) -> tuple[ToolUse, ...]:
        """Empty when none came in time, or something else came first."""
        wait = _ToolWait(turn.id, asyncio.get_running_loop().create_future())
        self._tools = wait
        self._called[turn.id] = calls
        while len(self._called) > _TURNS_KEPT:
            self._called.popitem(last=False)
        await first_of(wait.answer, stop, seconds=self._hub.limits.tool_seconds)
        self._tools = None
        return wait.answer.result() if wait.answer.done() else ()

    def _remember(self, delivery: Delivery) -> None:
        self._sent[delivery.turn_id] = delivery
        while len(self._sent) > _TURNS_KEPT:
            self._sent.popitem(last=False)


def _use(call: ToolCall, results: tuple[ToolResult, ...]) -> ToolUse:
    result = next((r for r in results if r.call_id == call.id), None)
    if result is None:
        return ToolUse(call)
    content = result.content if result.content is not None else result.error
    text = content if isinstance(content, str) else "" if content is None else msgspec.json.encode(content).decode()
    return ToolUse(call, result.ok, text)


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, TalekeeperError) else "Something broke on our side; the log has the details."
