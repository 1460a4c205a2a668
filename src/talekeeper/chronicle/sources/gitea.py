"""Gitea's and Forgejo's webhooks."""

from __future__ import annotations

from typing import Any

from ..event import AgentEvent
from . import forge, github
from .payload import table, text

SOURCE = "gitea"

_VERDICTS = {
    "pull_request_approved": "approved",
    "pull_request_rejected": "rejected",
    "pull_request_comment": "comment",
    "pull_request_review_approved": "approved",
    "pull_request_review_rejected": "rejected",
    "pull_request_review_comment": "comment",
}


def parse(event: str, payload: Any, now: float) -> list[AgentEvent]:
    """`event` is the X-Gitea-Event header; reviews come under several names."""
    payload = table(payload)
    what = event or github.shape_of(payload)
    if what in ("issues", "issue_assign"):
        return forge.issue(payload, SOURCE, now)
    if what in _VERDICTS and text(payload, "action") != "created":
        return forge.review(payload, _VERDICTS[what], None, SOURCE, now)
    if what in ("issue_comment", "pull_request_comment"):
        return forge.comment(payload, SOURCE, now)
    if what in ("pull_request", "pull_request_sync"):
        return forge.pull_request(payload, SOURCE, now)
    if what == "push":
        return forge.push(payload, SOURCE, now)
    if what == "release":
        return forge.release(payload, SOURCE, now)
    return []
