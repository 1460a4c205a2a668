"""Turn rows: one running turn a scene, leases that fence, states that only go forward."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection

from talekeeper.errors import Conflict, NotFound, TurnInProgress
from talekeeper.testing.clock import FakeClock
from talekeeper.testing.scribe import Scribe
from talekeeper.timeline.append import lock_head
from talekeeper.timeline.ids import turn_id
from talekeeper.timeline.store import Store
from talekeeper.timeline.turns import (
    LEASE_SECONDS,
    Turn,
    accept,
    failed_turn,
    find_by_idem,
    get_turn,
    highest_running,
    last_turn,
    release_leases,
    renew_lease,
    reopen_failed,
    running_turn,
    take_lease,
    turn_on_path,
    turns_along,
    unfinished,
    write_turn,
)


class LeasingConformance:
    def test_one_turn_at_a_time_in_a_scene(self, store: Store) -> None:
        table = _Table(store)
        first = table.accept(1)
        with pytest.raises(TurnInProgress):
            table.accept(2)
        assert table.accept(2, scene="t1/s9").number == 2, "another scene goes on meanwhile"
        table.end(first, 3)
        assert table.accept(3).state == "accepted"

    def test_of_many_at_once_one_is_accepted(self, store: Store) -> None:
        table = _Table(store)

        def attempt(_: int) -> bool:
            try:
                table.accept(1)
            except TurnInProgress:
                return False
            return True

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(attempt, range(16))) == 1

    def test_the_same_request_finds_its_turn(self, store: Store) -> None:
        table = _Table(store)
        turn = table.accept(1, idem="request-1")
        assert table.read(lambda c: find_by_idem(c, "quay", "request-1")) == turn
        assert table.read(lambda c: find_by_idem(c, "quay", "request-2")) is None
        assert table.read(lambda c: find_by_idem(c, "elsewhere", "request-1")) is None

    def test_a_step_is_written_by_the_holder_only(self, store: Store) -> None:
        table = _Table(store)
        turn = table.accept(1, owner="a")
        table.clock.advance(LEASE_SECONDS + 1)
        assert table.write(lambda c: take_lease(c, turn, "b", table.clock()))
        with pytest.raises(Conflict):
            table.write(lambda c: write_turn(c, turn, state="resolved"))
        mine = table.get(turn.id)
        assert (mine.lease_owner, mine.state) == ("b", "accepted")
        assert table.write(lambda c: write_turn(c, mine, state="resolved")).state == "resolved"
        assert table.get(turn.id).state == "resolved"

    def test_of_many_that_see_a_lease_run_out_one_gets_it(self, store: Store) -> None:
        table = _Table(store)
        turn = table.accept(1, owner="dead")
        table.clock.advance(LEASE_SECONDS + 1)
        with ThreadPoolExecutor(8) as pool:
            took = list(
                pool.map(lambda n: table.write(lambda c: take_lease(c, turn, f"p{n}", table.clock())), range(8))
            )
        assert sum(took) == 1

    def test_a_renewed_lease_does_not_run_out(self, store: Store) -> None:
        table = _Table(store)
        turn = table.accept(1, owner="a")
        table.clock.advance(LEASE_SECONDS - 1)
        assert table.write(lambda c: renew_lease(c, "quay", turn.id, "a", table.clock()))
        assert not table.write(lambda c: renew_lease(c, "quay", turn.id, "b", table.clock()))
        table.clock.advance(LEASE_SECONDS - 1)
        assert table.unfinished() == []
        table.clock.advance(2)
        assert [t.id for t in table.unfinished()] == [turn.id]

    def test_leases_may_be_declared_void_or_given_back(self, store: Store) -> None:
        table = _Table(store)
        turn = table.accept(1, owner="a")
        assert table.unfinished() == []
        assert [t.id for t in table.unfinished(leases_void=True)] == [turn.id]
        table.write(lambda c: release_leases(c, "b"))
        assert table.unfinished() == []
        table.write(lambda c: release_leases(c, "a"))
        assert [t.id for t in table.unfinished()] == [turn.id]

    def test_an_ended_turn_is_left_alone(self, store: Store) -> None:
        table = _Table(store)
        turn = table.accept(1, owner="a")
        table.end(turn, 3)
        assert table.unfinished(leases_void=True) == []
        assert not table.write(lambda c: take_lease(c, table.get(turn.id), "b", table.clock()))
        assert not table.write(lambda c: renew_lease(c, "quay", turn.id, "a", table.clock()))
        assert table.read(lambda c: running_turn(c, "quay", "t1")) is None

    def test_a_failed_turn_gives_its_number_to_the_next(self, store: Store) -> None:
        table = _Table(store)
        failed = table.accept(1, text="first try")
        table.write(lambda c: write_turn(c, failed, state="failed", error="{}"))
        assert table.read(lambda c: failed_turn(c, "quay", "t1", 0)) is not None
        again = table.accept(1, text="second try")
        assert table.get(again.id).intent == "second try"
        assert table.read(lambda c: failed_turn(c, "quay", "t1", 0)) is None

    def test_a_failed_turn_is_reopened_where_it_stood(self, store: Store) -> None:
        table = _Table(store)
        turn = table.accept(1)
        table.write(lambda c: write_turn(c, turn, outcome="{}", state="resolved", attempt=3))
        failed = table.write(lambda c: write_turn(c, table.get(turn.id), state="failed", error="{}"))
        opened = table.write(lambda c: reopen_failed(c, failed, "b", table.clock(), scene=turn.scene, head=7))
        assert (opened.state, opened.attempt, opened.error, opened.outcome) == ("resolved", 1, None, "{}")
        assert opened.base_seq == 7, "the world may have moved since"
        assert table.get(turn.id) == opened
        with pytest.raises(TurnInProgress):
            table.accept(2)

    def test_turns_along_a_path(self, store: Store) -> None:
        table = _Table(store)
        for number, last in ((1, 2), (2, 4), (3, 6)):
            table.end(table.accept(number), last)
        table.scribe.fork(at=4)
        table.end(table.accept(3, timeline="t2"), 8)
        there, here = table.scribe.path("t2"), table.scribe.path("t1")
        assert [t.id for t in table.read(lambda c: turns_along(c, there))] == ["t1#1", "t1#2", "t2#3"]
        assert [t.id for t in table.read(lambda c: turns_along(c, there, limit=2))] == ["t1#2", "t2#3"]
        assert table.read(lambda c: last_turn(c, here)).id == "t1#3"  # type: ignore[union-attr]
        assert table.read(lambda c: last_turn(c, there.until(7))).id == "t1#2"  # type: ignore[union-attr]
        assert table.read(lambda c: last_turn(c, here.until(1))) is None
        assert table.read(lambda c: turn_on_path(c, there, 3)).id == "t2#3"  # type: ignore[union-attr]
        assert table.read(lambda c: turn_on_path(c, there, 4)) is None

    def test_numbers_of_running_turns_are_taken(self, store: Store) -> None:
        table = _Table(store)
        assert table.read(lambda c: highest_running(c, "quay", "t1")) == 0
        table.accept(4, scene="t1/s1")
        turn = table.accept(5, scene="t1/s2")
        assert table.read(lambda c: highest_running(c, "quay", "t1")) == 5
        table.end(turn, 3)
        assert table.read(lambda c: highest_running(c, "quay", "t1")) == 4

    def test_an_unknown_turn_is_not_found(self, store: Store) -> None:
        table = _Table(store)
        with pytest.raises(NotFound):
            table.get("t1#9")


class _Table:
    """A scene at which turns are accepted and ended by hand."""

    def __init__(self, store: Store) -> None:
        self.clock = FakeClock()
        self.scribe = Scribe(store, clock=self.clock)
        for n in range(8):
            self.scribe.say(str(n))
        self.read = self.scribe.read
        self.write = self.scribe.write

    def accept(
        self,
        number: int,
        *,
        timeline: str = "t1",
        scene: str = "t1/s1",
        owner: str = "a",
        idem: str | None = None,
        text: str = "{}",
    ) -> Turn:
        def work(conn: Connection) -> Turn:
            lock_head(conn, "quay", timeline)
            now = self.clock()
            turn = Turn(
                world="quay", id=turn_id(timeline, number), timeline=timeline, scene=scene, number=number,
                actor="person/mara", intent=text, base_seq=1, idem=idem, lease_owner=owner,
                lease_until=now + LEASE_SECONDS, accepted_at=now,
            )  # fmt: skip
            return accept(conn, turn)

        return self.write(work)

    def end(self, turn: Turn, last_seq: int) -> Turn:
        return self.write(lambda conn: write_turn(conn, turn, state="done", last_seq=last_seq))

    def get(self, turn: str) -> Turn:
        return self.read(lambda conn: get_turn(conn, "quay", turn))

    def unfinished(self, *, leases_void: bool = False) -> list[Turn]:
        return self.read(lambda conn: unfinished(conn, self.clock(), leases_void=leases_void))
