"""Codex's session logs ("rollouts", JSONL)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import Any

from ..event import AgentEvent, EventKind
from .delivery import plain_json
from .payload import moment, number, table, text
from .session_log import SessionLog

SOURCE = "codex"
_TYPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_EXIT = re.compile(r"(?:exit(?:ed with)? code:?|Process exited with code)\s*(-?\d+)", re.IGNORECASE)


def is_mine(line: Any) -> bool:
    return isinstance(line, Mapping) and line.get("type") in _TYPES and isinstance(line.get("payload"), Mapping)


def parse(lines: Iterable[Any]) -> Iterator[AgentEvent]:
    log = SessionLog(SOURCE, "codex")
    for line in lines:
        at = moment(line.get("timestamp")) if isinstance(line, Mapping) else None
        if at is None or not is_mine(line):
            continue
        payload = table(line, "payload")
        if line["type"] == "session_meta":
            log = SessionLog(SOURCE, "codex")
            log.session = text(payload, "id")
            log.repo = PurePath(text(payload, "cwd")).name
            log.branch = text(payload, "git", "branch")
        elif line["type"] == "event_msg":
            yield from _message(log, payload, at)
        elif line["type"] == "response_item":
            yield from _item(log, payload, at)


def _message(log: SessionLog, payload: Mapping[str, Any], at: float) -> Iterator[AgentEvent]:
    what = payload.get("type")
    if what == "user_message":
        yield from log.asked(text(payload, "message"), at)
    elif what in ("error", "stream_error"):
        yield from log.failed(text(payload, "message"), at)
    elif what == "turn_aborted":
        yield from log.ended(EventKind.ABANDON, f"turn aborted: {text(payload, 'reason') or 'interrupted'}", at)


def _item(log: SessionLog, payload: Mapping[str, Any], at: float) -> Iterator[AgentEvent]:
    what = payload.get("type")
    if what in ("function_call", "custom_tool_call", "local_shell_call"):
        arguments = plain_json(text(payload, "arguments")) or payload.get("action") or {}
        command = arguments.get("command", arguments.get("cmd")) if isinstance(arguments, Mapping) else ""
        words = [str(word) for word in command] if isinstance(command, list) else [str(command or "")]
        log.called(
            text(payload, "call_id"),
            text(payload, "name") or "shell",
            words[-1] if words[0] in _SHELLS else " ".join(words),
        )
    elif what in ("function_call_output", "custom_tool_call_output"):
        output = payload.get("output")
        said = output if isinstance(output, str) else text(output, "content")
        inner = plain_json(said)
        code = number(inner, "metadata", "exit_code")
        shown = text(inner, "output") if isinstance(inner, Mapping) else said
        if code is None:
            found = _EXIT.search(said[:400])
            code = int(found.group(1)) if found else 0
        failed = code != 0 or (isinstance(output, Mapping) and output.get("success") is False)
        yield from log.answered(text(payload, "call_id"), failed, shown, at)


_SHELLS = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "/bin/zsh"})
