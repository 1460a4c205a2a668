"""A chat log played through the whole companion on a clock of its own: what it would have said, and why."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Literal

import msgspec

from talekeeper.agents.companion.line import ChatLine
from talekeeper.doors.common.house import House
from talekeeper.doors.stream.answering import reply
from talekeeper.doors.stream.hearth import tick
from talekeeper.doors.stream.keeper import Keeper
from talekeeper.doors.stream.listening import Listener
from talekeeper.doors.stream.live_status import Live
from talekeeper.doors.stream.mouth import Reach
from talekeeper.doors.stream.sessions import Companion
from talekeeper.doors.stream.settings import CompanionSettings
from talekeeper.doors.stream.transport.port import Hearing, Sent, TransportState
from talekeeper.llm.model import Model
from talekeeper.loops.companion.actions import actions_of, read_clip
from talekeeper.observe.clock import Clock
from talekeeper.observe.tasks import Supervisor

Kind = Literal["said", "silent", "flagged", "hushed", "clip"]


class VirtualClock:
    """Stands still until the log moves it."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """Something the companion did or thought, so many seconds into the log."""

    at: float
    kind: Kind
    reason: str
    text: str = ""
    mode: str = ""
    details: tuple[str, ...] = ()


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    lines: int
    people: int
    seconds: float
    prompts: int
    answers: int
    flags: int
    clips: int
    ledger: str
    """Where it was written."""


class _Unheard:
    """A chat that shows everything to nobody."""

    def __init__(self) -> None:
        self.state = TransportState(configured=True, running=True, connected=True)

    async def run(self, heard: Hearing) -> None:
        del heard

    async def send(self, text: str, reply_to: str = "") -> Sent:
        del text, reply_to
        return Sent()

    async def stop(self) -> None:
        pass


class _Always:
    def __init__(self, channel: str, clock: Clock) -> None:
        self._channel, self._clock = channel, clock

    async def get(self, force: bool = False) -> Live:
        del force
        return Live(channel=self._channel, is_live=True, checked_at=self._clock())


class Replay:
    def __init__(
        self, house: House, tasks: Supervisor, settings: CompanionSettings, clock: VirtualClock,
        model: Model | None = None, pace: Callable[[float], Awaitable[None]] | None = None,
    ) -> None:  # fmt: skip
        """`pace` waits as long as a stretch of the log is to last; without it nothing waits."""
        self._house = house
        self._tasks = tasks
        self._settings = settings
        self._clock = clock
        self._pace = pace
        self._began = clock.now
        self._companion = Companion(
            house, tasks, settings, lambda channel: Reach(_Unheard(), _Always(channel, clock)), lambda: model,
            # The same log gives the same ledger, its name included.
            lambda: hashlib.blake2b(settings.channel.encode(), digest_size=8).hexdigest(),
        )  # fmt: skip
        self._listener = Listener(self._companion, tasks, settings.channel)
        self._counts = {"said": 0, "answered": 0, "flagged": 0, "clip": 0}
        self.summary: Summary | None = None

    async def play(
        self, lines: tuple[ChatLine, ...], dashboard: Mapping[str, object] | None = None
    ) -> AsyncIterator[Moment]:
        keeper = await self._companion.open(self._settings.channel)
        if dashboard is not None:
            await keeper.save_dashboard(dashboard)
        look_at = self._began + self._settings.interval
        for line in lines:
            while look_at <= line.at:
                async for moment in self._look(keeper, look_at):
                    yield moment
                look_at += self._settings.interval
            await self._reach(line.at)
            async for moment in self._hear(keeper, line):
                yield moment
        async for moment in self._look(keeper, look_at):
            yield moment
        async for moment in self._end(keeper, lines):
            yield moment

    async def _reach(self, at: float) -> None:
        if self._pace is not None and at > self._clock.now:
            await self._pace(at - self._clock.now)
        self._clock.now = max(at, self._clock.now)

    async def _hear(self, keeper: Keeper, line: ChatLine) -> AsyncIterator[Moment]:
        hushed = keeper.session.hushed_until
        await keeper.intake.calm()
        heard, command = await self._listener.understood(keeper, line)
        if heard.flag is not None:
            self._counts["flagged"] += 1
            text = f"{line.speaker}: {line.text}"
            yield self._moment("flagged", heard.flag.reason, text=text, details=(heard.flag.severity,))
        if keeper.session.hushed_until != hushed:
            yield self._moment("hushed", f"asked by {line.speaker}")
        if command is not None and (answer := await reply(keeper, heard.line, command)) is not None:
            self._counts["answered"] += 1
            yield self._moment("said", f"asked by {line.speaker}", text=answer.text, mode="steward")

    async def _look(self, keeper: Keeper, at: float) -> AsyncIterator[Moment]:
        await self._reach(at)
        await asyncio.sleep(0)  # what was heard may be written meanwhile
        before = keeper.last_decision
        look = await tick(keeper)
        decision = keeper.last_decision
        if look.agent_response is not None and decision is not None:
            self._counts["said"] += 1
            yield self._moment(
                "said", decision.reason, text=look.agent_response, mode="hearthkeeper", details=decision.details
            )
        elif decision is not None and decision is not before:
            yield self._moment("silent", decision.reason, details=decision.details)

    async def _end(self, keeper: Keeper, lines: tuple[ChatLine, ...]) -> AsyncIterator[Moment]:
        session = await self._companion.end(keeper.session.id, "the log ended")
        found = await self._house.store.read(lambda conn: actions_of(conn, session.id, ("clip",)))
        for action in found:
            self._counts["clip"] += 1
            yield Moment(at=read_clip(action).start - self._began, kind="clip", reason=action.text)
        self.summary = Summary(
            lines=len(lines), people=len({line.name for line in lines if keeper.room.is_person(line)}),
            seconds=self._clock.now - self._began, prompts=self._counts["said"], answers=self._counts["answered"],
            flags=self._counts["flagged"], clips=self._counts["clip"], ledger=session.ledger,
        )  # fmt: skip

    def _moment(
        self, kind: Kind, reason: str, *, text: str = "", mode: str = "", details: tuple[str, ...] = ()
    ) -> Moment:
        at = self._clock.now - self._began
        return Moment(at=at, kind=kind, reason=reason, text=text, mode=mode, details=details)
