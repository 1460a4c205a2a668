"""Timelines: a fork shares its past, goes its own way, and costs nothing to those it left."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from talekeeper.errors import BadInput, NotFound
from talekeeper.testing.scribe import Scribe, texts
from talekeeper.timeline.lineage import OPEN_END, Segment, get_timeline, list_timelines, path
from talekeeper.timeline.store import Store
from talekeeper.timeline.worlds import list_worlds


class ForkingConformance:
    def test_a_fork_shares_the_past_and_goes_its_own_way(self, store: Store) -> None:
        scribe = Scribe(store)
        for text in "abc":
            scribe.say(text)
        branch = scribe.fork(at=2)
        assert (branch.id, branch.parent, branch.fork_seq, branch.head) == ("t2", "t1", 2, 2)
        scribe.say("x", branch.id)
        scribe.say("d")
        assert texts(scribe.events("t1")) == ["a", "b", "c", "d"]
        assert texts(scribe.events("t2")) == ["a", "b", "x"]
        assert [e.id for e in scribe.events("t2")] == ["t1@1", "t1@2", "t2@3"]

    def test_segments_of_a_path(self, store: Store) -> None:
        scribe = Scribe(store)
        for text in "abcd":
            scribe.say(text)
        scribe.fork(at=3)
        scribe.say("x", "t2")
        scribe.say("y", "t2")
        scribe.fork("t2", 4)
        past = scribe.path("t3")
        assert past.segments == (Segment("t1", 0, 3), Segment("t2", 3, 4), Segment("t3", 4, OPEN_END))
        assert [past.owner(seq) for seq in (1, 3, 4, 5, 99)] == ["t1", "t1", "t2", "t3", "t3"]
        assert past.holds("t1", 3)
        assert not past.holds("t1", 4)
        assert past.holds("t2", 4)
        assert not past.holds("t2", 5)
        assert past.until(4).segments == (Segment("t1", 0, 3), Segment("t2", 3, 4))
        assert past.until(2).segments == (Segment("t1", 0, 2),)
        assert past.until(None) == past

    def test_leaving_a_parent_at_its_own_fork_point_leaves_the_grandparent(self, store: Store) -> None:
        scribe = Scribe(store)
        for text in "abc":
            scribe.say(text)
        scribe.fork(at=2)
        scribe.say("x", "t2")
        sibling = scribe.fork("t2", 2)
        earlier = scribe.fork("t2", 1)
        assert sibling.parent == "t1"
        assert scribe.path(sibling.id).segments == (Segment("t1", 0, 2), Segment("t3", 2, OPEN_END))
        assert earlier.parent == "t1"
        assert texts(scribe.events(earlier.id)) == ["a"]

    def test_as_of_any_event_of_any_timeline(self, store: Store) -> None:
        scribe = Scribe(store)
        for text in "abc":
            scribe.say(text)
        scribe.fork(at=2)
        scribe.say("x", "t2")
        assert texts(scribe.events("t2", until=3)) == ["a", "b", "x"]
        assert texts(scribe.events("t2", until=2)) == ["a", "b"]
        assert texts(scribe.events("t2", until=1)) == ["a"]
        assert texts(scribe.events("t1", until=3)) == ["a", "b", "c"]

    def test_there_is_nothing_to_fork_before_the_first_or_after_the_last_event(self, store: Store) -> None:
        scribe = Scribe(store)
        scribe.say("a")
        for seq in (-1, 0, 2, 10**12):
            with pytest.raises(BadInput):
                scribe.fork(at=seq)
        with pytest.raises(NotFound):
            scribe.fork("t9", 1)
        with pytest.raises(NotFound):
            scribe.path("t9")

    def test_forks_at_once_get_names_of_their_own(self, store: Store) -> None:
        scribe = Scribe(store)
        scribe.say("a")
        with ThreadPoolExecutor(8) as pool:
            names = list(pool.map(lambda _: scribe.fork(at=1).id, range(12)))
        assert sorted(names, key=lambda n: int(n[1:])) == [f"t{n}" for n in range(2, 14)]
        assert [t.id for t in scribe.read(lambda c: list_timelines(c, "quay"))] == [f"t{n}" for n in range(1, 14)]

    def test_worlds_do_not_see_each_other(self, store: Store) -> None:
        one, other = Scribe(store, "one"), Scribe(store, "other")
        one.say("mine")
        other.say("yours")
        other.fork(at=1)
        assert texts(one.events()) == ["mine"]
        assert [t.id for t in one.read(lambda c: list_timelines(c, "one"))] == ["t1"]

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(program=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 30)), min_size=1, max_size=25))
    def test_whatever_is_forked_a_path_reads_like_the_list_it_stands_for(
        self, store: Store, program: list[tuple[int, int]]
    ) -> None:
        """Each step appends to some timeline or forks one somewhere; plain lists are the oracle."""
        scribe = Scribe(store, f"world-{store.read_now(_count_worlds)}")
        histories = {"t1": ["0"]}
        scribe.say("0")
        for step, (which, where) in enumerate(program, 1):
            names = sorted(histories)
            timeline = names[which % len(names)]
            if where < 12:
                scribe.say(str(step), timeline)
                histories[timeline].append(str(step))
            else:
                at = where % len(histories[timeline]) + 1
                child = scribe.fork(timeline, at)
                histories[child.id] = histories[timeline][:at]
        for timeline, history in histories.items():
            assert texts(scribe.events(timeline)) == history
            head = scribe.read(lambda c, t=timeline: get_timeline(c, scribe.world, t).head)  # type: ignore[misc]
            assert head == len(history)
            half = len(history) // 2
            if half:
                assert texts(scribe.events(timeline, until=half)) == history[:half]
            assert _rises(scribe.read(lambda c, t=timeline: path(c, scribe.world, t)).segments)  # type: ignore[misc]


def _rises(segments: tuple[Segment, ...]) -> bool:
    return all(a.upto == b.after and a.after < a.upto for a, b in pairwise(segments))


def _count_worlds(conn: Connection) -> int:
    return len(list_worlds(conn))
