"""World files that are cut, changed, forged or hostile: each a clear error, and nothing is left of them."""

from __future__ import annotations

import copy
import gzip
import io

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from talekeeper.errors import CorruptWorld, StoreDown, TalekeeperError
from talekeeper.loops.world_file import import_world
from talekeeper.loops.world_file.lines import MOST_LINE_BYTES
from talekeeper.loops.world_file.reader import Unsound, WorldFileReader
from talekeeper.testing.house import House
from talekeeper.timeline.worlds import delete_world, list_worlds

UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)  # an example is an import: shrinking takes minutes


@pytest.fixture
def refused(take, nothing_left):
    """That a file is refused with these words, and that nothing is left of it."""

    def check(data: bytes, *words: str) -> None:
        with pytest.raises(CorruptWorld) as caught:
            take(data)
        said = str(caught.value)
        assert all(word in said for word in words), said
        assert caught.value.hint
        assert nothing_left()

    return check


def test_a_file_cut_anywhere_is_refused(refused, world_file: bytes):
    for part in (0.5, 0.01, 0.9, 0.99):
        refused(world_file[: int(len(world_file) * part)], "world file")
    refused(world_file[: world_file.rindex(b"\n", 0, -1) + 1], "breaks off before its end")
    refused(world_file[:-20], "world file")


def test_a_packed_file_cut_in_half_is_refused(refused, world_file: bytes):
    packed = gzip.compress(world_file)
    refused(packed[: len(packed) // 2], "The packed file breaks off or is damaged")
    refused(packed[:-4], "breaks off")
    refused(packed[:100] + b"\0" * 50 + packed[150:], "")


def test_a_file_without_its_last_newline_is_whole(take, keeper, world_file: bytes):
    take(world_file[:-1], "whole")
    keeper.store.write_now(_delete_all)


def _delete_all(conn) -> None:
    for world in list_worlds(conn):
        delete_world(conn, world.slug)


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"{}", b"[1]", b"hello\n", b"\x00" * 1000, b"\x1f\x8b", b"PK\x03\x04", b"null"]
)
def test_what_is_no_world_file(refused, data: bytes):
    refused(data)


def test_other_versions(refused, lines, sealed):
    lines[0]["version"] = 2
    lines[0]["news"] = True
    refused(sealed(lines), "format 2", "Upgrade Talekeeper.")
    lines[0]["version"] = 0
    refused(sealed(lines), "format 0", "Export the world anew.")


def test_a_changed_letter_is_noticed(refused, world_file: bytes):
    assert b"look around" in world_file
    refused(world_file.replace(b"look around", b"look behind", 1), "changed after it was made")


def test_a_changed_footer_is_noticed(refused, lines):
    for key, value in (("events", 1), ("turns", 0), ("snapshots", 99), ("timelines", 2), ("sha256", "0" * 64)):
        changed = copy.deepcopy(lines)
        changed[-1][key] = value
        refused(b"".join(msgspec.json.encode(line) + b"\n" for line in changed), "footer does not fit")


def test_nothing_may_follow_the_footer(refused, world_file: bytes):
    refused(world_file + b"\n", "Something follows")
    refused(world_file + world_file, "Something follows")
    refused(gzip.compress(world_file) + gzip.compress(b"more"), "Something follows")


def test_lines_out_of_order_missing_or_doubled(refused, lines, sealed):
    kinds = [line["line"] for line in lines]
    turn, snapshot, event = kinds.index("turn"), kinds.index("snapshot"), kinds.index("event")
    refused(sealed([lines[0], *lines]), "not those the header promises")
    refused(sealed([*lines[:turn], lines[event], *lines[turn:]]), "EventLine, out of order")
    refused(sealed(lines[:event] + lines[event + 1 :]), "t1@2 stands where t1@1 belongs")
    refused(sealed(lines[: event + 5] + lines[event + 4 :]), "t1@5 stands where t1@6 belongs")
    refused(sealed(lines[:snapshot] + lines[turn:]), "no scene to go on from")
    refused(sealed(lines[:turn] + lines[turn + 1 :]), "of a turn that is not there")
    refused(sealed(lines[: snapshot - 1] + lines[snapshot:]), "the events of t3 end at")
    refused(sealed(lines[1:]), "not a world file")


def _first(lines, line: str, **wanted) -> dict:
    return next(ln for ln in lines if ln["line"] == line and all(ln.get(k) == v for k, v in wanted.items()))


