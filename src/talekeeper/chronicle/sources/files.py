"""A file of events, whoever wrote it: a chronicle log, an agent's session, spans, a saved delivery."""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from talekeeper.errors import BadInput, NotFound

from ..event import AgentEvent
from ..fleet_records import line_id
from ..line import BadLine, decode, load
from . import alertmanager, claude_code, cloudevents, codex, github, gitlab, otel
from .delivery import LARGEST
from .recoveries import Recoveries

_LOOK_AT = 50


def read_file(path: Path) -> Iterator[AgentEvent]:
    """Events in file order. Each has an `id` in its metadata; reading the file again gives the same ids."""
    try:
        size = path.stat().st_size
        lines = _lines(path)
        head = list(itertools.islice(lines, _LOOK_AT))
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.") from None
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}.") from error
    parsed = [value for _, value in head if value is not None]
    if any(claude_code.is_mine(value) for value in parsed):
        return _numbered(claude_code.parse(value for _, value in itertools.chain(head, lines)))
    if any(codex.is_mine(value) for value in parsed):
        return _numbered(codex.parse(value for _, value in itertools.chain(head, lines)))
    if any(_is_event(value) for value in parsed):
        return _chronicle(itertools.chain(head, lines))
    made = [event for value in parsed for event in _foreign(value)]
    if not made and size <= LARGEST:
        try:
            made = _foreign(load(path.read_bytes(), []))
        except BadLine:
            made = []
    else:
        made += [event for _, value in lines for event in _foreign(value)]
    if not made:
        raise BadInput(
            f"{path} holds no events that are understood.",
            "Chronicle JSONL, Claude Code and Codex sessions, OTLP spans, CloudEvents and saved webhooks can be read.",
        )
    return _numbered(Recoveries().among(made))


def _chronicle(lines: Iterator[tuple[bytes, Any]]) -> Iterator[AgentEvent]:
    seen: OrderedDict[bytes, int] = OrderedDict()
    for line, _ in lines:
        try:
            event, _ = decode(line)
        except BadLine:
            continue
        event.metadata["id"] = line_id(line, seen)
        yield event


def _numbered(events: Iterator[AgentEvent]) -> Iterator[AgentEvent]:
    for index, event in enumerate(events):
        event.metadata.setdefault("id", f"{event.metadata.get('source', 'file')}:{event.timestamp:.3f}.{index}")
        yield event


def _is_event(value: Any) -> bool:
    return isinstance(value, Mapping) and "kind" in value and "agent" in value


def _foreign(value: Any) -> list[AgentEvent]:
    if isinstance(value, list):
        return [event for one in value for event in _foreign(one)]
    if not isinstance(value, Mapping):
        return []
    for mark, parse in (
        ("resourceSpans", otel.parse),
        ("specversion", cloudevents.parse),
        ("alerts", alertmanager.parse),
        ("object_kind", gitlab.parse),
        ("repository", github.parse),
    ):
        if mark in value:
            return parse("", value, 0.0)
    return []


def _lines(path: Path) -> Iterator[tuple[bytes, Any]]:
    with path.open("rb") as file:
        for line in file:
            try:
                yield line, load(line, []) if line.strip() else None
            except BadLine:
                yield line, None
