"""The feed: durable cursors that never skip and never repeat, whoever writes meanwhile."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from talekeeper.testing.scribe import Scribe, texts
from talekeeper.timeline.feed import acknowledge, follow, position
from talekeeper.timeline.store import Store


class FollowingConformance:
    def test_a_follower_goes_on_where_it_was(self, store: Store) -> None:
        scribe = Scribe(store)
        for text in "abc":
            scribe.say(text)
        assert self._step(scribe, "overlay", limit=2) == ["a", "b"]
        assert self._step(scribe, "overlay", limit=2) == ["c"]
        assert self._step(scribe, "overlay", limit=2) == []
        assert self._step(scribe, "webhook", limit=9) == ["a", "b", "c"]

    def test_a_cursor_never_moves_back(self, store: Store) -> None:
        scribe = Scribe(store)
        for seq in (5, 3, 5):
            scribe.write(lambda c, s=seq: acknowledge(c, "f", "quay", "t1", s))  # type: ignore[misc]
        assert scribe.read(lambda c: position(c, "f", "quay", "t1")) == 5
        assert scribe.read(lambda c: position(c, "f", "quay", "t2")) == 0

    def test_acknowledging_at_once_keeps_the_furthest(self, store: Store) -> None:
        scribe = Scribe(store)
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda s: scribe.write(lambda c: acknowledge(c, "f", "quay", "t1", s)), range(1, 25)))
        assert scribe.read(lambda c: position(c, "f", "quay", "t1")) == 24

    def test_following_a_branch_begins_with_what_it_inherited(self, store: Store) -> None:
        scribe = Scribe(store)
        for text in "abc":
            scribe.say(text)
        scribe.fork(at=2)
        scribe.say("x", "t2")
        assert texts(scribe.read(lambda c: follow(c, "quay", "t2", 0))) == ["a", "b", "x"]
        assert texts(scribe.read(lambda c: follow(c, "quay", "t2", 2))) == ["x"]

    def test_nothing_is_skipped_or_repeated_while_others_write(self, store: Store) -> None:
        scribe = Scribe(store)
        writers, each = 6, 12
        done = threading.Event()
        seen: list[int] = []

        def follow_along() -> None:
            while True:
                last_round = done.is_set()
                events = scribe.read(lambda c: follow(c, "quay", "t1", seen[-1] if seen else 0, limit=7))
                seen.extend(e.seq for e in events)
                if last_round and not events:
                    return

        with ThreadPoolExecutor(writers + 1) as pool:
            follower = pool.submit(follow_along)
            writing = [pool.submit(lambda w=w: [scribe.say(f"{w}.{n}") for n in range(each)]) for w in range(writers)]  # type: ignore[misc]
            for work in writing:
                work.result()
            done.set()
            follower.result()
        assert seen == list(range(1, writers * each + 1))

    def _step(self, scribe: Scribe, follower: str, limit: int) -> list[str]:
        after = scribe.read(lambda c: position(c, follower, "quay", "t1"))
        events = scribe.read(lambda c: follow(c, "quay", "t1", after, limit))
        if events:
            scribe.write(lambda c: acknowledge(c, follower, "quay", "t1", events[-1].seq))
        return texts(events)