def _body(lines, kind: str) -> dict:
    return _first(lines, "event", kind=kind)["body"]


HEADER = {
    "another seed": (lambda h: h["world"].update(seed=8), "another world than its first event"),
    "unknown rules": (lambda h: h["world"].update(rules="../../etc"), "played by the rules '../../etc'"),
    "active nowhere": (lambda h: h["world"].update(active="t9"), "active timeline t9 is not there"),
    "player nobody": (lambda h: h["world"].update(player="me"), "'me' cannot be the player"),
    "more events": (lambda h: h.update(events=10**15), "not those the header promises"),
    "more timelines": (lambda h: h.update(timelines=4), "not those the header promises"),
    "huge seed": (lambda h: h["world"].update(seed=2**70), "does not read"),
    "unknown field": (lambda h: h.update(extra=1), "unknown field `extra`"),
    "from year 99999": (lambda h: h["world"].update(created_at=1e15), "does not read"),
}
TIMELINES = {
    "gap in names": (lambda t: t[1].update(id="t7"), "t7 stands where t2 belongs"),
    "odd name": (lambda t: t[1].update(id="t2'; --"), "does not read"),
    "first with a parent": (lambda t: t[0].update(parent="t1"), "cannot have a parent"),
    "its own parent": (lambda t: t[1].update(parent="t2"), "which is not there before it"),
    "later parent": (lambda t: t[1].update(parent="t3"), "which is not there before it"),
    "no parent": (lambda t: t[1].pop("parent"), "which is not there before it"),
    "leaves beyond the head": (lambda t: t[1].update(fork_seq=10**9, head=10**9 + 5), "where t1 has no event"),
    "ends before it begins": (lambda t: t[1].update(head=1), "ends before it begins"),
    "another head": (lambda t: t[0].update(head=t[0]["head"] - 1), ""),
    "beyond counting": (lambda t: t[0].update(head=2**62), "does not read"),
}
EVENTS = {
    "unknown kind": (
        lambda e: e.update(kind="world.ended"),
        "world.ended event (v1), which this Talekeeper does not know",
    ),
    "newer event": (lambda e: e.update(v=2), "(v2), which this Talekeeper does not know"),
    "newer body": (lambda e: e["body"].update(flavour="new"), "'flavour', which this Talekeeper does not know"),
    "wrong body": (lambda e: e.update(body=[]), "does not read"),
    "body of another kind": (lambda e: e.update(kind="time.passed"), "does not read"),
    "turn of another timeline": (lambda e: e.update(turn="t2#1"), "on another timeline"),
    "no turn": (lambda e: e.update(turn="yesterday"), "'yesterday' is not a turn id"),
    "no cause": (lambda e: e.update(cause="fate"), "'fate' is not an event id"),
    "another turn": (lambda e: e.update(turn="t1#77"), ""),
    "created twice": (lambda e: e.update(kind="world.created", body={"title": "x", "seed": 7}), "created once"),
    "no writer": (lambda e: e.pop("by"), "missing required field `by`"),
    "beyond the end of time": (lambda e: e.update(story_time=2**64), "does not read"),
    "a name without end": (lambda e: e.update(scene="s" * 501), "does not read"),
    "doubled key": (lambda e: e.update(idem="turn:t1#2"), "contradicts itself"),
    "NUL": (lambda e: e["body"].update(text="a\0b"), "NUL"),
    "unseen field": (lambda e: e.update(world="other"), "unknown field `world`"),
}
TURNS = {
    "number from the future": (lambda t: t.update(number=10**9), "cannot follow"),
    "number again": (lambda t: t.update(number=1), "cannot follow"),
    "outside": (lambda t: t.update(base_seq=10**6, last_seq=10**6 + 1), "lies outside"),
    "backwards": (lambda t: t.update(base_seq=t["last_seq"]), "lies outside"),
    "of nowhere": (lambda t: t.update(timeline="t9"), "stands where none belongs"),
    "ends in another's event": (lambda t: t.update(last_seq=t["last_seq"] - 20), ""),
    "bad intent": (lambda t: t.update(intent={"intent": "dance", "world": "x"}), "does not read"),
    "bad outcome": (lambda t: t.update(outcome={"check": 1}), "does not read"),
    "bad manifest": (lambda t: t.update(manifest={"items": 1}), "does not read"),
    "bad prose": (lambda t: t.update(prose=[]), "does not read"),
    "doubled key": (lambda t: t.update(idem="key look around"), "contradicts itself"),
}
SNAPSHOTS = {
    "scene that was not": (lambda s: s["snapshot"].update(scene="t1/s9"), "was not open then"),
    "scene opened elsewhere": (lambda s: s["snapshot"].update(scene_seq=1), "was not open then"),
    "beyond the timeline": (lambda s: s.update(seq=10**9), "which is not there"),
    "older than its turn": (lambda s: s["snapshot"].update(turn_number=0), "older than its last turn"),
    "turn from the future": (lambda s: s["snapshot"].update(turn_number=10**9), "numbers cannot be"),
    "time without end": (lambda s: s["snapshot"].update(now=2**80), "numbers cannot be"),
    "doubled": (lambda s: s.update(seq=s["seq"] - 1, timeline="t9"), "which is not there"),
}


