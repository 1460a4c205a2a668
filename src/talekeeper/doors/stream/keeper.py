"""The keeper of one channel's session: it hears every line, flags it or keeps it, and knows when it may speak."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection

from talekeeper.agents.companion.context import StreamContext
from talekeeper.agents.companion.dashboard import Dashboard
from talekeeper.agents.companion.librarian import worth_keeping
from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.policy import Decision, Lull, weigh
from talekeeper.agents.companion.second_reader import SecondReader
from talekeeper.agents.companion.style import clean
from talekeeper.agents.companion.warden import Warden
from talekeeper.doors.common.house import House
from talekeeper.doors.stream.feed import Feed
from talekeeper.doors.stream.intake import Intake
from talekeeper.doors.stream.moments import iso
from talekeeper.doors.stream.mouth import Mouth
from talekeeper.doors.stream.room import Room
from talekeeper.doors.stream.settings import CompanionSettings
from talekeeper.llm.model import Model
from talekeeper.loops.companion import dashboards
from talekeeper.loops.companion.actions import Action, ActionType, record
from talekeeper.loops.companion.automata import Automata
from talekeeper.loops.companion.hearing import Flagged, Removal, Told, remove
from talekeeper.loops.companion.memories import memories_of
from talekeeper.loops.companion.recovery import Recovered
from talekeeper.loops.companion.session import Session, change
from talekeeper.loops.companion.speaking import DecisionMade, Held, hold
from talekeeper.observe.charge import Charge, charged_to
from talekeeper.observe.ids import random_id

MOST_TEXT = 2000
OWN_LINES = 50
LONGEST_HUSH = 24 * 60.0
TO_AN_EMPTY_ROOM = 2
"""So often it speaks into one silence; a third time would be talking to itself."""
STALE = 90 * 60.0
"""What was said longer ago is taken up by nobody; to quote it would be odd."""
_IN_CONTEXT = 12


class HeardLine(msgspec.Struct):
    """What became of a line when it was heard."""

    line: ChatLine
    flag: Flagged | None = None
    kept: bool = False
    durable: asyncio.Future[None] | None = None
    """None where it was heard before."""

    @property
    def actions_taken(self) -> list[str]:
        taken = [f"WARDEN_FLAG: {self.flag.severity}"] if self.flag else []
        return [*taken, "LIBRARIAN_ARCHIVE"] if self.kept else taken


class Keeper:
    def __init__(
        self, house: House, settings: CompanionSettings, mouth: Mouth, feed: Feed, recovered: Recovered,
        model: Model | None = None, reader: SecondReader | None = None,
    ) -> None:  # fmt: skip
        self.house = house
        self.settings = settings
        self.mouth = mouth
        self.feed = feed
        self.model = model
        self.reader = reader
        self.session: Session = recovered.session
        self.dashboard: Dashboard | None = dashboards.read(recovered.session)
        self.room = Room(settings.silent_names, recovered.known)
        self._automata = Automata()
        for line, flag in recovered.lines:
            self.room.has(line.id)
            self.room.take(line, flag)
            self._automata.note(line)
        self.own: list[str] = list(recovered.own)
        self.last_prompt_at = recovered.last_prompt_at
        self.last_decision = recovered.last_decision
        self.unanswered = recovered.unanswered
        """Its own observations since somebody last wrote."""
        self.not_before = 0.0
        """After a line that did not arrive: it is not tried again every minute."""
        self.streamer_talking = False
        self.streamer_silent_since: float | None = None
        self.looked_for_clips_at = float("-inf")
        self.closed = False
        self.messages = recovered.session.messages
        self.intake = Intake(house, recovered.session)
        self.seen_live_at: float | None = None
        self.speaking = asyncio.Lock()
        """One prompt is written at a time."""
        self.approving = asyncio.Lock()
        """A held line is said once, whoever else approves it."""
        self._warden = Warden()

    @property
    def now(self) -> float:
        return self.house.services.clock()

    def hear(self, line: ChatLine, *, answered: bool = False, noted: str = "") -> HeardLine:
        """One line, at once: what it means is known now, that it is kept when `durable` is done.

        `noted` is what somebody asked to be remembered.
        """
        line = msgspec.structs.replace(
            line, text=clean(line.text[: 2 * MOST_TEXT])[:MOST_TEXT], name=clean(line.name).lower(),
            display=clean(line.display), channel=self.session.channel,
        )  # fmt: skip
        heard = HeardLine(line)
        if self.room.has(line.id):
            return heard
        if not line.bot and self._automata.note(line):
            line = heard.line = msgspec.structs.replace(line, bot=True)
        person = self.room.is_person(line)
        flag = self._warden.read(line) if person and not line.trusted else None
        flags: tuple[Flagged, ...] = ()
        if flag is not None:
            messages = (line.id, *(earlier for earlier in flag.lines if earlier != line.id))
            flags = tuple(Flagged(message, flag.severity, flag.reason, flag.score) for message in messages)
            heard.flag = flags[0]
            self.room.flag(flags[1:])
        heard.kept = person and flag is None and worth_keeping(line, answered)
        stranger = self.room.take(line, heard.flag)
        if person and flag is None:
            self.unanswered = 0
        heard.durable = self.intake.put(Told(line, heard.kept, flags, stranger), self._actions(heard, noted))
        self.messages += 1
        if self.feed.watched:
            self.feed.tell("line", line_body(line, heard.flag), self.session.channel)
        return heard

    def _actions(self, heard: HeardLine, noted: str) -> tuple[Action, ...]:
        line = heard.line
        if heard.flag is not None:
            what = f"{line.speaker}: {heard.flag.reason}"
            return (self._of_line(line, "flag", "warden", what, heard.flag.severity),)
        if heard.kept:
            what = f"{line.speaker} asked to remember: {noted}" if noted else f"{line.speaker}: {line.text}"
            return (self._of_line(line, "archive", "librarian", what, "worth keeping"),)
        return ()

    def _of_line(self, line: ChatLine, type_: ActionType, mode: str, text: str, reason: str) -> Action:
        """Numbered and not drawn: a line has one at most, and randomness costs as much as the Warden."""
        return Action(
            id=f"{self.session.id}-{self.messages}", world=self.session.world, session=self.session.id, at=line.at,
            type=type_, mode=mode, text=text, reason=reason, message=line.id,
        )  # fmt: skip

    def action(self, type_: ActionType, mode: str, text: str, reason: str, at: float) -> Action:
        return Action(
            id=random_id(), world=self.session.world, session=self.session.id, at=at, type=type_, mode=mode,
            text=text, reason=reason,
        )  # fmt: skip

    async def remove(self, message: str = "", name: str = "") -> None:
        """A moderator took words back: they leave the ear, the store, the memory, and what was said about them."""
        self.room.remove(message, name)
        self.feed.tell("removed", {"message": message, "name": name}, self.session.channel)
        await self.intake.flushed()
        await self.house.command(remove, Removal(session=self.session, at=self.now, message=message, name=name))

    async def hush(self, minutes: float, by: str) -> float:
        """Until when nothing is said; 0 minutes ends a hush."""
        until = self.now + 60 * min(max(minutes, 0.0), LONGEST_HUSH)
        said = f"Silent for {minutes:g} minutes." if minutes > 0 else "The silence is over."
        action = self.action("suppress", "steward", said, f"asked by {by}", self.now)

        def keep(conn: Connection) -> None:
            change(conn, self.session.id, hushed_until=until)
            record(conn, [action])

        await self.house.store.write(keep)
        self.session = msgspec.structs.replace(self.session, hushed_until=until)
        return until

    async def save_dashboard(self, given: Mapping[str, object]) -> Dashboard:
        """In force with the next word."""
        saved = await self.house.command(dashboards.save, dashboards.Saving(self.session.id, given))
        self.session = msgspec.structs.replace(self.session, dashboard=saved.dashboard, theme=saved.theme)
        self.dashboard = dashboards.read(saved)
        assert self.dashboard is not None
        return self.dashboard

    async def titled(self, title: str, game: str) -> None:
        await self.house.store.write(lambda conn: change(conn, self.session.id, title=title, game=game))
        self.session = msgspec.structs.replace(self.session, title=title, game=game)

    async def liveness(self, live_since: float | None, offline_since: float | None) -> None:
        values = {"live_since": live_since, "offline_since": offline_since}
        await self.house.store.write(lambda conn: change(conn, self.session.id, **values))
        self.session = msgspec.structs.replace(self.session, **values)

    def streamer(self, *, talking: bool) -> None:
        """An optional signal, such as from OBS; without it nobody guesses."""
        self.streamer_silent_since = None if talking else self.streamer_silent_since or self.now
        self.streamer_talking = talking

    @property
    def hushed(self) -> bool:
        return self.now < self.session.hushed_until

    @property
    def at_liberty(self) -> bool:
        """Nobody asked for silence, and the session goes on."""
        return not (self.closed or self.hushed)

    def decide(self, *, live: bool, now: float | None = None) -> Decision:
        session = self.session
        moment = self.now if now is None else now
        lull = Lull(
            now=moment, session_started=session.started_at, live_since=session.live_since,
            required_live=not self.mouth.gate.open_to_all, live=live, last_prompt_at=self.last_prompt_at,
            lines=self.room.latest(), hushed_until=session.hushed_until or None, streamer_talking=self.streamer_talking,
            streamer_silent_since=self.streamer_silent_since, newcomers=self.room.newcomers(moment),
            settings=self.settings.thresholds,
        )  # fmt: skip
        decision = weigh(lull, session.theme)
        if decision.speak and self.unanswered >= TO_AN_EMPTY_ROOM:
            said = "Nobody took up what it said last; it waits for somebody to write."
            decision = msgspec.structs.replace(decision, speak=False, reason="cooldown", details=(said,))
        return decision

    async def note(self, decision: DecisionMade) -> None:
        """Kept when it differs from the one before: why it spoke, and why it did not."""
        before = self.last_decision
        if before is not None and (before.speak, before.reason) == (decision.speak, decision.reason):
            return
        self.last_decision = decision
        held = Held(
            session=self.session, at=decision.at, reason=decision.reason, speak=decision.speak, details=decision.details
        )
        await self.house.command(hold, held)
        self.feed.tell("decision", decision_body(decision), self.session.channel)

    async def context(self) -> StreamContext:
        """What it may know now; a model that is given it is charged to this session."""
        charged_to.set(Charge(self.session.world, self.session.id))
        recent = tuple(line for line in self.room.latest()[-_IN_CONTEXT:] if self.now - line.at <= STALE)
        session = self.session
        cue = " ".join((session.theme, session.title, *(line.text for line in recent[-5:])))
        memories = await self.house.store.read(lambda conn: memories_of(conn, session, cue))
        return StreamContext(
            channel=session.channel, bot=self.settings.bot, operator=self.settings.operator or session.channel,
            theme=session.theme, dashboard=self.dashboard, title=session.title, game=session.game, recent=recent,
            own=tuple(self.own), memories=memories, now=self.now,
        )  # fmt: skip

    def said(self, text: str, *, prompt: bool = False) -> None:
        self.own = [*self.own, text][-OWN_LINES:]
        if prompt:
            self.last_prompt_at = self.now
            self.unanswered += 1


def decision_body(decision: DecisionMade) -> dict[str, object]:
    return {
        "at": iso(decision.at), "speak": decision.speak, "reason": decision.reason, "details": decision.details,
    }  # fmt: skip


def line_body(line: ChatLine, flag: Flagged | None) -> dict[str, object]:
    body: dict[str, object] = {
        "id": line.id, "at": iso(line.at), "name": line.name, "display": line.speaker, "text": line.text,
        "badges": line.badges,
    }  # fmt: skip
    if flag is not None:
        body["flag"] = {"severity": flag.severity, "reason": flag.reason}
    return body
