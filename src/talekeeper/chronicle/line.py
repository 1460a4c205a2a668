"""One event as one line of JSON, and back again whatever state the line is in."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, NoReturn

from .event import EARLIEST, LATEST, UNKNOWN_AGENT, AgentEvent, EventKind

try:
    import orjson

    fast_loads: Callable[[bytes], Any] = orjson.loads
    _fast_dumps: Callable[[Any], bytes] = partial(orjson.dumps, option=orjson.OPT_APPEND_NEWLINE)
except ImportError:  # orjson is a matter of speed only
    fast_loads = json.loads

    def _fast_dumps(document: Any) -> bytes:
        return json.dumps(document, allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class BadLine(ValueError):
    """A line that cannot be read as an event; the message says why."""


def encode(event: AgentEvent) -> bytes:
    """Raises TypeError for metadata JSON cannot hold, ValueError for a time no calendar can name."""
    timestamp = event.timestamp
    if (type(timestamp) is not float and type(timestamp) is not int) or not EARLIEST <= timestamp <= LATEST:
        raise ValueError(f"timestamp must be seconds since the epoch, not {timestamp!r}")
    document = {
        "kind": event.kind,
        "agent": event.agent,
        "detail": event.detail,
        "timestamp": timestamp,
        "metadata": event.metadata,
    }
    try:
        return _fast_dumps(document)
    except (TypeError, ValueError):
        pass  # integers past 64 bits, lone surrogates, keys that are not text: the slow way can write them
    try:
        return json.dumps(document, allow_nan=False, separators=(",", ":")).encode() + b"\n"
    except ValueError:
        return json.dumps(_without_nan(document), separators=(",", ":")).encode() + b"\n"


def decode(line: bytes) -> tuple[AgentEvent, str]:
    """The event and what had to be repaired in it ("" for nothing). Raises BadLine."""
    repairs: list[str] = []
    document = load(line, repairs)
    if not isinstance(document, dict):
        raise BadLine("not an object")
    try:
        kind = EventKind(document["kind"])
    except KeyError:
        raise BadLine("no kind") from None
    except ValueError:
        raise BadLine("unknown kind") from None
    if "agent" not in document:
        raise BadLine("no agent")
    agent, detail, metadata = document["agent"], document.get("detail", ""), document.get("metadata", {})
    if not isinstance(agent, str) or not agent:
        repairs.append("agent")
        agent = UNKNOWN_AGENT if agent is None or agent == "" else str(agent)
    if not isinstance(detail, str):
        repairs.append("detail")
        detail = "" if detail is None else str(detail)
    if not isinstance(metadata, dict):
        repairs.append("metadata")
        metadata = {}
    timestamp: Any = document.get("timestamp")
    if not _is_time(timestamp):
        repairs.append("timestamp")
        timestamp = _repaired_time(timestamp)
    return AgentEvent(kind, agent, detail, float(timestamp), metadata), ", ".join(repairs)


def load(line: bytes, repairs: list[str]) -> Any:
    """The JSON value of one line; what had to be done to read it is added to `repairs`. Raises BadLine."""
    try:
        return fast_loads(line)
    except (ValueError, RecursionError):
        pass
    try:
        text = line.decode()
    except UnicodeDecodeError:
        repairs.append("encoding")
        text = line.decode(errors="replace")
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise BadLine("nested too deeply") from None
    except ValueError:
        raise BadLine("not JSON") from None


def _is_time(value: Any) -> bool:
    return type(value) in (float, int) and EARLIEST <= value <= LATEST


def _repaired_time(value: Any) -> float:
    # A line without a time must not get the time of reading, or two readings would differ.
    if value is None:
        return 0.0
    if isinstance(value, str):
        try:
            number = float(value)
        except ValueError:
            number = _seconds(value)
        if EARLIEST <= number <= LATEST:
            return number
    raise BadLine("no usable timestamp")


def _seconds(text: str) -> float:
    try:
        moment = datetime.fromisoformat(text.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise BadLine("no usable timestamp") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