@pytest.mark.parametrize("name", HEADER)
def test_a_header_that_lies(refused, lines, sealed, name):
    change, words = HEADER[name]
    change(lines[0])
    refused(sealed(lines), words)


@pytest.mark.parametrize("name", TIMELINES)
def test_timelines_that_are_no_tree(refused, lines, sealed, name):
    change, words = TIMELINES[name]
    timelines = [line for line in lines if line["line"] == "timeline"]
    change(timelines)
    lines[0]["events"] = sum(t["head"] - t.get("fork_seq", 0) for t in timelines)
    refused(sealed(lines), words)


@pytest.mark.parametrize("name", EVENTS)
def test_an_event_that_cannot_be(refused, lines, sealed, name):
    change, words = EVENTS[name]
    change(_first(lines, "event", kind="narration.told", turn="t1#1"))
    refused(sealed(lines), words)


@pytest.mark.parametrize("name", TURNS)
def test_a_turn_that_cannot_be(refused, lines, sealed, name):
    change, words = TURNS[name]
    change(_first(lines, "turn", timeline="t1", number=3))
    refused(sealed(lines), words)


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_a_snapshot_that_cannot_be(refused, lines, sealed, name):
    change, words = SNAPSHOTS[name]
    change([line for line in lines if line["line"] == "snapshot" and line["timeline"] == "t3"][-1])
    refused(sealed(lines), words)


def test_authority_is_not_to_be_forged(refused, lines, sealed):
    decided = next(ln for ln in lines if ln.get("kind") == "proposal.decided" and ln["body"]["role"] == "rules")
    for role, claim in (
        ("narrator", {"subj": "person/nan", "pred": "note", "slot": "x", "obj": "hers"}),
        ("rules", {"subj": "person/nan", "pred": "secret", "slot": "x", "obj": "none"}),
        ("canon_keeper", {"subj": "person/nan", "pred": "status", "retract": True}),
        ("queen", {"subj": "person/nan", "pred": "mood", "obj": "loyal"}),
    ):
        decided["body"] = {"decision": "accepted", "role": role, "claims": [claim]}
        refused(sealed(lines), f"The role {role} may not")
    staged = copy.deepcopy(lines)
    _body(staged, "proposal.staged")["role"] = "spectator"
    decided["body"]["decision"] = "rejected"
    refused(sealed(staged), "The role")


def test_facts_that_canon_could_not_have_kept(refused, lines, sealed):
    body = _body(lines, "proposal.decided")
    body["role"] = "owner"
    claim = {"subj": "person/nan", "pred": "mood", "obj": "calm"}
    for claims, words in (
        ([{**claim, "pred": "colour"}], "'colour' is not something canon can say"),
        ([claim, claim], "two things at once"),
        ([{**claim, "slot": "x" * 600}], "too long"),
        ([{**claim, "valid_to": 2**63}], "beyond the end of time"),
        ([{**claim, "obj": {"a": 1}}], "does not read"),
    ):
        body["claims"] = claims
        refused(sealed(lines), words)


def test_deep_nesting_is_refused(refused, lines, sealed, world_file: bytes):
    header = world_file.splitlines()[0]
    deep = b"[" * 100_000 + b"]" * 100_000
    event = b'{"line":"event","timeline":"t1","seq":1,"kind":"world.created","at":1,"by":"x","body":{"title":%s}}\n'
    refused(header + b"\n" + event % deep)
    refused(b'{"format":"talekeeper-world","version":1,"x":%s}\n' % deep)
    refused(deep)


