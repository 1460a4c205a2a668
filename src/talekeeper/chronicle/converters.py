"""The small converters: a Gitea issue, a heartbeat, a commit. Flat REST objects and webhook payloads both work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .event import UNKNOWN_AGENT, AgentEvent, EventKind


def event_from_gitea_issue(payload: Mapping[str, Any] | None, agent: str) -> AgentEvent:
    outer = _mapping(payload)
    issue = _mapping(outer.get("issue")) or outer
    number = _first(issue.get("number"), outer.get("number"), issue.get("index"))
    title = _first(issue.get("title"), outer.get("title"))
    shown = "?" if number is None else number
    return AgentEvent(
        EventKind.DISPATCH, agent, f"issue #{shown}: {_text(title)}".rstrip(": "), metadata={"issue_number": number}
    )


def event_from_heartbeat(hb: Mapping[str, Any] | None) -> AgentEvent:
    beat = _mapping(hb)
    cycle, status = _first(beat.get("cycle"), 0), _first(beat.get("status"), "thinking")
    return AgentEvent(
        EventKind.HEARTBEAT,
        _text(beat.get("model")) or UNKNOWN_AGENT,
        f"cycle {_text(cycle)}, status={_text(status)}",
        metadata=dict(beat),
    )


def event_from_commit(commit: Mapping[str, Any] | None, agent: str) -> AgentEvent:
    outer = _mapping(commit)
    inner = _mapping(outer.get("commit"))
    message = _text(_first(outer.get("message"), inner.get("message")))
    sha = _text(_first(outer.get("sha"), outer.get("id"), outer.get("hash")))
    subject = message.strip().splitlines()[0].strip() if message.strip() else ""
    return AgentEvent(EventKind.COMMIT, agent, subject, metadata={"sha": sha[:8]})


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _first(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def _text(value: Any) -> str:
    return "" if value is None else str(value)
