"""Webhooks of GitHub, Gitea and GitLab: title, number, sha, actor and time survive."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from talekeeper.chronicle import AgentEvent, EventKind
from talekeeper.chronicle.sources import gitea, github, gitlab
from talekeeper.chronicle.sources.recoveries import Recoveries

K = EventKind
NOW = 1_793_782_800.0
SHA = "9f" * 20
REPO = {"full_name": "harbour/tower", "pushed_at": 1_557_933_657}
MARA, ODO = {"login": "mara"}, {"login": "odo"}
ISSUE = {
    "number": 7, "title": "The lamp is out", "created_at": "2026-11-04T08:00:00Z", "updated_at": "2026-11-04T08:30:00Z",
    "closed_at": "2026-11-04T09:00:00Z", "html_url": "https://forge.example/7", "user": MARA,
}  # fmt: skip
PULL = {
    "number": 8, "title": "Light the lamp", "body": "Fixes #7", "user": MARA, "merged": False, "merge_commit_sha": "ab" * 20,
    "created_at": "2026-11-04T08:10:00Z", "closed_at": "2026-11-04T08:50:00Z", "merged_at": None,
    "updated_at": "2026-11-04T08:50:00Z", "head": {"sha": SHA, "ref": "lamp"},
}  # fmt: skip


def one(events: list[AgentEvent]) -> AgentEvent:
    (event,) = events
    return event


def payload(**parts: Any) -> dict[str, Any]:
    return {"repository": REPO, "sender": ODO, **parts}


@pytest.mark.parametrize("forge", [github, gitea])
class TestGithubAndGitea:
    def test_an_issue_opened_is_an_errand(self, forge):
        event = one(forge.parse("issues", payload(action="opened", issue=ISSUE), NOW))
        assert (event.kind, event.agent, event.detail) == (K.DISPATCH, "odo", "issue #7: The lamp is out")
        assert event.timestamp == 1_793_779_200.0
        about = event.metadata
        assert (about["number"], about["title"], about["actor"], about["repo"], about["task"]) == (
            7, "The lamp is out", "odo", "harbour/tower", "#7",
        )  # fmt: skip

    def test_an_issue_assigned_is_the_errand_of_the_one_it_is_given_to(self, forge):
        event = one(forge.parse("issues", payload(action="assigned", issue=ISSUE, assignee=MARA), NOW))
        assert (event.kind, event.agent) == (K.DISPATCH, "mara")

    @pytest.mark.parametrize(("reason", "kind"), [("completed", K.MILESTONE), ("not_planned", K.ABANDON)])
    def test_an_issue_closed(self, forge, reason: str, kind: EventKind):
        event = one(forge.parse("issues", payload(action="closed", issue={**ISSUE, "state_reason": reason}), NOW))
        assert event.kind is kind

    def test_a_pull_request_belongs_to_the_issue_it_closes(self, forge):
        event = one(forge.parse("pull_request", payload(action="opened", pull_request=PULL), NOW))
        assert (event.kind, event.agent, event.detail) == (K.PR_OPEN, "mara", "#8: Light the lamp")
        assert (event.metadata["sha"], event.metadata["task"], event.metadata["number"]) == (SHA, "#7", 8)

    def test_merged_and_only_closed_are_two_things(self, forge):
        merged = {**PULL, "merged": True, "merged_at": "2026-11-04T08:49:00Z", "merged_by": ODO}
        event = one(forge.parse("pull_request", payload(action="closed", pull_request=merged), NOW))
        assert (event.kind, event.agent, event.metadata["merged_by"]) == (K.PR_MERGE, "mara", "odo")
        assert event.timestamp == 1_793_782_140.0
        assert one(forge.parse("pull_request", payload(action="closed", pull_request=PULL), NOW)).kind is K.ABANDON

    def test_a_push_is_its_commits_and_then_itself(self, forge):
        commits = [
            {
                "id": SHA,
                "message": "mend the wick\n\nfixes #7",
                "timestamp": "2026-11-04T08:20:00Z",
                "author": {"name": "Mara"},
            },
            {
                "id": "cd" * 20,
                "message": "more oil",
                "timestamp": "2026-11-04T08:21:00Z",
                "author": {"username": "odo"},
            },
        ]
        events = forge.parse("push", payload(ref="refs/heads/lamp", after=SHA, commits=commits, pusher=ODO), NOW)
        assert [(event.kind, event.agent, event.detail) for event in events] == [
            (K.COMMIT, "Mara", "mend the wick"),
            (K.COMMIT, "odo", "more oil"),
            (K.PUSH, "odo", "2 commits to lamp"),
        ]
        assert events[0].metadata["sha"] == SHA
        assert events[0].metadata["id"] == f"git:{SHA}"
        assert events[0].metadata["task"] == "#7"

    def test_a_tag_deleted_is_a_push_and_a_tag_made_is_a_milestone(self, forge):
        gone = one(
            forge.parse("push", payload(ref="refs/tags/v1", before=SHA, after="0" * 40, deleted=True, commits=[]), NOW)
        )
        assert (gone.kind, gone.detail, gone.metadata["sha"], gone.timestamp) == (
            K.PUSH,
            "deleted the tag v1",
            SHA,
            1_557_933_657,
        )
        made = one(forge.parse("push", payload(ref="refs/tags/v1", after=SHA, commits=[]), NOW))
        assert (made.kind, made.detail) == (K.MILESTONE, "the tag v1")

    def test_a_release(self, forge):
        release = {"tag_name": "v1", "name": "First light", "author": MARA, "published_at": "2026-11-04T09:00:00Z"}
        event = one(forge.parse("release", payload(action="published", release=release), NOW))
        assert (event.kind, event.agent, event.detail) == (K.MILESTONE, "mara", "released v1: First light")

    def test_a_comment(self, forge):
        comment = {"created_at": "2026-11-04T08:40:00Z"}
        event = one(forge.parse("issue_comment", payload(action="created", issue=ISSUE, comment=comment), NOW))
        assert (event.kind, event.detail) == (K.COLLABORATION, "commented on #7: The lamp is out")

    @pytest.mark.parametrize("what", ["ping", "star", "issues", "pull_request", "release", "push", ""])
    @pytest.mark.parametrize(
        "rubbish", [{}, {"action": "labeled"}, {"issue": None, "pull_request": 3, "release": []}, [], None, "x"]
    )
    def test_what_tells_no_story_is_no_event_and_no_crash(self, forge, what: str, rubbish: Any):
        assert [event for event in forge.parse(what, rubbish, NOW) if event.kind is not K.PUSH] == []


def test_a_github_review():
    review = {"state": "changes_requested", "user": ODO, "submitted_at": "2026-11-04T08:45:00Z"}
    event = one(github.parse("pull_request_review", payload(action="submitted", pull_request=PULL, review=review), NOW))
    assert (event.kind, event.agent, event.detail) == (
        K.COLLABORATION,
        "odo",
        "asked for changes to #8: Light the lamp",
    )


def test_a_gitea_review():
    event = one(
        gitea.parse("pull_request_approved", payload(action="reviewed", pull_request=PULL, review={"type": "x"}), NOW)
    )
    assert event.detail == "approved #8: Light the lamp"


def run(conclusion: str) -> dict[str, Any]:
    inner = {
        "name": "tests", "conclusion": conclusion, "head_branch": "lamp", "head_sha": SHA, "actor": MARA, "run_number": 12,
        "display_title": "mend the wick", "updated_at": "2026-11-04T08:30:00Z", "pull_requests": [],
    }  # fmt: skip
    return payload(action="completed", workflow_run=inner)


def test_a_workflow_that_passes_after_it_failed_is_a_recovery():
    recoveries = Recoveries()
    kinds = []
    for conclusion in ("success", "failure", "failure", "success", "success"):
        events = recoveries.among(github.parse("workflow_run", run(conclusion), NOW))
        kinds += [(event.kind, event.detail) for event in events]
    assert [kind for kind, _ in kinds] == [K.HEARTBEAT, K.ERROR, K.ERROR, K.RECOVERY, K.HEARTBEAT]
    assert kinds[1][1] == "tests failed on lamp"
    assert github.parse("workflow_run", run("cancelled"), NOW) == []


class TestGitlab:
    base: ClassVar = {"project": {"path_with_namespace": "harbour/tower"}, "user": {"username": "odo"}}

    def event(self, **parts: Any) -> AgentEvent:
        return one(gitlab.parse("", {**self.base, **parts}, NOW))

    def test_an_issue(self):
        inner = {"iid": 7, "title": "The lamp is out", "action": "open", "created_at": "2026-11-04 08:00:00 UTC"}
        event = self.event(object_kind="issue", object_attributes=inner, assignees=[{"username": "mara"}])
        assert (event.kind, event.agent, event.detail) == (K.DISPATCH, "mara", "issue #7: The lamp is out")
        assert (event.timestamp, event.metadata["actor"], event.metadata["number"]) == (1_793_779_200.0, "odo", 7)

    @pytest.mark.parametrize(
        ("action", "kind"),
        [("open", K.PR_OPEN), ("merge", K.PR_MERGE), ("close", K.ABANDON), ("approved", K.COLLABORATION)],
    )
    def test_a_merge_request(self, action: str, kind: EventKind):
        inner = {
            "iid": 8,
            "title": "Light it",
            "action": action,
            "description": "closes #7",
            "last_commit": {"id": SHA},
        }
        event = self.event(object_kind="merge_request", object_attributes=inner)
        assert event.kind is kind
        assert "!8: Light it" in event.detail
        assert (event.metadata["sha"], event.metadata["task"]) == (SHA, "#7")

    def test_a_push(self):
        commits = [{"id": SHA, "message": "mend", "timestamp": "2026-11-04T08:20:00+00:00", "author": {"name": "Mara"}}]
        body = {
            **self.base,
            "object_kind": "push",
            "ref": "refs/heads/lamp",
            "user_username": "odo",
            "after": SHA,
            "commits": commits,
        }
        commit, push = gitlab.parse("Push Hook", body, NOW)
        assert (commit.kind, commit.agent, commit.metadata["sha"]) == (K.COMMIT, "Mara", SHA)
        assert (push.kind, push.detail) == (K.PUSH, "1 commit to lamp")

    def test_a_pipeline(self):
        inner = {"iid": 3, "status": "failed", "ref": "lamp", "sha": SHA, "finished_at": "2026-11-04 08:30:00 UTC"}
        event = self.event(object_kind="pipeline", object_attributes=inner, commit={"message": "mend the wick\n"})
        assert (event.kind, event.detail) == (K.ERROR, "the pipeline failed on lamp")
        assert (event.metadata["title"], event.metadata["sha"]) == ("mend the wick", SHA)

    def test_a_release_and_a_note(self):
        release = self.event(
            object_kind="release", action="create", tag="v1", name="First", commit={"author": {"name": "Mara"}}
        )
        assert (release.kind, release.detail) == (K.MILESTONE, "released v1: First")
        note = self.event(object_kind="note", merge_request={"iid": 8, "title": "Light it"}, object_attributes={})
        assert note.detail == "commented on !8: Light it"

    @pytest.mark.parametrize(
        "rubbish", [{}, {"object_kind": "build"}, {"object_kind": "issue"}, None, [], {"object_kind": "pipeline"}]
    )
    def test_what_tells_no_story(self, rubbish: Any):
        assert gitlab.parse("Job Hook", rubbish, NOW) == []
