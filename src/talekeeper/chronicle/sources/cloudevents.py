"""CloudEvents, structured, batched or binary; CDEvents are told by their predicates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..event import AgentEvent, EventKind
from .payload import known, moment, table, text

SOURCE = "cloudevents"
K = EventKind

_WORDS = {
    "dispatch": K.DISPATCH, "assigned": K.DISPATCH, "requested": K.DISPATCH, "queued": K.DISPATCH, "started": K.DISPATCH,
    "commit": K.COMMIT, "committed": K.COMMIT, "push": K.PUSH, "pushed": K.PUSH, "updated": K.PUSH,
    "opened": K.PR_OPEN, "merged": K.PR_MERGE, "abandoned": K.ABANDON, "cancelled": K.ABANDON, "canceled": K.ABANDON,
    "failed": K.ERROR, "failure": K.ERROR, "error": K.ERROR, "detected": K.ERROR, "crashed": K.ERROR,
    "recovered": K.RECOVERY, "resolved": K.RECOVERY, "fixed": K.RECOVERY, "reviewed": K.COLLABORATION,
    "approved": K.COLLABORATION, "commented": K.COLLABORATION, "heartbeat": K.HEARTBEAT, "idle": K.IDLE,
    "released": K.MILESTONE, "published": K.MILESTONE, "deployed": K.MILESTONE, "upgraded": K.MILESTONE,
}  # fmt: skip
_CDEVENT = re.compile(r"dev\.cdevents\.([a-z]+)\.([a-z]+)")


def parse(_event: str, payload: Any, now: float) -> list[AgentEvent]:
    """A binary event arrives here with its headers already put around its data: see `envelope`."""
    found = [
        _one(one, now) for one in (payload if isinstance(payload, list) else [payload]) if isinstance(one, Mapping)
    ]
    return [event for event in found if event is not None]


def envelope(headers: Mapping[str, str], data: Any) -> Any:
    """In binary mode the attributes are headers and the body is the data."""
    if "ce-specversion" not in headers:
        return data
    attributes = {name.removeprefix("ce-"): value for name, value in headers.items() if name.startswith("ce-")}
    return {**attributes, "data": data}


def _one(event: Mapping[str, Any], now: float) -> AgentEvent | None:
    kind_name, data = text(event, "type"), table(event, "data")
    kind = _kind(kind_name, data)
    if not text(event, "specversion") or kind is None:
        return None
    inner = table(data, "subject", "content") or data
    agent = (
        text(data, "agent")
        or text(data, "actor")
        or text(inner, "user")
        or text(event, "source").rstrip("/").rsplit("/", 1)[-1]
    )
    detail = text(data, "detail") or text(data, "message") or text(data, "title") or text(event, "subject") or kind_name
    about = known(
        id=f"ce:{text(event, 'source')}:{text(event, 'id')}", source=SOURCE, type=kind_name, title=text(data, "title"),
        repo=text(data, "repo") or text(inner, "repository", "id"), number=data.get("number"), sha=text(data, "sha"),
        actor=text(data, "actor"), severity=text(data, "severity"), task=text(data, "task") or text(event, "subject"),
    )  # fmt: skip
    return AgentEvent(kind, agent, detail, moment(event.get("time")) or now, about)


def _kind(name: str, data: Mapping[str, Any]) -> EventKind | None:
    given = text(data, "kind")
    if given in set(K):
        return K(given)
    cdevent = _CDEVENT.match(name)
    if cdevent:
        subject, predicate = cdevent.groups()
        outcome = text(data, "subject", "content", "outcome")
        if predicate == "finished":
            return {"success": K.RECOVERY, "failure": K.ERROR, "error": K.ERROR}.get(outcome)
        if subject == "change" and predicate == "created":
            return K.PR_OPEN
        return _WORDS.get(predicate)
    words = re.findall(r"[a-z]+", name.lower())
    return next((_WORDS[word] for word in reversed(words) if word in _WORDS), None)
