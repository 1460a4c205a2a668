"""The file behind the writer: torn tails, other processes, midnight, fsync, failures."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from talekeeper.chronicle import AgentEvent, ChronicleWriter, EventKind
from talekeeper.chronicle import log as log_module
from talekeeper.chronicle.segment import read_events, read_tail

NOON = 1_793_793_600.0  # 2026-11-04 12:00:00 UTC
DAY = 86400.0


def work(detail: str, at: float = NOON) -> AgentEvent:
    return AgentEvent(EventKind.COMMIT, "mara", detail, at)


def details(path: Path) -> list[str]:
    return [event.detail for event in read_events(path)]


def test_a_torn_last_line_does_not_swallow_the_next_event(tmp_path: Path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"kind":"commit","agent":"mara","timestamp":1.0,"detail":"whole"}\n{"kind":"com')
    writer = ChronicleWriter(path)
    writer.ingest(work("after"))
    assert details(path) == ["whole", "after"]
    assert writer.summary()["total_events"] == 2


def test_a_whole_last_line_without_its_newline_counts(tmp_path: Path):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"kind":"commit","agent":"mara","timestamp":1.0,"detail":"whole"}')
    writer = ChronicleWriter(path)
    assert writer.summary()["total_events"] == 1
    assert "whole" in writer.render()
    writer.ingest(work("after"))
    assert writer.summary()["total_events"] == 2
    assert details(path) == ["whole", "after"]


def test_a_line_torn_by_another_process_while_we_run(tmp_path: Path):
    path = tmp_path / "log.jsonl"
    writer = ChronicleWriter(path)
    writer.ingest(work("one"))
    with path.open("ab") as other:
        other.write(b'{"kind":"commit","agent":"odo","det')
    writer.ingest(work("two"))
    assert details(path) == ["one", "two"]


def test_an_unfinished_line_is_told_once_it_is_finished(tmp_path: Path):
    path = tmp_path / "log.jsonl"
    writer = ChronicleWriter(path)
    writer.ingest(work("one"))
    line = b'{"kind":"commit","agent":"odo","timestamp":2.0,"detail":"slow"}\n'
    with path.open("ab", buffering=0) as other:
        other.write(line[:20])
        assert writer.summary()["total_events"] == 1
        assert "slow" not in writer.render()
        other.write(line[20:])
    assert writer.summary()["total_events"] == 2
    assert "slow" in writer.render()


def test_two_writers_of_one_file_see_each_other(tmp_path: Path):
    path = tmp_path / "log.jsonl"
    one, other = ChronicleWriter(path), ChronicleWriter(path)
    for number in range(4):
        (one if number % 2 else other).ingest(work(f"work {number}"))
        assert one.render() == other.render()
    assert one.summary() == other.summary()
    assert one.summary()["total_events"] == 4


WRITE_MANY = """
import sys
from talekeeper.chronicle import *
writer = ChronicleWriter(sys.argv[1])
for number in range(300):
    writer.ingest(AgentEvent(EventKind.COMMIT, sys.argv[2], f"{number} " + "x" * (number * 7 % 900)))
