"""The companion of the house: every channel's mouth and keeper, opened, restored, ended, and looked at in turn."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import msgspec
import structlog

from talekeeper.agents.companion.second_reader import SecondReader
from talekeeper.chronicle.ledger import LedgerRecord
from talekeeper.doors.common.house import House
from talekeeper.doors.stream.clipping import keep_clips
from talekeeper.doors.stream.feed import Feed
from talekeeper.doors.stream.hearth import Tick, tick
from talekeeper.doors.stream.keeper import Keeper
from talekeeper.doors.stream.ledgers import Ledgers
from talekeeper.doors.stream.listening import Listener
from talekeeper.doors.stream.live_gate import LiveGate
from talekeeper.doors.stream.mouth import Mouth, Reach
from talekeeper.doors.stream.settings import CompanionSettings
from talekeeper.doors.stream.ticks import TickLoop
from talekeeper.errors import NotFound, TalekeeperError
from talekeeper.llm.model import Model
from talekeeper.loops.companion.channel import channel_name
from talekeeper.loops.companion.recovery import recovered
from talekeeper.loops.companion.session import (
    Closing,
    Opening,
    Session,
    close_session,
    find_session,
    open_session,
    open_sessions,
)
from talekeeper.loops.companion.speaking import TestModeSwitch, audit_test_mode, recover
from talekeeper.observe.ids import NewId, random_id
from talekeeper.observe.tasks import Supervisor

log = structlog.get_logger("talekeeper.stream")

SESSION_NOT_FOUND = "session_not_found"
OFFLINE = "stream_offline"
JUST_OPENED = 60.0


class Companion:
    def __init__(
        self, house: House, tasks: Supervisor, settings: CompanionSettings, reach_of: Callable[[str], Reach],
        model: Callable[[], Model | None] = lambda: None, new_id: NewId = random_id,
    ) -> None:  # fmt: skip
        self.house = house
        self.settings = settings
        self.feed = Feed()
        self.gate = LiveGate(
            house.services.clock, required=settings.require_live, test_mode=settings.offline_test,
            test_seconds=settings.offline_test_seconds,
        )  # fmt: skip
        self.loop = TickLoop(self.tick_all, settings.interval)
        self.ledgers = Ledgers(house, settings)
        self.keepers: dict[str, Keeper] = {}
        """By channel: those whose session is open."""
        self.started = False
        self._tasks = tasks
        self._reach_of = reach_of
        self._model = model
        self._new_id = new_id
        self._mouths: dict[str, Mouth] = {}
        self._writers: dict[str, asyncio.Task[None]] = {}
        self._change = asyncio.Lock()
        """Sessions are opened and ended one after the other."""

    async def start(self) -> None:
        """What a crash left in doubt is settled, open sessions go on, the configured channel has one."""
        for action in await self.house.store.write(lambda conn: recover(conn, self.house.services)):
            log.warning("line_in_doubt", action=action.id, state=action.state, text=action.text)
        for session in await self.house.store.read(open_sessions):
            await self._keep(session)
        if self.settings.channel:
            await self.open(self.settings.channel)
            self._tasks.spawn(self._listen(self.settings.channel), "chat")
        if self.gate.warning:
            log.warning("offline_test_mode", warning=self.gate.warning)
        self._tasks.spawn(self.loop.run(), "companion")
        self.started = True

    async def close(self) -> None:
        """What was heard is on the disk before the house is closed; sessions stay open, and go on after a restart."""
        self.feed.close()
        for mouth in self._mouths.values():
            with contextlib.suppress(TalekeeperError):
                await mouth.reach.transport.stop()
        for keeper in self.keepers.values():
            await keeper.intake.flushed()

    async def _listen(self, channel: str) -> None:
        listener = Listener(self, self._tasks, channel)
        transport = self.mouth(channel).reach.transport
        try:
            await transport.run(listener.heard)
        except TalekeeperError as error:
            log.error("chat_ended", channel=channel, error=str(error))

    def mouth(self, channel: str) -> Mouth:
        if channel not in self._mouths:
            self._mouths[channel] = Mouth(
                self.house, channel, self._reach_of(channel), self.gate, self.feed, moderator=self.settings.moderator
            )
        return self._mouths[channel]

    async def open(self, channel: str, *, live_since: float | None = None, prepared: Session | None = None) -> Keeper:
        """The channel's keeper; its session is opened if none is."""
        name = channel_name(channel)
        async with self._change:
            if name in self.keepers:
                return self.keepers[name]
            now = self.house.services.clock()
            opening = Opening(channel=name, at=now, live_since=live_since, prepared=prepared, new_id=self._new_id)
            return await self._keep(await self.house.command(open_session, opening))

    async def _keep(self, session: Session) -> Keeper:
        found = await self.house.store.read(lambda conn: recovered(conn, session, self.settings.silent_names))
        model = self._model()
        reader = SecondReader(model) if model is not None and self.settings.second_reader else None
        keeper = Keeper(self.house, self.settings, self.mouth(session.channel), self.feed, found, model, reader)
        self.keepers[session.channel] = keeper
        self._writers[session.id] = self._tasks.spawn(keeper.intake.run(), f"intake {session.id}")
        return keeper

    async def end(self, session_id: str, reason: str = "", *, told: bool = True) -> Session:
        """Closed at once, whatever is being written; its ledger is on the disk when this returns.

        One in which nothing was said need not be `told`.
        """
        async with self._change:
            keeper = self.find(session_id)
            if keeper is not None:
                await keep_clips(keeper, settled=0.0)
                keeper.closed = True
                del self.keepers[keeper.session.channel]
                await keeper.intake.flushed()
                self._writers.pop(session_id).cancel()
            closing = Closing(session=session_id, at=self.house.services.clock(), reason=reason)
            session = await self.house.command(close_session, closing)
        return await self.ledgers.write(session) if told or session.messages else session

    def find(self, session_id: str) -> Keeper | None:
        return next((keeper for keeper in self.keepers.values() if keeper.session.id == session_id), None)

    def get(self, session_id: str) -> Keeper:
        keeper = self.find(session_id)
        if keeper is None:
            raise NotFound(SESSION_NOT_FOUND)
        return keeper

    def current(self) -> Keeper:
        """The configured channel's, else the only one there is."""
        if self.settings.channel in self.keepers:
            return self.keepers[self.settings.channel]
        if len(self.keepers) != 1:
            raise NotFound(SESSION_NOT_FOUND)
        return next(iter(self.keepers.values()))

    def current_or_none(self) -> Keeper | None:
        try:
            return self.current()
        except NotFound:
            return None

    async def current_theme(self) -> str:
        keeper = self.current_or_none()
        return keeper.session.theme if keeper else ""

    async def ledger(self, session_id: str) -> LedgerRecord:
        """As it would be written now."""
        return await self.ledgers.record(await self.session(session_id))

    async def session(self, session_id: str) -> Session:
        """Open or ended; of an open one, as it is this moment."""
        keeper = self.find(session_id)
        if keeper is not None:
            return msgspec.structs.replace(keeper.session, messages=keeper.messages)
        found = None
        if session_id.isprintable():
            found = await self.house.store.read(lambda conn: find_session(conn, session_id))
        if found is None:
            raise NotFound(SESSION_NOT_FOUND)
        return found

    async def switch_test_mode(self, *, on: bool) -> None:
        """On the record of the session it concerns."""
        self.gate.switch(on=on)
        log.warning("offline_test_mode", on=on)
        keeper = self.current_or_none()
        if keeper is not None:
            await self.house.command(audit_test_mode, TestModeSwitch(keeper.session, on))

    async def tick_all(self) -> list[Tick]:
        looks = []
        for keeper in list(self.keepers.values()):
            await self._follow_live(keeper)
            if not keeper.closed:
                looks.append(await tick(keeper))
        return looks

    async def _follow_live(self, keeper: Keeper) -> None:
        """What is asked of the API where no event tells it; and the end, when the grace is over."""
        live = await keeper.mouth.reach.status.get()
        channel, now = keeper.session.channel, self.house.services.clock()
        if live.is_live:
            began = live.started_at or keeper.session.live_since or now
            await self.went_live(channel, began, live.title, live.game_name)
            self.keepers[channel].seen_live_at = now
        elif live.reason == OFFLINE:
            await self.went_offline(channel, now)
        session = keeper.session
        if session.offline_since is not None and now - session.offline_since >= self.settings.offline_grace:
            await self.end(session.id, "the stream ended")

    async def went_live(self, channel: str, at: float, title: str = "", game: str = "") -> None:
        """A new session, unless this stream is the one that is kept already."""
        keeper = self.keepers.get(channel)
        if keeper is not None and self._is_this_stream(keeper, at):
            if keeper.session.live_since is None or keeper.session.offline_since is not None:
                await keeper.liveness(keeper.session.live_since or at, None)
        else:
            before = keeper.session if keeper is not None else None
            if before is not None:
                await self.end(before.id, "a new stream began", told=before.live_since is not None)
            prepared = before if before is not None and before.live_since is None else None
            keeper = await self.open(channel, live_since=at, prepared=prepared)
        if (title or game) and (title, game) != (keeper.session.title, keeper.session.game):
            await keeper.titled(title, game)

    def _is_this_stream(self, keeper: Keeper, at: float) -> bool:
        """Whether a stream that began at this moment is the one the session was opened for."""
        session = keeper.session
        last_live = session.offline_since or keeper.seen_live_at
        if session.live_since is not None and last_live is not None and at - last_live <= self.settings.offline_grace:
            return True
        return session.offline_since is None and at <= (session.live_since or session.started_at) + JUST_OPENED

    async def went_offline(self, channel: str, at: float) -> None:
        keeper = self.keepers.get(channel)
        if keeper is not None and keeper.session.live_since is not None and keeper.session.offline_since is None:
            await keeper.liveness(keeper.session.live_since, at)
