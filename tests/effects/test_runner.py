"""Effects from the outbox: tried again with patience, parked with the reason, never lost, never twice to any harm."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from talekeeper.effects.effect import Effect
from talekeeper.effects.runner import CLAIM_SECONDS, MOST_ATTEMPTS, EffectsRunner
from talekeeper.errors import StoreDown
from talekeeper.testing.clock import FakeClock
from talekeeper.testing.scribe import Scribe
from talekeeper.timeline import outbox
from talekeeper.timeline.outbox import Job


class Bench:
    """A runner on a store, with one effect that does as the test says."""

    def __init__(self, store, clock: FakeClock) -> None:
        self.scribe = Scribe(store, clock=clock)
        self.clock = clock
        self.ran: list[int] = []
        self.trouble: BaseException | None = None
        self.runner = self.another()

    def another(self) -> EffectsRunner:
        return EffectsRunner(self.scribe.store, self.clock, [Effect("ink", 1, self._run)])

    async def _run(self, _store, job: Job) -> None:
        self.ran.append(job.seq)
        if self.trouble is not None:
            raise self.trouble

    def ask(self, seq: int = 1, effect: str = "ink", version: int = 1) -> None:
        job = Job(effect, version, "quay", "t1", seq, due_at=self.clock())
        self.scribe.write(lambda conn: outbox.put(conn, [job]))

    def job(self, seq: int = 1) -> Job:
        jobs = self.scribe.read(lambda conn: outbox.list_jobs(conn, ("pending", "done", "parked")))
        return next(job for job in jobs if job.seq == seq)


@pytest.fixture
def bench(store, clock: FakeClock) -> Bench:
    return Bench(store, clock)


async def test_what_is_due_is_run_once(bench: Bench) -> None:
    for seq in (1, 2, 3):
        bench.ask(seq)
    assert await bench.runner.drain() == 3
    assert await bench.runner.drain() == 0
    assert bench.ran == [1, 2, 3]
    assert bench.job().state == "done"


async def test_failures_are_tried_again_later_and_later_and_then_parked(bench: Bench) -> None:
    bench.ask()
    bench.trouble = RuntimeError("no ink")
    pauses = []
    while (job := bench.job()).state == "pending":
        pauses.append(job.due_at - bench.clock())
        bench.clock.advance(max(0.0, pauses[-1]))
        await bench.runner.drain()
    assert pauses == [0.0, 1.0, 2.0, 4.0, 8.0]
    assert (job.state, job.attempts, job.error) == ("parked", MOST_ATTEMPTS, "RuntimeError: no ink")
    bench.clock.advance(1e6)
    assert await bench.runner.drain() == 0
    assert len(bench.ran) == MOST_ATTEMPTS


async def test_one_that_fails_does_not_hold_up_the_others(bench: Bench) -> None:
    bench.ask(1, effect="unknown")
    bench.ask(2)
    assert await bench.runner.drain() == 1
    assert (bench.job(1).state, bench.job(1).error) == ("parked", "no effect unknown version 1 in this Talekeeper")
    assert bench.job(2).state == "done"


async def test_a_parked_one_may_be_retried(bench: Bench) -> None:
    bench.ask(effect="ink", version=9)
    await bench.runner.drain()
    assert bench.job().state == "parked"
    bench.scribe.write(lambda conn: outbox.retry_parked(conn, bench.clock()))
    assert (bench.job().state, bench.job().attempts) == ("pending", 0)


async def test_a_claim_that_runs_out_comes_back(bench: Bench) -> None:
    """The process died between claiming and finishing: another takes it up when the claim has run out."""
    bench.ask()
    await bench.scribe.store.write(bench.runner._claim)
    assert await bench.another().drain() == 0
    bench.clock.advance(CLAIM_SECONDS + 1)
    assert await bench.another().drain() == 1
    assert bench.ran == [1]


async def test_one_that_takes_its_runner_down_is_parked_in_the_end(bench: Bench) -> None:
    bench.ask()
    for _ in range(MOST_ATTEMPTS):
        await bench.scribe.store.write(bench.runner._claim)
        bench.clock.advance(CLAIM_SECONDS + 1)
    await bench.runner.drain()
    assert bench.ran == []
    assert bench.job().state == "parked"
    assert "did not live to tell" in (bench.job().error or "")


async def test_it_sleeps_until_there_is_news(bench: Bench) -> None:
    running = asyncio.ensure_future(bench.runner.run())
    bench.ask()
    while not bench.ran:
        bench.runner.wake()
        await asyncio.sleep(0)
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await running
    assert running.cancelled()


async def test_it_can_be_stopped_at_the_very_moment_of_news(bench: Bench) -> None:
    running = asyncio.ensure_future(bench.runner.run())
    for _ in range(200):
        await asyncio.sleep(0)
    bench.runner.wake()
    running.cancel()
    async with asyncio.timeout(10):
        with contextlib.suppress(asyncio.CancelledError):
            await running


async def test_a_database_that_is_away_for_a_while_does_not_end_it(bench: Bench, monkeypatch) -> None:
    tries = 0
    claim = bench.runner._claim

    def away(conn):
        nonlocal tries
        tries += 1
        if tries == 1:
            raise StoreDown("The database did not answer.")
        return claim(conn)

    monkeypatch.setattr(bench.runner, "_claim", away)
    bench.ask()
    running = asyncio.ensure_future(bench.runner.run())
    while not bench.ran:
        bench.runner.wake()
        await asyncio.sleep(0)
    running.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await running
    assert tries >= 2