"""


def test_several_processes_append_without_tearing_lines(tmp_path: Path):
    path = tmp_path / "log.jsonl"
    others = [subprocess.Popen([sys.executable, "-c", WRITE_MANY, path, f"agent-{index}"]) for index in range(3)]
    assert [process.wait() for process in others] == [0, 0, 0]
    summary = ChronicleWriter(path).summary()
    assert {name: figures["events"] for name, figures in summary["agents"].items()} == {
        f"agent-{i}": 300 for i in range(3)
    }
    assert all(json.loads(line) for line in path.read_bytes().splitlines() if line)


def test_several_threads_append(tmp_path: Path):
    writer = ChronicleWriter(tmp_path / "log.jsonl")
    threads = [threading.Thread(target=lambda: [writer.ingest(work("x")) for _ in range(200)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert writer.summary()["total_events"] == 800


def test_the_default_file_follows_the_date_of_the_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / ".nexus" / "chronicle"
    writer = ChronicleWriter(clock=lambda: NOON)
    assert writer.log_path == folder / "chronicle_2026-11-04.jsonl"
    writer.ingest(work("before midnight", NOON + DAY / 2 - 1))
    writer.ingest(work("after midnight", NOON + DAY / 2))
    assert writer.log_path == folder / "chronicle_2026-11-05.jsonl"
    assert details(folder / "chronicle_2026-11-04.jsonl") == ["before midnight"]
    assert details(folder / "chronicle_2026-11-05.jsonl") == ["after midnight"]
    writer.ingest_many([work("late", NOON), work("early", NOON + DAY)])
    assert writer.summary()["total_events"] == 4
    assert "before midnight" in writer.render()


def test_a_process_that_is_still_in_yesterday_sees_todays_file_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HOME", str(tmp_path))
    yesterday, today = ChronicleWriter(clock=lambda: NOON), ChronicleWriter(clock=lambda: NOON + DAY)
    yesterday.ingest(work("old", NOON))
    today.ingest(work("new", NOON + DAY))
    assert "new" in yesterday.render()
    assert yesterday.summary()["total_events"] == 2
    assert "old" not in today.render()


def test_a_path_given_by_hand_never_rotates(tmp_path: Path):
    writer = ChronicleWriter(tmp_path / "log.jsonl")
    for day in range(3):
        writer.ingest(work("x", NOON + day * DAY))
    assert [entry.name for entry in tmp_path.iterdir()] == ["log.jsonl"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs the device that is always full")
def test_a_write_that_fails_leaves_no_trace():
    writer = ChronicleWriter("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        writer.ingest(work("lost"))
    assert writer.summary()["total_events"] == 0
    assert "lost" not in writer.render()


def test_a_write_that_stops_half_way_leaves_memory_and_disk_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "log.jsonl"
    writer = ChronicleWriter(path)
    writer.ingest(work("one"))
    real = os.write
    answers = iter([lambda fd, data: real(fd, data[:10])])

    def half(fd: int, data: bytes) -> int:
        for answer in answers:
            return answer(fd, data)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(log_module.os, "write", half)
    with pytest.raises(OSError, match="No space"):
        writer.ingest(work("lost"))
    monkeypatch.undo()
    assert writer.summary()["total_events"] == 1 == len(details(path))
    writer.ingest(work("two"))
    assert details(path) == ["one", "two"]
    assert writer.summary() == ChronicleWriter(path).summary()


@pytest.mark.parametrize(
    "event", [work("x", float("nan")), work("x", 1e300), AgentEvent(EventKind.IDLE, "m", "", 1.0, {"x": object()})]
)
def test_what_cannot_be_written_is_refused_before_anything_is(tmp_path: Path, event: AgentEvent):
    writer = ChronicleWriter(tmp_path / "log.jsonl")
    with pytest.raises((ValueError, TypeError)):
        writer.ingest(event)
    assert writer.summary()["total_events"] == 0
    assert not writer.log_path.exists()


@pytest.mark.parametrize(
    "odd", [{"big": 10**40}, {"half": "\ud800"}, {"nan": float("nan")}, {1: "one"}, {"none": None}]
)
def test_odd_metadata_is_written_all_the_same(tmp_path: Path, odd: dict):
    writer = ChronicleWriter(tmp_path / "log.jsonl")
    writer.ingest(AgentEvent(EventKind.COMMIT, "mara", "odd", NOON, odd))
    assert details(writer.log_path) == ["odd"]


def test_sync_each_brings_every_event_to_the_medium_before_it_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "log.jsonl"
    synced: list[int] = []
    monkeypatch.setattr(log_module, "_to_medium", lambda fd: synced.append(os.fstat(fd).st_size))
    with ChronicleWriter(path, sync="each") as writer:
        for number in range(5):
            writer.ingest(work(str(number)))
            assert synced[-1] == path.stat().st_size
    assert len(synced) == 6


def test_sync_batch_is_one_for_many_and_nobody_waits_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "log.jsonl"
    begun, go_on = threading.Event(), threading.Event()
    synced: list[int] = []

    def slow(fd: int) -> None:
        begun.set()
        assert go_on.wait(10)
        synced.append(os.fstat(fd).st_size)

    monkeypatch.setattr(log_module, "_to_medium", slow)
    with ChronicleWriter(path, sync="batch") as writer:
        writer.ingest(work("first"))
        assert begun.wait(10)
        for number in range(50):
            writer.ingest(work(str(number)))  # the medium is still busy with the first
        go_on.set()
        writer.flush()
        assert path.stat().st_size in synced
        assert len(synced) <= 3
        writer.ingest_many(work(str(number)) for number in range(10))
        assert path.stat().st_size in synced


def test_a_failing_medium_is_told_to_the_next_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    tried = threading.Event()

    def fail(_: int) -> None:
        tried.set()
        raise OSError(errno.EIO, "the medium is gone")

    monkeypatch.setattr(log_module, "_to_medium", fail)
    writer = ChronicleWriter(tmp_path / "log.jsonl", sync="batch")
    writer.ingest(work("one"))
    assert tried.wait(10)
    with pytest.raises(OSError, match="the medium is gone"):
        writer.flush()
    monkeypatch.undo()


def test_the_tail_is_read_without_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "log.jsonl"
    ChronicleWriter(path).ingest_many(work(f"work {number}") for number in range(30_000))
    read = 0
    real = os.pread

    def counted(fd: int, size: int, offset: int) -> bytes:
        nonlocal read
        data = real(fd, size, offset)
        read += len(data)
        return data

    monkeypatch.setattr(os, "pread", counted)
    assert [event.detail for event in read_tail(path, 3)] == ["work 29997", "work 29998", "work 29999"]
    assert "work 29999" in ChronicleWriter(path).render()
    assert read < path.stat().st_size / 5


def test_a_window_over_long_lines_reaches_back_far_enough(tmp_path: Path):
    path = tmp_path / "log.jsonl"
    writer = ChronicleWriter(path)
    writer.ingest_many(work(f"work {number} " + "y" * 40_000) for number in range(20))
    assert [event.detail.split(" y")[0] for event in read_tail(path, 18)] == [
        f"work {number}" for number in range(2, 20)
    ]
    assert len(read_tail(path, 99)) == 20
    assert read_tail(path, 0) == []
    assert read_tail(tmp_path / "missing.jsonl", 5) == []


def test_a_log_that_was_moved_away_or_cut_is_begun_again(tmp_path: Path):
    path = tmp_path / "log.jsonl"
    writer = ChronicleWriter(path)
    writer.ingest_many([work("one"), work("two")])
    assert writer.summary()["total_events"] == 2
    path.rename(tmp_path / "old.jsonl")
    assert "one" not in writer.render()
    writer.ingest(work("three"))
    assert details(path) == ["three"]
    assert writer.summary()["total_events"] == 1
    path.write_bytes(b"")
    assert writer.summary()["total_events"] == 0
