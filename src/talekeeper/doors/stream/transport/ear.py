"""Hands on what a transport hears, in order, on a task of its own: a listener may send while it listens."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self

import structlog

from talekeeper.doors.stream.transport.port import Heard, Hearing

log = structlog.get_logger("talekeeper.stream")

_BACKLOG = 10_000
_PATIENCE = 5.0
"""Seconds a listener gets in the end for what it has not dealt with."""


class Ear:
    def __init__(self, heard: Hearing) -> None:
        self._heard = heard
        self._waiting: asyncio.Queue[Heard | None] = asyncio.Queue(_BACKLOG)
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run(), name="chat hearing")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, _e: BaseException | None, _t: TracebackType | None
    ) -> None:
        assert self._task is not None
        try:
            if kind is not asyncio.CancelledError:
                async with asyncio.timeout(_PATIENCE):
                    await self._waiting.put(None)
                    await self._task
        except TimeoutError:
            log.warning("chat_left_unheard", lines=self._waiting.qsize())
        finally:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def tell(self, heard: Heard) -> None:
        await self._waiting.put(heard)

    async def _run(self) -> None:
        while (one := await self._waiting.get()) is not None:
            try:
                await self._heard(one)
            except Exception as error:
                log.error("hearing_failed", kind=type(one).__name__, error=repr(error), exc_info=error)
