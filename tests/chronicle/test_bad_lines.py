"""Whatever stands in a log, the rest of it loads."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.chronicle import AgentEvent, ChronicleWriter, EventKind
from talekeeper.chronicle.line import BadLine, decode, encode
from talekeeper.chronicle.segment import read_events

GOOD = b'{"kind": "commit", "agent": "mara", "detail": "good", "timestamp": 1793782800.5, "metadata": {}}'

SKIPPED = {
    "a list": b"[1,2]",
    "a number": b"42",
    "null": b"null",
    "text": b'"commit"',
    "nothing": b"   ",
    "not JSON": b"{kind: commit}",
    "deeply nested": b"[" * 200_000 + b"]" * 200_000,
    "deeply nested metadata": b'{"kind":"commit","agent":"m","timestamp":1,"metadata":'
    + b'{"a":' * 50_000
    + b"1"
    + b"}" * 50_001,
    "NaN": b'{"kind":"commit","agent":"m","timestamp":NaN}',
    "infinity": b'{"kind":"commit","agent":"m","timestamp":-Infinity}',
    "1e300": b'{"kind":"commit","agent":"m","timestamp":1e300}',
    "a time that is a list": b'{"kind":"commit","agent":"m","timestamp":[1]}',
    "a time that is no time": b'{"kind":"commit","agent":"m","timestamp":"yesterday"}',
    "an unknown kind": b'{"kind":"dance","agent":"m","timestamp":1}',
    "a kind that is a list": b'{"kind":["commit"],"agent":"m","timestamp":1}',
    "no kind": b'{"agent":"m","timestamp":1}',
    "no agent": b'{"kind":"commit","timestamp":1}',
    "two on one line": GOOD + GOOD,
}

REPAIRED = {
    "a time as text": (b'{"kind":"commit","agent":"m","timestamp":"12.5"}', "m", 12.5),
    "a time in ISO": (b'{"kind":"commit","agent":"m","timestamp":"2026-11-04T09:00:00Z"}', "m", 1_793_782_800.0),
    "no time": (b'{"kind":"commit","agent":"m"}', "m", 0.0),
    "a null agent": (b'{"kind":"commit","agent":null,"timestamp":1}', "unknown", 1.0),
    "a number for an agent": (b'{"kind":"commit","agent":7,"timestamp":1}', "7", 1.0),
    "bad UTF-8": (b'{"kind":"commit","agent":"m\xff","timestamp":1}', "m\ufffd", 1.0),
    "a null detail": (b'{"kind":"commit","agent":"m","timestamp":1,"detail":null}', "m", 1.0),
    "metadata that is a list": (b'{"kind":"commit","agent":"m","timestamp":1,"metadata":[1]}', "m", 1.0),
    "a lone surrogate": (b'{"kind":"commit","agent":"m","timestamp":1,"detail":"\\ud800"}', "m", 1.0),
}


@pytest.mark.parametrize("line", SKIPPED.values(), ids=SKIPPED)
def test_a_line_that_means_nothing_is_skipped_with_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, line: bytes
):
    path = tmp_path / "log.jsonl"
    path.write_bytes(GOOD + b"\n" + line + b"\n" + GOOD + b"\n")
    writer = ChronicleWriter(path)
    with caplog.at_level(logging.WARNING):
        assert writer.summary()["total_events"] == 2
    assert writer.render().count("good") == 2
    assert len(list(read_events(path))) == 2
    assert ("skipped" in caplog.text) == bool(line.strip())


@pytest.mark.parametrize(("line", "agent", "at"), REPAIRED.values(), ids=REPAIRED)
def test_a_line_that_can_be_understood_is_repaired(tmp_path: Path, line: bytes, agent: str, at: float):
    path = tmp_path / "log.jsonl"
    path.write_bytes(GOOD + b"\n" + line + b"\n" + GOOD + b"\n")
    writer = ChronicleWriter(path)
    assert writer.summary()["total_events"] == 3
    assert agent in writer.summary()["agents"]
    event = list(read_events(path))[1]
    assert (event.agent, event.timestamp) == (agent, at)
    assert len(writer.render().split("\n\n")) == 5


def test_an_old_file_loads(tmp_path: Path):
    path = tmp_path / "log.jsonl"
    path.write_text(
        "\r\n".join(json.dumps(AgentEvent(kind, "mara", "old", 5.0).to_dict()) for kind in EventKind) + "\r\n"
    )
    assert ChronicleWriter(path).summary()["total_events"] == 12


@given(st.binary(max_size=200))
def test_any_bytes_are_an_event_or_a_bad_line(line: bytes):
    try:
        event, _ = decode(line)
    except BadLine:
        return
    assert isinstance(event, AgentEvent)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.builds(
        AgentEvent,
        st.sampled_from(EventKind),
        st.text(min_size=1),
        st.text(),
        st.floats(-1e10, 1e11),
        st.dictionaries(st.text(max_size=8), json_values, max_size=4),
    )
)
def test_what_is_written_is_read_back(event: AgentEvent):
    back, repairs = decode(encode(event)[:-1])
    assert (back.kind, back.agent, back.detail, back.timestamp) == (
        event.kind,
        event.agent,
        event.detail,
        event.timestamp,
    )
    assert back.metadata.keys() == event.metadata.keys()
    assert repairs == ""


@given(
    st.dictionaries(
        st.sampled_from(["kind", "agent", "detail", "timestamp", "metadata"]), json_values | st.sampled_from(EventKind)
    )
)
def test_any_object_counts_the_same_in_the_summary_and_the_window(
    tmp_path_factory: pytest.TempPathFactory, document: dict
):
    path = tmp_path_factory.mktemp("log") / "log.jsonl"
    path.write_bytes(GOOD + b"\n" + json.dumps(document).encode() + b"\n" + GOOD + b"\n")
    writer = ChronicleWriter(path)
    assert writer.summary()["total_events"] == len(list(read_events(path))) == writer.render_markdown().count("\n**")
