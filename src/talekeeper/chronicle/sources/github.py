"""GitHub's webhooks."""

from __future__ import annotations

from typing import Any

from ..event import AgentEvent, EventKind
from . import forge
from .payload import known, moment, number, table, tables, text
from .recoveries import CHECK

SOURCE = "github"
_FAILED = frozenset({"failure", "timed_out", "startup_failure"})


def parse(event: str, payload: Any, now: float) -> list[AgentEvent]:
    """`event` is the X-GitHub-Event header; without one the payload's shape says what it is. [] for what is no story."""
    payload = table(payload)
    what = event or shape_of(payload)
    if what == "issues":
        return forge.issue(payload, SOURCE, now)
    if what == "pull_request":
        return forge.pull_request(payload, SOURCE, now)
    if what == "pull_request_review" and text(payload, "action") == "submitted":
        verdict = text(payload, "review", "state")
        return forge.review(payload, verdict, moment(table(payload, "review").get("submitted_at")), SOURCE, now)
    if what in ("issue_comment", "pull_request_review_comment"):
        return forge.comment(payload, SOURCE, now)
    if what == "push":
        return forge.push(payload, SOURCE, now)
    if what == "release":
        return forge.release(payload, SOURCE, now)
    if what == "workflow_run" and text(payload, "action") == "completed":
        return _workflow_run(payload, now)
    return []


def shape_of(payload: forge.Payload) -> str:
    for name in ("workflow_run", "review", "comment", "pull_request", "issue", "release"):
        if table(payload, name):
            return {"review": "pull_request_review", "comment": "issue_comment", "issue": "issues"}.get(name, name)
    return "push" if "commits" in payload and "ref" in payload else ""


def _workflow_run(payload: forge.Payload, now: float) -> list[AgentEvent]:
    run = table(payload, "workflow_run")
    conclusion = text(run, "conclusion")
    if conclusion not in _FAILED and conclusion != "success":
        return []
    name = text(run, "name") or text(payload, "workflow", "name") or "a workflow"
    branch, sha, repo = text(run, "head_branch"), text(run, "head_sha"), forge.repo_of(payload)
    agent = forge.login(table(run, "actor")) or forge.actor_of(payload)
    pull = next((number(one, "number") for one in tables(run, "pull_requests")), None)
    failed = conclusion in _FAILED
    detail = f"{name} {'failed' if failed else 'passed'} on {branch or sha[:8]}"
    about = known(
        source=SOURCE, repo=repo, actor=forge.actor_of(payload), sha=sha, branch=branch, number=number(run, "run_number"),
        title=text(run, "display_title") or name, conclusion=conclusion, url=text(run, "html_url"),
        task=f"#{pull}" if pull is not None else f"{name} on {branch}",
    )  # fmt: skip
    about[CHECK] = f"{repo}/{name}@{branch}"
    at = moment(run.get("updated_at"), run.get("run_started_at"), run.get("created_at")) or now
    return [AgentEvent(EventKind.ERROR if failed else EventKind.HEARTBEAT, agent, detail, at, about)]
