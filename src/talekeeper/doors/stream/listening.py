"""What a channel's transport hears, brought to its keeper: lines, words taken back, going live and ending."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog

from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.steward import Command, addressed
from talekeeper.doors.stream.answering import Manners, reply
from talekeeper.doors.stream.keeper import HeardLine, Keeper
from talekeeper.doors.stream.transport.port import Heard, LineHeard, LineRemoved, TitleChanged, WentLive, WentOffline
from talekeeper.observe.tasks import Supervisor

if TYPE_CHECKING:
    from talekeeper.doors.stream.sessions import Companion

log = structlog.get_logger("talekeeper.stream")

MOST_ANSWERS = 5
"""More than that are not being written at once; who asks then is not heard."""


class Listener:
    def __init__(self, companion: Companion, tasks: Supervisor, channel: str) -> None:
        self._companion = companion
        self._tasks = tasks
        self._channel = channel
        self._manners = Manners()
        self._answering = 0

    async def heard(self, heard: Heard) -> None:
        keeper = self._companion.keepers.get(self._channel)
        match heard:
            case LineHeard(line):
                if keeper is not None:
                    await self.line(keeper, line)
            case LineRemoved(message, name):
                if keeper is not None:
                    await keeper.remove(message, name)
            case WentLive():
                await self._companion.went_live(self._channel, heard.at, heard.title, heard.game)
            case WentOffline():
                await self._companion.went_offline(self._channel, heard.at)
            case TitleChanged():
                if keeper is not None:
                    await keeper.titled(heard.title, heard.game)

    async def line(self, keeper: Keeper, line: ChatLine) -> None:
        await keeper.intake.calm()
        if keeper.closed:
            return
        heard, command = await self.understood(keeper, line)
        if command is not None and self._answering < MOST_ANSWERS:
            self._answering += 1
            self._tasks.spawn(self._reply(keeper, heard.line, command), "answer")

    async def understood(self, keeper: Keeper, line: ChatLine) -> tuple[HeardLine, Command | None]:
        """The line as it was heard, and what there is to answer; a hush is obeyed here."""
        heard, command = take(keeper, line)
        if command is None or heard.flag is not None or heard.durable is None:
            return heard, None
        if command.kind == "hush":
            await keeper.hush(command.minutes, line.name)
            return heard, None
        return heard, command if self._manners.allow(line, keeper.now) else None

    async def _reply(self, keeper: Keeper, line: ChatLine, command: Command) -> None:
        try:
            await reply(keeper, line, command)
        finally:
            self._answering -= 1


def take(keeper: Keeper, line: ChatLine) -> tuple[HeardLine, Command | None]:
    """The line in the keeper's ear, and what it asks of the companion."""
    # Hardly any line is for the companion, and most show it at a glance.
    asks = ("!" in line.text or "@" in line.text) and keeper.room.is_person(line)
    command = addressed(line, keeper.settings.bot) if asks else None
    noted = command.argument if command is not None and command.kind == "remember" else ""
    return keeper.hear(line, answered=command is not None, noted=noted), command
