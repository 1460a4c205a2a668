"""Runs effects in this process from the outbox: retried with backoff, parked with the reason when they keep failing."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

import structlog
from sqlalchemy import Connection

from talekeeper.effects.effect import Effect
from talekeeper.errors import TalekeeperError
from talekeeper.observe.clock import Clock
from talekeeper.observe.observer import EffectResult, Observer, Silence
from talekeeper.timeline import outbox
from talekeeper.timeline.outbox import Job
from talekeeper.timeline.store import Store

log = structlog.get_logger("talekeeper.effects")

MOST_ATTEMPTS = 5
CLAIM_SECONDS = 120.0
BATCH = 50
_IDLE_SECONDS = 30.0
_SHORTEST_SECONDS = 0.05


class _Hopeless(Exception):
    """Trying again will not help."""


class EffectsRunner:
    def __init__(self, store: Store, clock: Clock, effects: Sequence[Effect], observer: Observer | None = None) -> None:
        self._store = store
        self._clock = clock
        self._observer = observer or Silence()
        self._effects = {(effect.name, effect.version): effect for effect in effects}
        self._news = asyncio.Event()

    def wake(self) -> None:
        self._news.set()

    async def run(self) -> None:
        """Until cancelled. A job that was claimed by a process that died comes back when its claim runs out."""
        while True:
            self._news.clear()
            pause = _IDLE_SECONDS
            try:
                await self.drain()
                due = await self._store.read(outbox.next_due)
                if due is not None:
                    pause = min(_IDLE_SECONDS, max(_SHORTEST_SECONDS, due - self._clock()))
            except TalekeeperError as error:
                log.warning("effects_wait", error=str(error))
            # Not wait_for: on Python 3.11 it swallows a cancellation that comes together with the news.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._news.wait()

    async def drain(self) -> int:
        """Run everything that is due now; says how many jobs ended well."""
        done, full = 0, True
        while full:
            jobs = await self._store.write(self._claim)
            full = len(jobs) == BATCH
            for job in jobs:
                started = self._clock()
                result = await self._attempt(job)
                self._observer.effect_ended(job.effect, result, self._clock() - started)
                done += result == "done"
        return done

    def _claim(self, conn: Connection) -> list[Job]:
        now = self._clock()
        return outbox.claim(conn, outbox.due(conn, now, BATCH), now + CLAIM_SECONDS)

    async def _attempt(self, job: Job) -> EffectResult:
        effect = self._effects.get((job.effect, job.version))
        try:
            if effect is None:
                raise _Hopeless(f"no effect {job.effect} version {job.version} in this Talekeeper")
            if job.attempts > MOST_ATTEMPTS:
                raise _Hopeless(f"its runner did not live to tell how it went, {MOST_ATTEMPTS} times")
            await effect.run(self._store, job)
        except Exception as error:  # noqa: BLE001 - whatever an effect does wrong, the others go on
            return await self._failed(job, error)
        await self._store.write(lambda conn: outbox.finish(conn, job, self._clock()))
        return "done"

    async def _failed(self, job: Job, error: Exception) -> EffectResult:
        now = self._clock()
        hopeless = isinstance(error, _Hopeless)
        last = hopeless or job.attempts >= MOST_ATTEMPTS
        reason = str(error) if hopeless else f"{type(error).__name__}: {error}"
        retry_at = None if last else now + 2.0 ** (job.attempts - 1)
        log.warning("effect_failed", job=job.id, attempt=job.attempts, parked=last, error=reason)
        await self._store.write(lambda conn: outbox.fail(conn, job, reason, retry_at=retry_at, now=now))
        return "parked" if last else "failed"
