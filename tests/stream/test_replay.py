"""A chat log through the whole companion: the same every time, and what it would have said with its reasons."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from talekeeper.cli.main import app
from talekeeper.doors.stream.chat_log import read_log

BUSY = [
    f"[0:{minute:02}:{second:02}] <viewer{second % 7}> thought {minute} {second}"
    for minute in range(40)
    for second in range(0, 60, 6)
]
QUIET = [
    "[0:01:00] <mara> is this the second lighthouse?",
    "[0:01:30] <ivo> not sure, the map is drawn from memory",
    "[1:30:00] <mara> still here, reading along",
]


@pytest.fixture
def replay(tmp_path, monkeypatch):
    """Runs the command on these lines, and gives its JSON."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TALEKEEPER_HOME", str(tmp_path / "home"))

    def run(lines: list[str], *more: str) -> dict:
        log = tmp_path / "evening.log"
        log.write_text("\n".join(lines), encoding="utf-8")
        ran = CliRunner().invoke(app, ["stream", "replay", str(log), "--json", "--out", str(tmp_path / "out"), *more])
        assert ran.exit_code == 0, ran.output
        return json.loads(ran.stdout)

    return run


def said(told: dict) -> list[dict]:
    return [one for one in told["moments"] if one["kind"] == "said"]


def test_a_quiet_evening_gets_a_word_or_two(replay, tmp_path):
    told = replay(QUIET)
    assert 1 <= told["summary"]["prompts"] <= 2
    for one in said(told):
        assert one["mode"] == "hearthkeeper"
        assert one["details"], "and it says why"
    ledger = Path(told["summary"]["ledger"])
    assert ledger.parent == tmp_path / "out"
    assert said(told)[0]["text"].split("”")[0][:20] in ledger.read_text(encoding="utf-8")
    assert not (tmp_path / "home" / "talekeeper.db").exists(), "no world of ours is touched"


def test_a_busy_one_gets_none(replay):
    told = replay(BUSY)
    assert told["summary"]["prompts"] == 0
    assert told["summary"]["lines"] == len(BUSY)


def test_it_is_the_same_every_time(replay):
    first, second = replay(QUIET), replay(QUIET)
    assert first == second


def test_commands_hushes_and_spam_are_played_as_well(replay, tmp_path):
    board = tmp_path / "board.md"
    board.write_text("Content angle: What tides leave behind", encoding="utf-8")
    told = replay(
        [*QUIET[:2], "[0:02:00] <mara> !theme", "[0:03:00] <ad> Buy cheap viewers and followers at viewers4u .com"],
        "--dashboard", str(board),
    )  # fmt: skip
    assert told["summary"]["answers"] == 1
    assert said(told)[0]["text"] == "The theme here: What tides leave behind."
    assert told["summary"]["flags"] == 1


def test_names_that_are_no_people_are_not_counted(replay):
    told = replay([*QUIET, *(f"[0:{n}:00] <boop> drink some water" for n in range(10, 59))], "--bot", "boop")
    assert told["summary"]["people"] == 2
    assert told["summary"]["prompts"] >= 1


def test_it_is_told_to_people(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TALEKEEPER_HOME", str(tmp_path))
    (tmp_path / "evening.log").write_text("\n".join([*QUIET, "what is this line?"]), encoding="utf-8")
    ran = CliRunner().invoke(app, ["stream", "replay", "evening.log", "--all"])
    assert "hearthkeeper" in ran.stdout
    assert "silent  active chat" in ran.stdout
    assert "3 lines of 2 people" in ran.stdout
    assert "1 lines of the file" in ran.stderr


@pytest.mark.parametrize("content", ["", "nothing of the kind\n", "\x00\x01"])
def test_what_is_no_log(tmp_path, monkeypatch, content):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evening.log").write_text(content, encoding="utf-8")
    ran = CliRunner().invoke(app, ["stream", "replay", "evening.log"])
    assert ran.exit_code == 2
    assert "no line of a chat" in ran.stderr


@given(st.lists(st.text(max_size=60), max_size=20))
def test_any_text_is_read(lines):
    log = read_log(lines, 0.0)
    assert len(log.lines) + log.skipped <= len(lines)


@given(st.lists(st.tuples(st.integers(0, 999), st.integers(0, 59), st.integers(0, 59)), max_size=30))
def test_lines_come_in_the_order_of_their_times(times):
    log = read_log((f"[{h}:{m:02}:{s:02}] <mara> {h} {m} {s}" for h, m, s in times), 100.0)
    assert [line.at for line in log.lines] == sorted(100.0 + 3600 * h + 60 * m + s for h, m, s in times)
