"""Issues, heartbeats and commits become events, flat or as a webhook sends them."""

from __future__ import annotations

import pytest

from talekeeper.chronicle import EventKind, event_from_commit, event_from_gitea_issue, event_from_heartbeat


@pytest.mark.parametrize("payload", [{"number": 7, "title": "The gate"}, {"issue": {"number": 7, "title": "The gate"}}])
def test_an_issue_is_a_dispatch(payload: dict):
    event = event_from_gitea_issue(payload, "mara")
    assert (event.kind, event.agent, event.detail) == (EventKind.DISPATCH, "mara", "issue #7: The gate")
    assert event.metadata == {"issue_number": 7}


def test_an_issue_without_a_number():
    assert event_from_gitea_issue({"title": "The gate"}, "mara").detail == "issue #?: The gate"


def test_a_heartbeat():
    beat = {"model": "small", "cycle": 4, "status": "acting"}
    event = event_from_heartbeat(beat)
    beat["cycle"] = 5
    assert (event.kind, event.agent, event.detail) == (EventKind.HEARTBEAT, "small", "cycle 4, status=acting")
    assert event.metadata["cycle"] == 4
    assert event_from_heartbeat({}).detail == "cycle 0, status=thinking"
    assert event_from_heartbeat({}).agent == "unknown"


SHA = "0123456789abcdef"


@pytest.mark.parametrize(
    "commit",
    [
        {"sha": SHA, "message": "mend it\n\nbecause"},
        {"id": SHA, "message": "mend it"},
        {"sha": SHA, "commit": {"message": "mend it"}},
    ],
)
def test_a_commit_keeps_its_subject_and_eight_characters(commit: dict):
    event = event_from_commit(commit, "mara")
    assert (event.kind, event.detail, event.metadata) == (EventKind.COMMIT, "mend it", {"sha": "01234567"})


@pytest.mark.parametrize(
    "nothing", [None, {}, {"issue": None, "commit": None, "message": None, "id": None, "title": None}]
)
def test_nothing_never_crashes(nothing):
    assert event_from_gitea_issue(nothing, None).agent == "unknown"
    assert event_from_heartbeat(nothing).agent == "unknown"
    assert event_from_commit(nothing, None).detail == ""
