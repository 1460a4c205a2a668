"""Claude Code's session logs (JSONL)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

from ..event import AgentEvent
from .payload import moment, tables, text
from .session_log import SessionLog

SOURCE = "claude-code"


def is_mine(line: Any) -> bool:
    return (
        isinstance(line, Mapping) and "sessionId" in line and isinstance(line.get("type"), str) and "timestamp" in line
    )


def parse(lines: Iterable[Any]) -> Iterator[AgentEvent]:
    """One session, or several in one file."""
    logs: dict[str, SessionLog] = {}
    for line in lines:
        at = moment(line.get("timestamp")) if isinstance(line, Mapping) else None
        if at is None or not is_mine(line):
            continue
        helper = text(line, "agentId")
        name = f"{text(line, 'sessionId')}/{helper}"
        if name not in logs:
            logs[name] = SessionLog(SOURCE, f"claude/{helper}" if helper else "claude")
            logs[name].session = text(line, "sessionId")
        log = logs[name]
        log.repo = log.repo or PurePath(text(line, "cwd")).name
        log.branch = text(line, "gitBranch") or log.branch
        yield from _line(log, line, at)


def _line(log: SessionLog, line: Mapping[str, Any], at: float) -> Iterator[AgentEvent]:
    content = line["message"].get("content") if isinstance(line.get("message"), Mapping) else None
    if line.get("isApiErrorMessage") is True:
        yield from log.failed(_words(content), at)
    elif line["type"] == "user" and not line.get("isMeta"):
        if isinstance(content, str):
            if not content.lstrip().startswith("<"):  # wrapped lines are the tool's own, not a person's
                yield from log.asked(content, at)
            return
        for block in tables({"content": content}, "content"):
            if block.get("type") == "tool_result":
                output = _words(block.get("content"))
                yield from log.answered(text(block, "tool_use_id"), block.get("is_error") is True, output, at)
            elif block.get("type") == "text" and not text(block, "text").startswith("<"):
                yield from log.asked(text(block, "text"), at)
    elif line["type"] == "assistant":
        for block in tables({"content": content}, "content"):
            if block.get("type") == "tool_use":
                log.called(text(block, "id"), text(block, "name") or "a tool", text(block, "input", "command"))


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    return next((text(block, "text") for block in tables({"content": content}, "content")), "")
