"""A turn while it runs: it begins, is spoken onto the wire, and has exactly one end, which is recorded."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import structlog

from talekeeper.agents.npc.performance import Performance, Speaking, ToolUse
from talekeeper.agents.npc.sheet import Sheet
from talekeeper.doors.game.call import Call, Stop
from talekeeper.doors.game.delivery import Delivery
from talekeeper.doors.game.first_of import first_of
from talekeeper.doors.game.metrics import FIRST_TAG, TURNS
from talekeeper.doors.game.outgoing import AgentTurnFinished, Code, Timing, TokenUse, ToolCallOut, Trigger
from talekeeper.errors import Unavailable
from talekeeper.llm.model import ToolCall
from talekeeper.llm.tokens import estimate_tokens
from talekeeper.loops.npc_turn.begin import Begin, begin
from talekeeper.loops.npc_turn.context import Look, performance_of
from talekeeper.loops.npc_turn.perform import Ended, perform
from talekeeper.loops.npc_turn.settle import Presume, Sent, presume, sent

if TYPE_CHECKING:
    from talekeeper.doors.game.hub import Hub

log = structlog.get_logger("talekeeper.game")


class SpeakerFailed(Exception):
    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Turn:
    def __init__(
        self,
        hub: Hub,
        world: str,
        call: Call,
        sheet: Sheet,
        *,
        state_ms: float,
        continues: tuple[ToolUse, ...] = (),
        may_call_tools: bool = True,
    ) -> None:
        self.id = f"turn-{hub.new_id()}"
        self.call = call
        self._hub = hub
        self._world = world
        self._sheet = sheet if may_call_tools else msgspec.structs.replace(sheet, tools=())
        self._state_ms = state_ms
        self._continues = continues
        self._may_call_tools = may_call_tools
        self._started = 0.0
        self._first_word: float | None = None
        self.stopped: Stop | None = None
        """Why it did not come to its own end."""
        streamed = frozenset(tag.key for tag in sheet.tags if tag.stream)
        self.delivery = Delivery(call.connection.wire, self.id, call.agent_id, streamed)

    @property
    def trigger(self) -> Trigger:
        if self._continues:
            return "tool_results"
        return "queued" if self.call.queued else "interaction"

    async def begin(self, noticed: tuple[str, ...]) -> Performance:
        """Bind, append, record, and read what the NPC may know."""
        house, call = self._hub.house, self.call
        intent = Begin(
            world=self._world, agent=call.agent_id, session=call.connection.session, event=call.message.event_id,
            turn=self.id, sheet=self._sheet, stimulus=call.stimulus, noticed=noticed, continues=self._continues,
        )  # fmt: skip
        kept = await house.command(begin, intent)
        look = Look(
            turn=kept, sheet=self._sheet, stimulus=call.stimulus, noticed=noticed, continues=self._continues,
            may_call_tools=self._may_call_tools,
        )  # fmt: skip
        return await house.store.read(lambda conn: performance_of(conn, look))

    async def play(self, performance: Performance, stop: asyncio.Future[Stop]) -> tuple[ToolCall, ...]:
        """From the first message to the last; the tools it calls."""
        hub, call = self._hub, self.call
        speaking = hub.speaker.speak(performance)
        call.connection.journal.read_by_model(self.id, call.agent_id, hub.speaker.name, speaking.read)
        self._started = hub.now()
        self.delivery.start(call.message.event_id, hub.speaker.name, self.trigger)
        call.connection.count("turns_started")
        stream = asyncio.ensure_future(self._spoken(speaking))
        try:
            await first_of(stream, stop, seconds=self._seconds)
        finally:
            if not stream.done():
                self.delivery.kill()
                stream.cancel()
        if stream.done():
            return self._finish(stream)
        # Whatever cut in waits until the stream has really ended.
        await asyncio.wait({stream}, timeout=hub.limits.cancel_seconds)
        why = self.stopped = stop.result() if stop.done() else Stop("timeout")
        spent = sum(estimate_tokens(said.text) for said in self.delivery.said())
        self.delivery.interrupt(why.reason, why.by_event, TokenUse(0, spent, estimated=True))
        TURNS.labels(why.reason).inc()
        call.connection.count("turns_interrupted")
        return ()

    async def record(self, tools: tuple[ToolCall, ...]) -> None:
        """What has really been sent, once everything has."""
        await self.delivery.ended.wait()
        intent = Sent(
            world=self._world, turn=self.id, said=self.delivery.said(), tools=tuple(map(ToolUse, tools)),
            stopped=self.stopped is not None, cut_short_by=self.stopped.by if self.stopped else "",
        )  # fmt: skip
        await self._hub.house.command(sent, intent)

    async def drop(self) -> None:
        """It was superseded before it started: what it heard stays, and nothing was said."""
        await self._hub.house.command(sent, Sent(world=self._world, turn=self.id, said=()))
        await self._hub.house.command(presume, Presume(world=self._world, turn=self.id))

    async def _spoken(self, speaking: Speaking) -> Ended:
        def first_word() -> None:
            self._first_word = self._hub.now()

        seconds = self._hub.limits.first_word_seconds
        try:
            return await perform(
                speaking, self._sheet, self.delivery.show, first_word, first_word_seconds=seconds,
                speak_untagged=self._hub.speak_untagged,
            )  # fmt: skip
        except TimeoutError as error:
            raise SpeakerFailed("llm_timeout", f"The model said nothing for {seconds:g} seconds.") from error
        except Unavailable as error:
            raise SpeakerFailed("llm_error", str(error)) from error
        except Exception as error:
            log.error("npc_speaker_broke", world=self._world, agent=self.call.agent_id, exc_info=error)
            raise SpeakerFailed("llm_error", "The model's answer could not be used.") from error

    def _finish(self, stream: asyncio.Future[Ended]) -> tuple[ToolCall, ...]:
        call = self.call
        error = stream.exception()
        if isinstance(error, SpeakerFailed):
            ended = Ended(reason="error")
            told = call.connection.error(error.code, error.message, call.message.event_id, call.agent_id, self.id)
            self.delivery.beside(told)
        else:
            ended = stream.result()
        self.delivery.finish(
            AgentTurnFinished(
                turn_id=self.id, agent_id=call.agent_id, stop_reason=ended.reason, usage=_usage(ended),
                timing=self._timing(), untagged_text=ended.untagged or None,
                tool_calls=[ToolCallOut(c.id, c.name, _arguments(c)) for c in ended.tool_calls] or None,
            )
        )  # fmt: skip
        TURNS.labels(ended.reason).inc()
        call.connection.count("turns_finished")
        call.connection.journal.said_by_model(self.id, call.agent_id, ended)
        return ended.tool_calls

    @property
    def _seconds(self) -> float:
        wished, most = self._sheet.limits.timeout_ms, self._hub.limits.turn_seconds
        return most if wished is None else min(most, wished / 1000)

    def _timing(self) -> Timing:
        opened = self.delivery.opened_at
        if self._first_word is not None and opened is not None:
            FIRST_TAG.observe(max(0.0, opened - self._first_word))
        total = round((self._hub.now() - self.call.at) * 1000, 3)
        return Timing(self._state_ms, self._after(self._first_word), self._after(opened), total)

    def _after(self, moment: float | None) -> float | None:
        return None if moment is None else round((moment - self._started) * 1000, 3)


def _usage(ended: Ended) -> TokenUse:
    usage = ended.usage
    return TokenUse(usage.tokens_in, usage.tokens_out, usage.estimated) if usage else TokenUse(0, 0, True)


def _arguments(call: ToolCall) -> object:
    """As the model wrote them, parsed where that is possible."""
    try:
        return msgspec.json.decode(call.arguments or "{}")
    except (msgspec.DecodeError, RecursionError):
        return call.arguments
