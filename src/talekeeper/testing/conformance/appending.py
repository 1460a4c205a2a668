"""Appending: gapless, in commit order, once per idempotency key, all or nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import Connection

from talekeeper.errors import BadInput, HeadMoved, NotFound
from talekeeper.testing.scribe import Scribe, texts
from talekeeper.timeline.append import Appender
from talekeeper.timeline.events import events_of_turn, get_event, read_events
from talekeeper.timeline.store import Store
from talekeeper.timeline.vocabulary import (
    ActionTaken,
    Draft,
    FleetDeed,
    LineSpoken,
    NarrationTold,
    TimePassed,
)


def line(text: str, idem: str | None = None) -> Draft:
    return Draft(body=LineSpoken(speaker="person/mara", text=text), by="person/mara", idem=idem)


class AppendingConformance:
    def test_events_are_numbered_from_one_without_gaps(self, store: Store) -> None:
        scribe = Scribe(store)
        first = scribe.append([line("a"), line("b")])
        second = scribe.append([line("c")])
        assert [e.id for e in [*first, *second]] == ["t1@1", "t1@2", "t1@3"]

    def test_an_event_reads_as_it_was_written(self, store: Store) -> None:
        scribe = Scribe(store)
        draft = Draft(
            body=ActionTaken(actor="person/mara", text="Öffne die Tür — “now”\u0000\n🜂", verb="open"),
            by="person/mara", witnesses=("person/mara", "person/tam"), story_time=981, scene="t1/s1", turn="t1#1",
            place="place/quay", cause="t1@1", idem="once", at=12.5,
        )  # fmt: skip
        (written,) = scribe.append([draft])
        assert scribe.events() == [written]
        assert scribe.read(lambda conn: get_event(conn, "quay", "t1@1")) == written
        assert scribe.read(lambda conn: events_of_turn(conn, "quay", "t1#1")) == [written]

    def test_many_writers_leave_no_gap_and_lose_nothing(self, store: Store) -> None:
        scribe = Scribe(store)
        with ThreadPoolExecutor(8) as pool:
            lines = [[line(f"{writer}.{n}.{k}") for k in range(3)] for writer in range(8) for n in range(5)]
            appended = list(pool.map(scribe.append, lines))
        events = scribe.events()
        assert [e.seq for e in events] == list(range(1, 8 * 5 * 3 + 1))
        assert sorted(texts(events)) == sorted(f"{w}.{n}.{k}" for w in range(8) for n in range(5) for k in range(3))
        for batch in appended:
            assert batch[2].seq == batch[0].seq + 2, "a batch stays together"

    def test_the_same_key_gives_the_same_event(self, store: Store) -> None:
        scribe = Scribe(store)
        (first,) = scribe.append([line("once", "key")])
        again = scribe.append([line("other words", "key"), line("new", "key-2"), line("also new", "key-2")])
        assert [e.id for e in again] == [first.id, "t1@2", "t1@2"]
        assert texts(scribe.events()) == ["once", "new"]

    def test_many_writers_with_one_key_write_once(self, store: Store) -> None:
        scribe = Scribe(store)
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda n: scribe.append([line(str(n), "key")])[0], range(16)))
        assert len(set(found)) == 1
        assert len(scribe.events()) == 1

    def test_a_key_counts_along_the_path_only(self, store: Store) -> None:
        scribe = Scribe(store)
        scribe.append([line("shared", "before")])
        scribe.append([line("mine", "after")])
        branch = scribe.fork(at=1).id
        before, after = scribe.append([line("x", "before"), line("yours", "after")], branch)
        assert before.id == "t1@1", "it happened on the way here"
        assert after.id == f"{branch}@2", "what happened elsewhere did not happen here"
        assert texts(scribe.events()) == ["shared", "mine"]
        assert texts(scribe.events(branch)) == ["shared", "yours"]

    def test_nothing_of_a_failed_unit_of_work_stays(self, store: Store) -> None:
        scribe = Scribe(store)

        def work(conn: Connection) -> None:
            scribe.appender.append(conn, "quay", "t1", [line("lost")])
            raise RuntimeError("thought better of it")

        with pytest.raises(RuntimeError):
            scribe.write(work)
        assert scribe.events() == []
        assert scribe.append([line("kept")])[0].seq == 1

    def test_an_expected_head_that_has_moved_is_refused(self, store: Store) -> None:
        scribe = Scribe(store)
        scribe.append([line("a"), line("b")])
        with pytest.raises(HeadMoved):
            scribe.append([line("late")], expected_head=1)
        assert scribe.append([line("in time")], expected_head=2)[0].seq == 3

    def test_of_two_with_the_same_expected_head_one_wins(self, store: Store) -> None:
        scribe = Scribe(store)
        scribe.append([line("a")])

        def attempt(n: int) -> bool:
            try:
                scribe.append([line(str(n))], expected_head=1)
            except HeadMoved:
                return False
            return True

        with ThreadPoolExecutor(8) as pool:
            assert sum(pool.map(attempt, range(8))) == 1

    def test_unknown_kinds_and_timelines_are_refused(self, store: Store) -> None:
        scribe = Scribe(store)
        with pytest.raises(BadInput):
            scribe.append([Draft(body=FleetDeed(agent="a"), by="a", kind="gossip.heard")])
        with pytest.raises(NotFound):
            scribe.append([line("where?")], "t9")
        assert scribe.append([Draft(body=FleetDeed(agent="a"), by="a", kind="fleet.merged")])[0].kind == "fleet.merged"

    def test_projections_share_the_transaction(self, store: Store) -> None:
        scribe = Scribe(store)

        def refuse(*_: object) -> None:
            raise RuntimeError("cannot be derived")

        appender = Appender(scribe.clock, [refuse])
        with pytest.raises(RuntimeError):
            scribe.write(lambda conn: appender.append(conn, "quay", "t1", [line("lost")]))
        assert scribe.events() == []

    def test_reading_by_kind_in_either_direction_with_a_limit(self, store: Store) -> None:
        scribe = Scribe(store)
        bodies = [NarrationTold(text="n"), TimePassed(minutes=1, now=1), LineSpoken(speaker="s", text="l")]
        drafts = [Draft(body=bodies[n % 3], by="x") for n in range(900)]
        scribe.append(drafts)
        branch = scribe.fork(at=600).id
        scribe.append(drafts[:30], branch)

        def seqs(**how: object) -> list[int]:
            past = scribe.path(branch)
            return scribe.read(lambda conn: [e.seq for e in read_events(conn, past, **how)])  # type: ignore[arg-type]

        whole = list(range(1, 631))
        assert seqs() == whole
        assert seqs(newest_first=True) == whole[::-1]
        assert seqs(after=598, limit=4) == [599, 600, 601, 602]
        assert seqs(newest_first=True, limit=32) == whole[::-1][:32]
        assert seqs(kinds=["narration.told"]) == whole[0::3]
        assert (
            seqs(kinds=["narration.told", "time.passed"], newest_first=True, limit=300)
            == sorted(whole[0::3] + whole[1::3], reverse=True)[:300]
        )
        assert seqs(kinds=[]) == []
