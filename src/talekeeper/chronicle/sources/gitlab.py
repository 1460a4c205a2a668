"""GitLab's webhooks."""

from __future__ import annotations

from typing import Any

from ..event import AgentEvent, EventKind
from .payload import closed_issue, first_line, known, moment, number, table, tables, text
from .recoveries import CHECK

SOURCE = "gitlab"
K = EventKind

_MERGE_REQUEST = {
    "open": K.PR_OPEN,
    "reopen": K.PR_OPEN,
    "merge": K.PR_MERGE,
    "close": K.ABANDON,
    "approved": K.COLLABORATION,
}
_ISSUE = {"open": K.DISPATCH, "reopen": K.DISPATCH, "close": K.MILESTONE}


def parse(event: str, payload: Any, now: float) -> list[AgentEvent]:
    """The payload names its own kind; the X-Gitlab-Event header only says it in other words."""
    what = text(payload, "object_kind") or event.lower().removesuffix(" hook").replace(" ", "_")
    if what in ("push", "tag_push"):
        return _push(payload, now)
    if what in ("issue", "work_item"):
        return _issue(payload, now)
    if what == "merge_request":
        return _merge_request(payload, now)
    if what == "pipeline":
        return _pipeline(payload, now)
    if what == "release":
        return _release(payload, now)
    if what == "note":
        return _note(payload, now)
    return []


def _about(payload: Any, inner: Any, mark: str) -> dict[str, Any]:
    nr, title = number(inner, "iid"), text(inner, "title")
    return known(
        source=SOURCE, repo=text(payload, "project", "path_with_namespace"), number=nr, title=title, actor=_actor(payload),
        url=text(inner, "url"), task=closed_issue(title, text(inner, "description")) or (f"{mark}{nr}" if nr is not None else ""),
    )  # fmt: skip


def _actor(payload: Any) -> str:
    return (
        text(payload, "user", "username")
        or text(payload, "user_username")
        or text(payload, "user", "name")
        or text(payload, "user_name")
    )


def _issue(payload: Any, now: float) -> list[AgentEvent]:
    inner = table(payload, "object_attributes")
    kind = _ISSUE.get(text(inner, "action"))
    if kind is None:
        return []
    assignee = next((text(one, "username") for one in tables(payload, "assignees")), "") or text(
        payload, "assignee", "username"
    )
    agent = assignee if kind is K.DISPATCH and assignee else _actor(payload)
    words = "closed issue" if kind is K.MILESTONE else "issue"
    at = (
        moment(inner.get("closed_at") if kind is K.MILESTONE else inner.get("created_at"), inner.get("updated_at"))
        or now
    )
    return [
        AgentEvent(
            kind, agent, f"{words} #{number(inner, 'iid')}: {text(inner, 'title')}", at, _about(payload, inner, "#")
        )
    ]


def _merge_request(payload: Any, now: float) -> list[AgentEvent]:
    inner = table(payload, "object_attributes")
    action = text(inner, "action")
    kind, nr, title = _MERGE_REQUEST.get(action), number(inner, "iid"), text(inner, "title")
    about = _about(payload, inner, "!") | known(
        sha=text(inner, "merge_commit_sha") or text(inner, "last_commit", "id"), branch=text(inner, "source_branch")
    )
    at = (
        moment(inner.get("created_at") if action == "open" else inner.get("updated_at"), inner.get("updated_at")) or now
    )
    if kind is None:
        if action == "update" and text(inner, "oldrev"):
            return [AgentEvent(K.PUSH, _actor(payload), f"new commits for !{nr}: {title}", at, about)]
        return []
    detail = f"approved !{nr}: {title}" if kind is K.COLLABORATION else f"!{nr}: {title}"
    return [AgentEvent(kind, _actor(payload), detail, at, about)]


def _push(payload: Any, now: float) -> list[AgentEvent]:
    ref, actor, repo = text(payload, "ref"), _actor(payload), text(payload, "project", "path_with_namespace")
    branch = ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
    events = []
    for commit in tables(payload, "commits"):
        message, sha = text(commit, "message"), text(commit, "id")
        about = known(
            id=f"git:{sha}" if sha else "", source=SOURCE, repo=repo, sha=sha, actor=actor, branch=branch,
            task=closed_issue(message), url=text(commit, "url"),
        )  # fmt: skip
        at = moment(commit.get("timestamp")) or now
        events.append(AgentEvent(K.COMMIT, text(commit, "author", "name") or actor, first_line(message), at, about))
    gone = set(text(payload, "after")) == {"0"}
    tag = ref.startswith("refs/tags/")
    count = number(payload, "total_commits_count") or len(events)
    detail = f"{count} commit{'s' * (count != 1)} to {branch}"
    if gone or tag:
        detail = f"{'deleted ' if gone else ''}the {'tag' if tag else 'branch'} {branch}"
    about = known(
        source=SOURCE,
        repo=repo,
        actor=actor,
        branch=branch,
        commits=count,
        sha=text(payload, "before" if gone else "checkout_sha"),
    )
    newest = max((event.timestamp for event in events), default=now)
    return [*events, AgentEvent(K.MILESTONE if tag and not gone else K.PUSH, actor, detail, newest, about)]


def _pipeline(payload: Any, now: float) -> list[AgentEvent]:
    inner, status = table(payload, "object_attributes"), text(payload, "object_attributes", "status")
    if status not in ("success", "failed"):
        return []
    branch, sha, repo = text(inner, "ref"), text(inner, "sha"), text(payload, "project", "path_with_namespace")
    merge = table(payload, "merge_request")
    name = text(inner, "name") or "the pipeline"
    about = known(
        source=SOURCE, repo=repo, number=number(inner, "iid"), sha=sha, branch=branch, actor=_actor(payload),
        title=text(merge, "title") or first_line(text(payload, "commit", "message")), url=text(inner, "url"), conclusion=status,
        task=f"!{number(merge, 'iid')}" if merge else f"{name} on {branch}",
    )  # fmt: skip
    about[CHECK] = f"{repo}/{name}@{branch}"
    failed = status == "failed"
    detail = f"{name} {'failed' if failed else 'passed'} on {branch}"
    at = moment(inner.get("finished_at"), inner.get("created_at")) or now
    return [AgentEvent(K.ERROR if failed else K.HEARTBEAT, _actor(payload), detail, at, about)]


def _release(payload: Any, now: float) -> list[AgentEvent]:
    if text(payload, "action") != "create":
        return []
    tag, name = text(payload, "tag"), text(payload, "name")
    about = known(
        source=SOURCE, repo=text(payload, "project", "path_with_namespace"), title=name or tag, tag=tag, task=tag,
        actor=text(payload, "commit", "author", "name"), sha=text(payload, "commit", "id"), url=text(payload, "url"),
    )  # fmt: skip
    detail = f"released {tag}" + (f": {name}" if name and name != tag else "")
    at = moment(payload.get("released_at"), payload.get("created_at")) or now
    return [AgentEvent(K.MILESTONE, text(payload, "commit", "author", "name"), detail, at, about)]


def _note(payload: Any, now: float) -> list[AgentEvent]:
    merge, issue = table(payload, "merge_request"), table(payload, "issue")
    inner, mark = (merge, "!") if merge else (issue, "#")
    if not inner:
        return []
    at = moment(table(payload, "object_attributes").get("created_at")) or now
    detail = f"commented on {mark}{number(inner, 'iid')}: {text(inner, 'title')}"
    return [AgentEvent(K.COLLABORATION, _actor(payload), detail, at, _about(payload, inner, mark))]
