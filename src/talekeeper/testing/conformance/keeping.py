"""Worlds as they are kept: listed, pointed at, redacted, deleted whole; a read sees one moment."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, Table, func, select

from talekeeper.errors import BadInput, Conflict, CorruptWorld, NotFound
from talekeeper.memory.recall import recall
from talekeeper.testing.scribe import Scribe, texts
from talekeeper.timeline.events import event_table, get_event
from talekeeper.timeline.lineage import get_timeline
from talekeeper.timeline.snapshots import WorldSnapshot, keep_snapshot, latest_snapshot
from talekeeper.timeline.store import Store
from talekeeper.timeline.store.metadata import metadata
from talekeeper.timeline.vocabulary import ChatSaid, Claim, NarrationTold
from talekeeper.timeline.worlds import (
    create_world,
    delete_world,
    find_world,
    get_world,
    list_worlds,
    set_active,
    touch,
    world_table,
)


class KeepingConformance:
    def test_worlds_are_listed_by_when_they_were_last_played(self, store: Store) -> None:
        for slug in ("one", "two", "three"):
            Scribe(store, slug)
        store.write_now(lambda c: touch(c, "two", 2e9))
        store.write_now(lambda c: set_active(c, "one", "t1", 3e9))
        assert [w.slug for w in store.read_now(list_worlds)] == ["one", "two", "three"]

    def test_a_name_is_taken_once_and_must_be_a_slug(self, store: Store) -> None:
        scribe = Scribe(store, "one")
        world = scribe.read(lambda c: get_world(c, "one"))
        with pytest.raises(Conflict):
            scribe.write(lambda c: create_world(c, world))
        with pytest.raises(BadInput):
            Scribe(store, "../etc")
        with pytest.raises(NotFound, match="no world named 'two'"):
            scribe.read(lambda c: get_world(c, "two"))
        assert scribe.read(lambda c: find_world(c, "two")) is None

    def test_deleting_a_world_leaves_no_row_of_it_and_touches_no_other(self, store: Store) -> None:
        gone, kept = Scribe(store, "gone"), Scribe(store, "kept")
        for scribe in (gone, kept):
            scribe.decide(Claim("person/mara", "name", "Mara"), Claim("place/quay", "name", "The Quay"))
            scribe.decide(Claim("person/mara", "at", "place/quay"))
            scribe.say("Low tide at dawn.")
            scribe.happen(NarrationTold(text="The bell rang.", lines=("bell",)))
            scribe.fork(at=2)
            scribe.write(lambda c, w=scribe.world: _furnish(c, w))  # type: ignore[misc]
        before = store.read_now(lambda c: _rows(c, "kept"))
        assert all(before.values()), f"the test furnishes every table: {before}"
        store.write_now(lambda c: delete_world(c, "gone"))
        assert not any(store.read_now(lambda c: _rows(c, "gone")).values())
        assert store.read_now(lambda c: _rows(c, "kept")) == before
        assert [m.text for m in kept.read(lambda c: recall(c, kept.path(), "person/mara", "tide"))] == [
            "Low tide at dawn."
        ]
        with pytest.raises(NotFound):
            store.write_now(lambda c: delete_world(c, "gone"))
        assert Scribe(store, "gone").say("A new beginning.").seq == 1

    def test_redacting_blanks_the_text_everywhere_and_keeps_the_event(self, store: Store) -> None:
        scribe = Scribe(store)
        said = ChatSaid(session="s", message="m1", name="viewer", text="my address is Harbour Lane 3")
        event = scribe.happen(said)
        scribe.say("Harbour Lane is long.")
        blank = ChatSaid(session="s", message="m1", name="", text="")
        scribe.write(lambda c: scribe.appender.redact(c, event, blank))
        assert [e.id for e in scribe.events()] == ["t1@1", "t1@2"]
        assert scribe.read(lambda c: get_event(c, "quay", "t1@1")).body == blank
        found = scribe.read(lambda c: recall(c, scribe.path(), "person/mara", "Harbour Lane address"))
        assert [m.text for m in found] == ["Harbour Lane is long."]

    def test_the_nearest_snapshot_along_a_path(self, store: Store) -> None:
        scribe = Scribe(store)
        for text in "abcd":
            scribe.say(text)
        scribe.fork(at=2)
        scribe.say("x", "t2")
        for timeline, seq, turn in (("t1", 1, 1), ("t1", 3, 2), ("t2", 3, 7)):
            scribe.write(lambda c, a=(timeline, seq, turn): _snapshot(c, *a))  # type: ignore[misc]

        def number(timeline: str, until: int | None = None) -> int | None:
            found = scribe.read(lambda c: latest_snapshot(c, scribe.path(timeline).until(until)))
            return None if found is None else found.turn_number

        assert [number("t1"), number("t1", 2), number("t2"), number("t2", 2)] == [2, 1, 7, 1]

    def test_a_read_sees_one_moment(self, store: Store) -> None:
        scribe = Scribe(store)
        scribe.say("a")

        def look_twice(conn: Connection) -> tuple[int, int]:
            first = get_timeline(conn, "quay", "t1").head
            scribe.say("b")
            return first, get_timeline(conn, "quay", "t1").head

        assert scribe.read(look_twice) == (1, 1)
        assert texts(scribe.events()) == ["a", "b"]

    def test_an_event_of_an_unknown_kind_is_reported_as_damage(self, store: Store) -> None:
        scribe = Scribe(store)
        scribe.say("a")
        scribe.write(lambda c: c.execute(event_table.update().values(kind="prophecy.made")))
        with pytest.raises(CorruptWorld, match="prophecy"):
            scribe.events()


def _furnish(conn: Connection, world: str) -> None:
    """A row in every table that can name a world and has none yet, whatever the table is for."""
    for table in _named():
        if _rows(conn, world)[table.name] == 0:
            kinds = {c.name: c.type.python_type for c in table.columns if c.autoincrement is not True}
            conn.execute(
                table.insert().values({name: world if kind is str else kind() for name, kind in kinds.items()})
            )


def _named() -> list[Table]:
    return [table for table in metadata.sorted_tables if "world" in table.c]


def _snapshot(conn: Connection, timeline: str, seq: int, number: int) -> None:
    snapshot = WorldSnapshot(
        scene="t1/s1", scene_seq=1, scene_turns=0, turn_number=number, place="", now=0, weather="", participants=()
    )
    keep_snapshot(conn, "quay", timeline, seq, snapshot)


def _rows(conn: Connection, world: str) -> dict[str, int]:
    """How many rows of each table name this world."""
    named = {table.name: table.c.world for table in _named()} | {"world": world_table.c.slug}
    return {
        name: conn.execute(select(func.count()).where(column == world)).scalar_one() for name, column in named.items()
    }
