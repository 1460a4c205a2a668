"""The outbox: promised in the transaction of its cause, claimed by one runner, never forgotten."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection

from talekeeper.errors import NotFound
from talekeeper.testing.scribe import Scribe
from talekeeper.timeline import outbox
from talekeeper.timeline.outbox import Job
from talekeeper.timeline.store import Store
from talekeeper.timeline.vocabulary import Draft, LineSpoken

DRAFT = Draft(body=LineSpoken(speaker="person/mara", text="a"), by="person/mara")


class PromisingConformance:
    def test_events_and_their_effects_are_one_transaction(self, store: Store) -> None:
        scribe = Scribe(store)

        def turn(conn: Connection, *, fails: bool) -> None:
            last = scribe.appender.append(conn, "quay", "t1", [DRAFT])[-1].seq
            outbox.put(conn, [_job(last)])
            if fails:
                raise RuntimeError("the power went")

        with pytest.raises(RuntimeError):
            scribe.write(lambda conn: turn(conn, fails=True))
        assert (scribe.events(), scribe.write(lambda c: outbox.due(c, 100.0))) == ([], [])
        scribe.write(lambda conn: turn(conn, fails=False))
        assert [j.seq for j in scribe.read(lambda c: outbox.list_jobs(c))] == [1]

    def test_a_claimed_job_is_hidden_until_the_claim_runs_out(self, store: Store) -> None:
        scribe = Scribe(store)
        scribe.write(lambda c: outbox.put(c, [_job(1), _job(2, due_at=50.0)]))
        (claimed,) = scribe.write(lambda c: outbox.claim(c, outbox.due(c, 10.0), 30.0))
        assert (claimed.seq, claimed.attempts) == (1, 1)
        assert scribe.write(lambda c: outbox.due(c, 29.0)) == []
        assert scribe.read(outbox.next_due) == 30.0
        assert [(j.seq, j.attempts) for j in scribe.write(lambda c: outbox.due(c, 31.0))] == [(1, 1)]

    def test_two_runners_share_the_work(self, store: Store) -> None:
        scribe = Scribe(store)
        scribe.write(lambda c: outbox.put(c, [_job(seq) for seq in range(1, 41)]))

        def claim(_: int) -> list[int]:
            return [j.seq for j in scribe.write(lambda c: outbox.claim(c, outbox.due(c, 10.0, limit=5), 99.0))]

        with ThreadPoolExecutor(8) as pool:
            claimed = [seq for batch in pool.map(claim, range(24)) for seq in batch]
        assert sorted(claimed) == list(range(1, 41))

    def test_a_job_ends_done_or_parked_with_the_reason(self, store: Store) -> None:
        scribe = Scribe(store)
        jobs = [_job(1), _job(2), _job(3)]
        scribe.write(lambda c: outbox.put(c, jobs))
        scribe.write(lambda c: outbox.finish(c, jobs[0], 5.0))
        scribe.write(lambda c: outbox.fail(c, jobs[1], "no luck", retry_at=77.0, now=5.0))
        scribe.write(lambda c: outbox.fail(c, jobs[2], "poison", retry_at=None, now=5.0))
        assert {
            j.seq: (j.state, j.error) for j in scribe.read(lambda c: outbox.list_jobs(c, ("done", "pending", "parked")))
        } == {1: ("done", None), 2: ("pending", "no luck"), 3: ("parked", "poison")}
        assert scribe.read(outbox.next_due) == 77.0

    def test_a_parked_job_gets_a_fresh_start_by_name_or_with_all(self, store: Store) -> None:
        scribe = Scribe(store)
        jobs = [_job(1), _job(2)]
        scribe.write(lambda c: outbox.put(c, jobs))
        for job in jobs:
            scribe.write(lambda c, j=job: outbox.fail(c, j, "poison", retry_at=None, now=5.0))  # type: ignore[misc]
        assert scribe.write(lambda c: outbox.retry_parked(c, 9.0, "recap:quay/t1@2")) == 1
        assert [(j.seq, j.attempts) for j in scribe.write(lambda c: outbox.due(c, 9.0))] == [(2, 0)]
        with pytest.raises(NotFound):
            scribe.write(lambda c: outbox.retry_parked(c, 9.0, "recap:quay/t1@2"))
        assert scribe.write(lambda c: outbox.retry_parked(c, 9.0)) == 1


def _job(seq: int, due_at: float = 0.0) -> Job:
    return Job("recap", 1, "quay", "t1", seq, due_at=due_at)