def test_a_line_without_end_is_not_read_to_its_end(world_file: bytes):
    class Endless(io.RawIOBase):
        """A header, then one line that never ends."""

        def __init__(self) -> None:
            self.given = 0
            self._head = io.BytesIO(world_file.splitlines(keepends=True)[0])

        def readable(self) -> bool:
            return True

        def readinto(self, buffer) -> int:
            data = self._head.read(len(buffer)) or b"a" * len(buffer)
            buffer[: len(data)] = data
            self.given += len(data)
            return len(data)

    endless = Endless()
    reader = WorldFileReader(io.BufferedReader(endless))
    reader.header()
    with pytest.raises(Unsound, match="longer than 16 MiB"):
        reader.end()
    assert endless.given < 2 * MOST_LINE_BYTES


def test_a_packed_bomb_is_not_unpacked(refused, world_file: bytes):
    refused(gzip.compress(b"\0" * (20 << 20)), "longer than 16 MiB")
    refused(gzip.compress(world_file.splitlines(keepends=True)[0] + b" " * (20 << 20)), "longer than 16 MiB")
    padded = b" " * (1 << 20) + b"\n"
    refused(gzip.compress(b'{"format":"talekeeper-world","version":1}' + padded * 20))


def test_a_bomb_of_honest_lines_is_noticed_by_its_swelling(refused, lines, sealed):
    bomb = copy.deepcopy(lines)
    first = bomb.index(_first(bomb, "event", kind="narration.told", turn="t1#1"))
    for line in bomb[first : first + 60]:
        if line["line"] == "event" and line["kind"] == "narration.told":
            line["body"]["text"] = "a" * (10 << 20)
    refused(gzip.compress(sealed(bomb), 9), "swells to more than 400 times")


def test_a_full_disk_leaves_nothing(open_engine, sqlite_house: House, world_file: bytes):
    engine = open_engine(sqlite_house.settings(world=False))
    used = engine.store.read_now(lambda conn: conn.exec_driver_sql("pragma page_count").scalar_one())
    engine.store.write_now(lambda conn: conn.exec_driver_sql(f"pragma max_page_count = {used + 10}"))
    with pytest.raises(StoreDown, match="The disk is full"):
        engine.store.write_now(lambda conn: import_world(conn, engine.services, io.BytesIO(world_file)))
    assert engine.store.read_now(list_worlds) == []


STEPS = st.tuples(
    st.sampled_from(["flip", "cut", "insert", "drop"]), st.integers(0, 2**32), st.binary(min_size=1, max_size=20)
)


@settings(max_examples=60, deadline=None, phases=UNSHRUNK, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, min_size=1, max_size=4))
def test_whatever_is_done_to_the_bytes_it_is_one_of_our_errors_and_nothing_is_left(
    take, nothing_left, world_file, steps
):
    changed = bytearray(world_file)
    for step, where, more in steps:
        at = where % len(changed)
        match step:
            case "flip":
                changed[at] ^= 1 << more[0] % 8
            case "cut":
                changed[at:] = b"\n"
            case "insert":
                changed[at:at] = more
            case "drop":
                changed[at : at + len(more) ** 2] = b"\n"
    if bytes(changed) != world_file:
        with pytest.raises(TalekeeperError):
            take(bytes(changed))
    assert nothing_left()


ODD = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20), st.lists(st.integers(), max_size=2), st.dictionaries(st.text(max_size=4), st.integers(), max_size=2),
)  # fmt: skip


@settings(max_examples=40, deadline=None, phases=UNSHRUNK, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    changes=st.lists(st.tuples(st.integers(0, 2**32), st.booleans(), st.integers(0, 99), ODD), min_size=1, max_size=3)
)
def test_whatever_a_sealed_line_says_it_is_taken_whole_or_not_at_all(
    take, nothing_left, keeper, world_file, sealed, changes
):
    forged = [msgspec.json.decode(line) for line in world_file.splitlines()]
    for where, deep, which, value in changes:
        line = forged[where % (len(forged) - 1)]
        inside = next((line[part] for part in ("body", "snapshot", "world") if isinstance(line.get(part), dict)), line)
        target = inside if deep and inside else line
        target[sorted(target)[which % len(target)]] = value
    forged = [line for line in forged if isinstance(line.get("line"), str)]
    try:
        take(sealed(forged))
    except TalekeeperError:
        assert nothing_left()
    else:
        keeper.store.write_now(_delete_all)
        assert nothing_left()
