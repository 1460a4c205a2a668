"""What GitHub and Gitea have in common: the shapes of their issues, pull requests, reviews, pushes and releases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..event import AgentEvent, EventKind
from .payload import closed_issue, first_line, known, moment, number, table, tables, text

Payload = Mapping[str, Any]
K = EventKind

_NO_COMMIT = "0" * 40


def repo_of(payload: Payload) -> str:
    return text(payload, "repository", "full_name")


def login(value: Payload) -> str:
    return text(value, "login") or text(value, "username") or text(value, "name")


def actor_of(payload: Payload) -> str:
    return login(table(payload, "sender")) or login(table(payload, "pusher"))


def issue(payload: Payload, source: str, now: float) -> list[AgentEvent]:
    inner, action = table(payload, "issue"), text(payload, "action")
    kinds = {"opened": K.DISPATCH, "assigned": K.DISPATCH, "reopened": K.DISPATCH, "closed": K.MILESTONE}
    if action not in kinds or not inner:
        return []
    kind, actor = kinds[action], actor_of(payload)
    if action == "closed" and text(inner, "state_reason") == "not_planned":
        kind = K.ABANDON
    assignee = login(table(payload, "assignee")) or login(table(inner, "assignee"))
    agent = assignee if kind is K.DISPATCH and assignee else actor
    nr, title = number(inner, "number"), text(inner, "title")
    at = moment(
        inner.get({"opened": "created_at", "closed": "closed_at"}.get(action, "updated_at")), inner.get("updated_at")
    )
    words = {"closed": "closed issue", "reopened": "reopened issue"}.get(action, "issue")
    return [
        AgentEvent(kind, agent, f"{words} #{nr}: {title}", at or now, _about(payload, source, inner, actor, nr, title))
    ]


def pull_request(payload: Payload, source: str, now: float) -> list[AgentEvent]:
    inner, action = table(payload, "pull_request"), text(payload, "action")
    nr, title, actor = number(inner, "number"), text(inner, "title"), actor_of(payload)
    author = login(table(inner, "user")) or actor
    detail = f"#{nr}: {title}"
    if action in ("opened", "reopened"):
        kind, agent, at = K.PR_OPEN, author, moment(inner.get("created_at" if action == "opened" else "updated_at"))
    elif action == "closed" and inner.get("merged") is True:
        kind, agent, at = K.PR_MERGE, author, moment(inner.get("merged_at"), inner.get("closed_at"))
    elif action == "closed":
        kind, agent, at = K.ABANDON, author, moment(inner.get("closed_at"))
    elif action in ("synchronize", "synchronized"):
        kind, agent, at, detail = K.PUSH, actor, None, f"new commits for #{nr}: {title}"
    else:
        return []
    about = _about(payload, source, inner, actor, nr, title) | known(
        sha=text(inner, "merge_commit_sha") if kind is K.PR_MERGE else text(inner, "head", "sha"),
        branch=text(inner, "head", "ref"),
        merged_by=login(table(inner, "merged_by")),
    )
    return [AgentEvent(kind, agent, detail, at or moment(inner.get("updated_at")) or now, about)]


def review(payload: Payload, verdict: str, at: float | None, source: str, now: float) -> list[AgentEvent]:
    inner = table(payload, "pull_request")
    words = {
        "approved": "approved",
        "changes_requested": "asked for changes to",
        "rejected": "asked for changes to",
        "commented": "commented on",
        "comment": "commented on",
    }.get(verdict.lower())
    if words is None or not inner:
        return []
    nr, title = number(inner, "number"), text(inner, "title")
    reviewer = login(table(payload, "review", "user")) or actor_of(payload)
    about = _about(payload, source, inner, actor_of(payload), nr, title) | known(verdict=verdict.lower())
    return [AgentEvent(K.COLLABORATION, reviewer, f"{words} #{nr}: {title}", at or now, about)]


def comment(payload: Payload, source: str, now: float) -> list[AgentEvent]:
    inner = table(payload, "issue") or table(payload, "pull_request")
    if text(payload, "action") != "created" or not inner:
        return []
    nr, title, actor = number(inner, "number"), text(inner, "title"), actor_of(payload)
    at = moment(payload.get("comment", {}).get("created_at")) if table(payload, "comment") else None
    about = _about(payload, source, inner, actor, nr, title)
    return [AgentEvent(K.COLLABORATION, actor, f"commented on #{nr}: {title}", at or now, about)]


def push(payload: Payload, source: str, now: float) -> list[AgentEvent]:
    """One event for each commit, then one for the push."""
    ref = text(payload, "ref")
    if not ref:
        return []
    branch = ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
    actor, repo, after = actor_of(payload), repo_of(payload), text(payload, "after")
    events = [_commit(commit, actor, repo, branch, source, now) for commit in tables(payload, "commits")]
    what = "tag" if ref.startswith("refs/tags/") else "branch"
    gone = payload.get("deleted") is True or after == _NO_COMMIT
    count = number(payload, "total_commits") or len(events)
    detail = f"deleted the {what} {branch}" if gone else f"{count} commit{'s' * (count != 1)} to {branch}"
    if what == "tag" and not gone:
        detail = f"the tag {branch}"
    newest = max((event.timestamp for event in events), default=None)
    at = newest or moment(table(payload, "head_commit").get("timestamp"), table(payload, "repository").get("pushed_at"))
    about = known(
        source=source,
        repo=repo,
        actor=actor,
        branch=branch,
        sha=text(payload, "before") if gone else after,
        commits=count,
    )
    return [*events, AgentEvent(K.MILESTONE if what == "tag" and not gone else K.PUSH, actor, detail, at or now, about)]


def _commit(commit: Payload, actor: str, repo: str, branch: str, source: str, now: float) -> AgentEvent:
    message, sha = text(commit, "message"), text(commit, "id") or text(commit, "sha")
    author = text(commit, "author", "username") or text(commit, "author", "name") or actor
    about = known(
        id=f"git:{sha}" if sha else "",
        source=source,
        repo=repo,
        sha=sha,
        actor=actor,
        branch=branch,
        task=closed_issue(message),
        url=text(commit, "url"),
    )
    return AgentEvent(K.COMMIT, author, first_line(message), moment(commit.get("timestamp")) or now, about)


def release(payload: Payload, source: str, now: float) -> list[AgentEvent]:
    inner = table(payload, "release")
    if text(payload, "action") != "published" or not inner:
        return []
    tag, name, actor = text(inner, "tag_name"), text(inner, "name"), actor_of(payload)
    author = login(table(inner, "author")) or actor
    detail = f"released {tag}" + (f": {name}" if name and name != tag else "")
    at = moment(inner.get("published_at"), inner.get("created_at")) or now
    about = known(
        source=source, repo=repo_of(payload), actor=actor, title=name or tag, tag=tag, url=text(inner, "html_url"),
        sha=text(inner, "target_commitish"), task=tag,
    )  # fmt: skip
    return [AgentEvent(K.MILESTONE, author, detail, at, about)]


def _about(payload: Payload, source: str, inner: Payload, actor: str, nr: int | None, title: str) -> dict[str, Any]:
    closes = closed_issue(title, text(inner, "body"))
    return known(
        source=source, repo=repo_of(payload), number=nr, title=title, actor=actor, url=text(inner, "html_url"),
        task=closes or (f"#{nr}" if nr is not None else ""),
    )  # fmt: skip
