"""The way in for webhooks: signatures, replays, sizes, encodings, and what is counted and left alone."""

from __future__ import annotations

import base64
import gzip
import hashlib
import hmac
import json
import zlib
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.chronicle import EventKind
from talekeeper.chronicle.sources import Intake
from talekeeper.chronicle.sources.delivery import LARGEST
from talekeeper.chronicle.sources.signature import verify
from talekeeper.errors import BadInput, NotConfigured, NotFound, TalekeeperError, TooLarge, Unauthorized

NOW = 1_793_782_800.0
SECRET = "three lamps"
BODY = json.dumps(
    {
        "action": "opened",
        "issue": {"number": 7, "title": "lamp"},
        "sender": {"login": "odo"},
        "repository": {"full_name": "h/t"},
    }
).encode()


def digest(body: bytes, secret: str = SECRET) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def github(body: bytes = BODY, event: str = "issues", **more: str) -> dict[str, str]:
    return {"X-GitHub-Event": event, "X-Hub-Signature-256": f"sha256={digest(body)}", **more}


def gitea(body: bytes = BODY, event: str = "issues") -> dict[str, str]:
    return {
        "X-Gitea-Event": event,
        "X-GitHub-Event": event,
        "X-Gitea-Signature": digest(body),
        "X-Hub-Signature-256": "",
    }


@pytest.fixture
def hook() -> Intake:
    return Intake("github", SECRET, lambda: NOW)


def test_a_signed_delivery_becomes_events_with_ids(hook: Intake):
    received = hook.receive(github(), BODY)
    (event,) = received.events
    assert (received.source, event.kind, event.detail) == ("github", EventKind.DISPATCH, "issue #7: lamp")
    assert event.metadata["id"].startswith("github:")


def test_the_published_example_of_a_signature():
    signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    verify("github", "It's a Secret to Everybody", {"x-hub-signature-256": signature}, b"Hello, World!", NOW)


def test_gitea_is_known_before_github_because_it_sends_both(hook: Intake):
    assert hook.receive(gitea(), BODY).source == "gitea"
    assert Intake("forgejo", SECRET, lambda: NOW).receive(gitea(), BODY).source == "gitea"


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "sha256=",
        "sha256=" + "0" * 64,
        digest(BODY),
        "sha1=" + digest(BODY),
        "sha256=" + digest(BODY)[:-1],
        "sha256=é",
        "x" * 10_000,
    ],
)
def test_a_wrong_missing_or_empty_signature_is_refused(hook: Intake, signature: str):
    with pytest.raises(Unauthorized):
        hook.receive({"X-GitHub-Event": "issues", "X-Hub-Signature-256": signature}, BODY)
    with pytest.raises(Unauthorized):
        hook.receive({"X-GitHub-Event": "issues"}, BODY)
    with pytest.raises(Unauthorized):
        hook.receive({"X-Gitea-Event": "issues", "X-Gitea-Signature": signature.replace(digest(BODY), "")}, BODY)


def test_a_body_changed_by_one_byte_is_refused(hook: Intake):
    with pytest.raises(Unauthorized):
        hook.receive(github(), BODY + b" ")


def test_an_empty_secret_is_never_good_enough():
    with pytest.raises(NotConfigured):
        Intake("gitlab", "", lambda: NOW).receive({"X-Gitlab-Event": "Issue Hook", "X-Gitlab-Token": ""}, BODY)


def test_a_replay_is_known_even_under_another_delivery_id(hook: Intake):
    assert hook.receive(github(**{"X-GitHub-Delivery": "1"}), BODY).events
    again = hook.receive(github(**{"X-GitHub-Delivery": "2"}), BODY)
    assert (again.duplicate, again.events) == (True, ())


def test_a_refused_delivery_is_not_remembered(hook: Intake):
    with pytest.raises(Unauthorized):
        hook.receive({"X-GitHub-Event": "issues"}, BODY)
    assert hook.receive(github(), BODY).events


def test_unknown_events_are_ignored_and_counted(hook: Intake):
    for number in range(3):
        body = json.dumps({"n": number}).encode()
        assert hook.receive(github(body, "star"), body).ignored == "star"
    assert hook.ignored == {"star": 3}


