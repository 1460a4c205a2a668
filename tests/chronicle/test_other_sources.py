"""Alerts, CloudEvents, spans, sessions of coding agents, and files of any of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from talekeeper.chronicle import AgentEvent, EventKind
from talekeeper.chronicle.sources import alertmanager, claude_code, cloudevents, codex, otel, read_file
from talekeeper.chronicle.sources.recoveries import Recoveries
from talekeeper.chronicle.sources.shell import deeds_of
from talekeeper.errors import BadInput, NotFound

K = EventKind
NOW = 1_793_782_800.0


def alert(status: str, fingerprint: str = "f1") -> dict[str, Any]:
    return {
        "status": status,
        "fingerprint": fingerprint,
        "labels": {"alertname": "DiskFull", "service": "tower", "severity": "critical"},
        "annotations": {"summary": "The disk is full"},
        "startsAt": "2026-11-04T08:00:00.123456789Z",
        "endsAt": "2026-11-04T08:30:00Z",
    }


def test_alerts_fire_and_are_resolved_by_fingerprint():
    fired, resolved = alertmanager.parse("", {"version": "4", "alerts": [alert("firing"), alert("resolved")]}, NOW)
    assert (fired.kind, fired.agent, fired.detail) == (K.ERROR, "tower", "The disk is full")
    assert (resolved.kind, resolved.metadata["task"]) == (K.RECOVERY, fired.metadata["task"])
    assert (fired.metadata["severity"], fired.timestamp) == ("critical", pytest.approx(1_793_779_200.123456))
    other = alertmanager.parse("", {"alerts": [alert("firing", "f2")]}, NOW)[0]
    assert other.metadata["task"] != fired.metadata["task"]


def test_a_repeated_notification_has_the_same_id():
    first, again = (alertmanager.parse("", {"alerts": [alert("firing")]}, now)[0] for now in (NOW, NOW + 3600))
    assert first.metadata["id"] == again.metadata["id"]


def cloud(name: str, **data: Any) -> dict[str, Any]:
    return {
        "specversion": "1.0",
        "type": name,
        "source": "/ci/tower",
        "id": "9",
        "time": "2026-11-04T08:00:00Z",
        "data": data,
    }


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (cloud("com.example.build.failed", agent="mara", detail="no oil"), K.ERROR),
        (cloud("com.example.anything", kind="milestone", agent="mara"), K.MILESTONE),
        (cloud("dev.cdevents.change.merged.0.2.0"), K.PR_MERGE),
        (cloud("dev.cdevents.change.created.0.2.0"), K.PR_OPEN),
        (cloud("dev.cdevents.pipelinerun.finished.0.2.0", subject={"content": {"outcome": "failure"}}), K.ERROR),
        (cloud("dev.cdevents.incident.resolved.0.2.0"), K.RECOVERY),
    ],
)
def test_cloudevents(event: dict[str, Any], kind: EventKind):
    (made,) = cloudevents.parse("", event, NOW)
    assert made.kind is kind
    assert made.agent in ("mara", "tower")
    assert (made.timestamp, made.metadata["id"]) == (1_793_779_200.0, "ce:/ci/tower:9")


def test_cloudevents_in_batches_and_in_headers():
    assert len(cloudevents.parse("", [cloud("x.failed"), cloud("x.y"), 3], NOW)) == 1
    headers = {"ce-specversion": "1.0", "ce-type": "x.recovered", "ce-source": "/a/b", "ce-id": "1"}
    (made,) = cloudevents.parse("", cloudevents.envelope(headers, {"message": "up again"}), NOW)
    assert (made.kind, made.agent, made.detail) == (K.RECOVERY, "b", "up again")


def span(operation: str, failed: bool = False, **more: str) -> dict[str, Any]:
    attributes = {
        "gen_ai.operation.name": operation,
        "gen_ai.agent.name": "mara",
        **{f"gen_ai.{k}.name": v for k, v in more.items()},
    }
    return {
        "name": operation, "traceId": "aa" * 16, "spanId": operation, "startTimeUnixNano": "1793779200000000000",
        "endTimeUnixNano": "1793779260000000000", "status": {"code": 2, "message": "no oil"} if failed else {},
        "attributes": [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
        + [{"key": "gen_ai.usage.input_tokens", "value": {"intValue": "512"}}],
    }  # fmt: skip


def spans(*those: dict[str, Any]) -> dict[str, Any]:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"spans": list(those)}]}]}


def test_spans_of_agents_and_tools():
    events = otel.parse(
        "", spans(span("invoke_agent"), span("execute_tool", True, tool="lamp"), {"name": "GET /"}), NOW
    )
    assert [event.kind for event in events] == [K.DISPATCH, K.HEARTBEAT, K.ERROR]
    assert events[0].timestamp == 1_793_779_200.0
    assert events[2].detail == "execute_tool: no oil"
    assert events[2].metadata["tokens_in"] == 512
    mended = Recoveries()
    list(mended.among(events))
    (again,) = mended.among(otel.parse("", spans(span("execute_tool", tool="lamp")), NOW))
    assert again.kind is K.RECOVERY


@pytest.mark.parametrize(
    ("command", "deeds"),
    [
        (
            "cd tower && git add -A && git commit -m 'mend the wick' && git push",
            [(K.COMMIT, "mend the wick"), (K.PUSH, "")],
        ),
        ('git -C tower commit -qm "say \\"light\\""', [(K.COMMIT, "")]),
        ("git commit -m \"$(cat <<'EOF'\nmend the wick\n\nwith care\nEOF\n)\"", [(K.COMMIT, "mend the wick")]),
        (
            'gh pr create --title "Light the lamp" --body x; gh pr merge 8',
            [(K.PR_OPEN, "Light the lamp"), (K.PR_MERGE, "#8")],
        ),
        ("git log --oneline; echo git commit", []),
        ("git commit --amend --no-edit", []),
        ("", []),
    ],
)
def test_what_a_shell_command_did(command: str, deeds: list[tuple[EventKind, str]]):
    assert [kind for kind, _ in deeds_of(command)] == [kind for kind, _ in deeds]
    if deeds and deeds[0][1]:
        assert deeds_of(command) == deeds


def told(events: Any) -> list[tuple[str, str]]:
    return [(event.kind.value, event.detail) for event in events]


def claude(kind: str, content: Any, minute: int, **more: Any) -> dict[str, Any]:
    return {
        "type": kind, "sessionId": "5e55-10n", "timestamp": f"2026-11-04T08:{minute:02}:00.000Z", "cwd": "/home/x/tower",
        "gitBranch": "lamp", "message": {"role": kind, "content": content}, **more,
    }  # fmt: skip


def use(call: str, command: str) -> list[dict[str, Any]]:
    return [
        {"type": "text", "text": "let me"},
        {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}},
    ]


def result(call: str, said: Any, failed: bool = False) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": call, "content": said, "is_error": failed}]


CLAUDE = [
    {"type": "summary", "summary": "The lamp"},
    claude("user", "<command-name>/clear</command-name>", 0),
    claude("user", "Light the lamp in the tower\nplease", 1),
    claude("assistant", use("a", "make test"), 2),
    claude("user", result("a", "Exit code 2\nno oil", True), 3),
    claude("assistant", use("b", "make test && git commit -m 'more oil'"), 4),
    claude("user", result("b", [{"type": "text", "text": "ok"}]), 5),
    claude("user", "and the second lamp", 6),
    claude("assistant", [{"type": "text", "text": "API Error"}], 7, isApiErrorMessage=True),
    claude("user", [{"type": "text", "text": "go on"}], 8, agentId="h1"),
    "rubbish",
    None,
]


def test_a_claude_code_session():
    events = list(claude_code.parse(CLAUDE))
    assert told(events) == [
        ("dispatch", "Light the lamp in the tower"),
        ("error", "Bash: Exit code 2"),
        ("recovery", "Bash worked again"),
        ("commit", "more oil"),
        ("collab", "and the second lamp"),
        ("error", "API Error"),
        ("dispatch", "go on"),
    ]
    assert events[0].metadata["place"] == "tower"
    assert (events[0].agent, events[-1].agent) == ("claude", "claude/h1")
    assert len({event.metadata["id"] for event in events[:-1]}) == 6


def rollout(kind: str, minute: int, **payload: Any) -> dict[str, Any]:
    return {"timestamp": f"2026-11-04T08:{minute:02}:00.000Z", "type": kind, "payload": payload}


CODEX = [
    rollout("session_meta", 0, id="5e55-c0dex", cwd="/home/x/tower", git={"branch": "lamp"}),
    rollout("event_msg", 1, type="user_message", message="Light the lamp"),
    rollout(
        "response_item",
        2,
        type="function_call",
        name="shell",
        call_id="a",
        arguments='{"command":["bash","-lc","make test"]}',
    ),
    rollout(
        "response_item",
        3,
        type="function_call_output",
        call_id="a",
        output='{"output":"no oil","metadata":{"exit_code":2}}',
    ),
    rollout(
        "response_item", 4, type="function_call", name="shell", call_id="b", arguments='{"cmd":"git commit -m oil"}'
    ),
    rollout("response_item", 5, type="function_call_output", call_id="b", output="Process exited with code 0\n"),
    rollout("event_msg", 6, type="turn_aborted", reason="interrupted"),
    rollout("turn_context", 7, model="m"),
]


def test_a_codex_session():
    assert told(codex.parse([*CODEX, 3])) == [
        ("dispatch", "Light the lamp"),
        ("error", "shell: no oil"),
        ("recovery", "shell worked again"),
        ("commit", "oil"),
        ("abandon", "turn aborted: interrupted"),
    ]


class TestFiles:
    def write(self, path: Path, *lines: Any) -> Path:
        path.write_text("\n".join(json.dumps(line) for line in lines))
        return path

    @pytest.mark.parametrize(
        ("lines", "count"),
        [
            (CLAUDE, 7),
            (CODEX, 5),
            ([spans(span("invoke_agent"))], 2),
            ([cloud("x.failed"), {**cloud("x.recovered"), "id": "10"}], 2),
            ([{"alerts": [alert("firing")]}], 1),
            ([{"kind": "commit", "agent": "mara", "timestamp": 5.0}] * 3, 3),
        ],
        ids=["claude", "codex", "otel", "cloudevents", "alertmanager", "chronicle"],
    )
    def test_a_file_is_recognised_by_what_it_holds(self, tmp_path: Path, lines: list[Any], count: int):
        path = self.write(tmp_path / "file.jsonl", *lines)
        events = list(read_file(path))
        assert len(events) == count
        assert all(isinstance(event, AgentEvent) for event in events)
        assert len({event.metadata["id"] for event in events}) == count
        assert [event.metadata["id"] for event in read_file(path)] == [event.metadata["id"] for event in events]

    def test_a_saved_delivery_over_many_lines(self, tmp_path: Path):
        path = tmp_path / "alert.json"
        path.write_text(json.dumps({"alerts": [alert("firing")]}, indent=2))
        assert len(list(read_file(path))) == 1

    def test_equal_lines_are_told_apart_by_their_ordinal(self, tmp_path: Path):
        line = {"kind": "commit", "agent": "mara", "timestamp": 5.0}
        ids = [event.metadata["id"] for event in read_file(self.write(tmp_path / "a.jsonl", line, line))]
        assert ids[0].removesuffix(".0") == ids[1].removesuffix(".1")

    @pytest.mark.parametrize("content", [b"", b"hello\n", b'{"a": 1}', b"\x00\xff"])
    def test_a_file_that_holds_nothing_says_what_could_be_read(self, tmp_path: Path, content: bytes):
        path = tmp_path / "x"
        path.write_bytes(content)
        with pytest.raises(BadInput, match="Claude Code"):
            read_file(path)

    def test_no_file(self, tmp_path: Path):
        with pytest.raises(NotFound):
            read_file(tmp_path / "none")
