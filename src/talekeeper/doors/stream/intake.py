"""Group commit: lines that come while the disk is busy are written together; a line is acknowledged when it is on it."""

from __future__ import annotations

import asyncio

import msgspec
import structlog

from talekeeper.doors.common.house import House
from talekeeper.errors import TalekeeperError, TooMuch
from talekeeper.loops.companion.actions import Action
from talekeeper.loops.companion.hearing import Batch, Told, hear
from talekeeper.loops.companion.session import Session

log = structlog.get_logger("talekeeper.stream")

LINGER = 0.005
"""So long a batch is left to grow; nobody notices, and the disk is asked a tenth as often."""
MOST_WAITING = 20_000
MOST_AT_ONCE = 500
_PAUSES = (0.2, 1.0, 3.0)


class Waiting(msgspec.Struct):
    told: Told
    actions: tuple[Action, ...]
    done: asyncio.Future[None]


class Intake:
    def __init__(self, house: House, session: Session) -> None:
        self.session = session
        self.written = 0
        self._house = house
        self._waiting: list[Waiting] = []
        self._more = asyncio.Event()
        self._calm = asyncio.Event()
        self._calm.set()

    def put(self, told: Told, actions: tuple[Action, ...] = ()) -> asyncio.Future[None]:
        """The future is done when the line is on the disk, and fails when it could not be brought there."""
        if len(self._waiting) >= 2 * MOST_WAITING:
            raise TooMuch("More is said than can be written down.")
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # Most callers do not wait; what went wrong is logged here, once for the batch.
        done.add_done_callback(_looked_at)
        self._waiting.append(Waiting(told, actions, done))
        self._more.set()
        if len(self._waiting) >= MOST_WAITING:
            self._calm.clear()
        return done

    async def calm(self) -> None:
        """Waits while too much is waiting: whoever reads the chat then reads slower."""
        await self._calm.wait()

    async def flushed(self) -> None:
        """Everything that was put before is on the disk, or lost and logged."""
        if self._waiting:
            await asyncio.wait([self._waiting[-1].done])

    async def run(self) -> None:
        try:
            while True:
                await self._more.wait()
                if len(self._waiting) < MOST_AT_ONCE:
                    await asyncio.sleep(LINGER)
                batch = self._waiting[:MOST_AT_ONCE]
                await self._write(batch)
                del self._waiting[: len(batch)]
                if not self._waiting:
                    self._more.clear()
                if len(self._waiting) < MOST_WAITING // 2:
                    self._calm.set()
        finally:
            for waiting in self._waiting:
                waiting.done.cancel()

    async def _write(self, waiting: list[Waiting]) -> None:
        told = tuple(one.told for one in waiting)
        batch = Batch(self.session, told, tuple(action for one in waiting for action in one.actions))
        for pause in (*_PAUSES, None):
            try:
                await self._house.command(hear, batch)
            except TalekeeperError as error:
                log.error("lines_not_written", lines=len(told), error=str(error), again=pause is not None)
                if pause is None:
                    for one in waiting:
                        if not one.done.done():
                            one.done.set_exception(error)
                    return
                await asyncio.sleep(pause)
            else:
                self.written += len(told)
                for one in waiting:
                    if not one.done.done():
                        one.done.set_result(None)
                return


def _looked_at(done: asyncio.Future[None]) -> None:
    if not done.cancelled():
        done.exception()