class TestStandardWebhooks:
    raw = b"0123456789abcdef0123456789abcdef"
    secret = "whsec_" + base64.b64encode(raw).decode()

    def headers(self, at: float, message: str = "m1") -> dict[str, str]:
        signed = f"{message}.{int(at)}.".encode() + BODY
        mark = base64.b64encode(hmac.new(self.raw, signed, hashlib.sha256).digest()).decode()
        return {"webhook-id": message, "webhook-timestamp": str(int(at)), "webhook-signature": f"v1,wrong v1,{mark}"}

    def test_gitlab_signs_with_a_time(self):
        Intake("gitlab", self.secret, lambda: NOW).receive(
            {"X-Gitlab-Event": "Push Hook", **self.headers(NOW - 299)}, BODY
        )

    @pytest.mark.parametrize("off", [-301, 301, -(10**9)])
    def test_an_old_one_is_refused(self, off: float):
        with pytest.raises(Unauthorized):
            Intake("gitlab", self.secret, lambda: NOW).receive({"X-Gitlab-Event": "x", **self.headers(NOW + off)}, BODY)

    @pytest.mark.parametrize(
        "change", [{"webhook-id": "m2"}, {"webhook-timestamp": "soon"}, {"webhook-signature": "v1,"}]
    )
    def test_every_part_is_signed(self, change: dict[str, str]):
        with pytest.raises(Unauthorized):
            Intake("gitlab", self.secret, lambda: NOW).receive({**self.headers(NOW), **change}, BODY)

    def test_the_plain_token(self):
        intake = Intake("gitlab", SECRET, lambda: NOW)
        assert intake.receive({"X-Gitlab-Event": "x", "X-Gitlab-Token": SECRET}, b"{}").ignored == "x"
        with pytest.raises(Unauthorized):
            intake.receive({"X-Gitlab-Event": "x", "X-Gitlab-Token": SECRET + "!"}, b"{}")


class TestSizes:
    def test_thirty_megabytes_are_refused(self, hook: Intake):
        body = b'{"x":"' + b"y" * (30 * 1024 * 1024) + b'"}'
        with pytest.raises(TooLarge):
            hook.receive(github(body), body)

    def test_a_bomb_is_refused_before_it_goes_off(self, hook: Intake):
        bomb = gzip.compress(b"0" * (LARGEST + 1), 1)
        with pytest.raises(TooLarge):
            hook.receive(github(bomb, **{"Content-Encoding": "gzip"}), bomb)

    @pytest.mark.parametrize(("encoding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
    def test_a_packed_delivery_is_unpacked_after_it_is_verified(self, hook: Intake, encoding: str, pack):
        packed = pack(BODY)
        assert hook.receive(github(packed, **{"Content-Encoding": encoding}), packed).events

    @pytest.mark.parametrize("headers", [{"Content-Encoding": "gzip"}, {"Content-Encoding": "br"}])
    def test_what_is_not_packed_as_it_says(self, hook: Intake, headers: dict[str, str]):
        with pytest.raises(BadInput):
            hook.receive(github(**headers), BODY)


def test_a_form_carries_the_payload_in_a_field(hook: Intake):
    form = urlencode({"payload": BODY.decode()}).encode()
    kind = {"Content-Type": "application/x-www-form-urlencoded; charset=utf-8"}
    assert hook.receive(github(form, **kind), form).events
    with pytest.raises(BadInput, match="no field named payload"):
        hook.receive(github(b"a=b", **kind), b"a=b")


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_a_body_that_is_no_json_is_refused(hook: Intake, body: bytes):
    with pytest.raises(BadInput):
        hook.receive(github(body), body)


def test_a_source_nobody_knows():
    with pytest.raises(NotFound, match="github"):
        Intake("carrier-pigeon", SECRET, lambda: NOW)


@pytest.mark.parametrize("source", ["alertmanager", "cloudevents", "otel"])
def test_the_others_carry_a_bearer_token(source: str):
    intake = Intake(source, SECRET, lambda: NOW)
    assert intake.receive({"Authorization": f"Bearer {SECRET}"}, b"{}").ignored == source
    with pytest.raises(Unauthorized):
        intake.receive({"Authorization": "Bearer wrong"}, b"{}")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "action issue pull_request number title sender login repository commits alerts labels status data type specversion "
                "resourceSpans scopeSpans spans attributes object_kind object_attributes ref after "
                "workflow_run release review".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(
    st.sampled_from(["github", "gitea", "gitlab", "alertmanager", "cloudevents", "otel"]),
    st.sampled_from(
        ["issues", "pull_request", "push", "release", "workflow_run", "pull_request_review", "pipeline", ""]
    ),
    json_values,
)
def test_whatever_is_sent_the_answer_is_events_or_a_refusal(source: str, event: str, payload):
    body = json.dumps(payload).encode()
    headers = {"X-GitHub-Event": event, "X-Gitlab-Token": SECRET, "X-Gitea-Signature": digest(body)}
    headers |= {"X-Hub-Signature-256": f"sha256={digest(body)}", "Authorization": f"Bearer {SECRET}"}
    try:
        received = Intake(source, SECRET, lambda: NOW).receive(headers, body)
    except TalekeeperError:
        return
    assert all(event.metadata["id"] and event.timestamp > 0 for event in received.events)
