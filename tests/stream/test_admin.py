"""The admin API: every path with its parameters, its answer key for key, and what it refuses."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest

from talekeeper import __version__

GET, POST = "GET", "POST"
PATHS = [
    (POST, "session/start"), (POST, "session/end"), (POST, "test-message"), (POST, "test-agent-response"),
    (POST, "test-loop-inactivity"), (POST, "hearthkeeper/preview"), (POST, "session/dashboard"),
    (GET, "session/dashboard"), (POST, "stream/dashboard"), (GET, "stream/dashboard"), (GET, "ledger"),
    (GET, "session/status"), (GET, "stream/status"), (GET, "loop/status"), (POST, "loop/frequency"),
    (GET, "twitch/status"), (POST, "twitch/offline-test-mode"), (GET, "companion/feed"), (GET, "companion/decisions"),
    (GET, "companion/flags"), (POST, "companion/hush"), (GET, "companion/held"), (POST, "companion/approve"),
    (POST, "companion/refuse"),
    (GET, "companion/clips"), (POST, "companion/markers"), (GET, "companion/blog-seeds"), (GET, "companion/themes"),
    (POST, "companion/dashboard/generate"), (POST, "companion/dashboard/validate"),
    (POST, "companion/live-status/refresh"), (GET, "companion/actions"),
]  # fmt: skip
UNKNOWN = {"detail": "session_not_found"}


async def test_health_is_open_to_all(door):
    del door.http.headers["X-Admin-Token"]
    answer = await door.http.get("/health")
    assert answer.json() == {"status": "ok", "version": __version__}


async def test_strangers_are_refused_everywhere(door):
    del door.http.headers["X-Admin-Token"]
    for method, path in PATHS:
        for token in (None, b"", b"wrong", b"a key for test", "schl\u00fcssel".encode(), b"\xff\xfe"):
            headers = {} if token is None else {"X-Admin-Token": token}
            answer = await door.http.request(method, f"/admin/{path}", headers=headers)
            assert answer.status_code == 401, (path, token)
            assert "detail" in answer.json()


async def test_without_a_key_it_is_shut(open_door):
    door = await open_door(stream_admin_key=None)
    for method, path in PATHS:
        answer = await door.http.request(method, f"/admin/{path}")
        assert answer.status_code == 503, path
        assert "ADMIN_API_KEY" in str(answer.json())


async def test_a_key_of_other_letters_opens_it(open_door):
    door = await open_door(stream_admin_key="clé-秘密")
    door.http.headers["X-Admin-Token"] = ""
    answer = await door.http.get("/admin/loop/status", headers={"X-Admin-Token": "clé-秘密".encode()})
    assert answer.status_code == 200


async def test_before_it_has_started_it_says_so(door):
    door.companion.started = False
    answer = await door.get("stream/status")
    assert (answer.status_code, answer.json()) == (503, {"detail": "not_initialised"})


async def test_every_answer_has_an_aware_timestamp(door, clock):
    session = await door.begin()
    for answer in (
        await door.form("session/start", channel_name="hearth"),
        await door.form("test-message", session_id=session, message="good evening"),
        await door.form("test-loop-inactivity", session_id=session),
        await door.form("hearthkeeper/preview"),
        await door.json("stream/dashboard", {"raw_markdown": "# tonight"}),
        await door.get("stream/dashboard"),
        await door.get("ledger", session_id=session),
        await door.get("session/status", session_id=session),
        await door.get("stream/status"),
        await door.get("loop/status"),
        await door.get("twitch/status"),
        await door.form("loop/frequency", interval_seconds=30),
        await door.form("twitch/offline-test-mode", enabled="false"),
        await door.form("session/end", session_id=session),
    ):
        assert answer.status_code == 200, answer.text
        stamp = datetime.fromisoformat(answer.json()["timestamp"])
        assert stamp.utcoffset() == timedelta(0)
        assert stamp.timestamp() == clock()


class TestSessions:
    async def test_an_open_one_is_returned_never_doubled(self, door):
        first = (await door.form("session/start", channel_name="embers")).json()
        for name in ("embers", "#Embers", "  EMBERS ", "#embers"):
            assert (await door.form("session/start", channel_name=name)).json() == first
        assert set(first) == {"session_id", "channel", "status", "timestamp"}
        assert (first["channel"], first["status"]) == ("embers", "active")

    async def test_not_by_many_at_once_either(self, door):
        answers = await asyncio.gather(*(door.form("session/start", channel_name="embers") for _ in range(10)))
        assert len({answer.json()["session_id"] for answer in answers}) == 1

    async def test_a_folder_that_cannot_be_written_costs_the_file_alone(self, open_door, tmp_path):
        (tmp_path / "taken").write_text("a file where a folder should be")
        door = await open_door(stream_channel="hearth", stream_export_path=str(tmp_path / "taken"))
        session = await door.begin()
        answer = await door.form("session/end", session_id=session)
        assert (answer.status_code, answer.json()["ledger_path"]) == (200, None)
        assert (await door.get("ledger", session_id=session)).status_code == 200

    async def test_what_cannot_be_a_channel(self, door):
        for name in ("", "   ", "#", "two words", "a\x00b", "x" * 61, "x" * 5000):
            assert (await door.form("session/start", channel_name=name)).status_code == 422, name
        assert (await door.form("session/start")).status_code == 422

    async def test_names_of_any_script_get_worlds_of_their_own(self, door):
        sessions = {await door.begin(name) for name in ("炉辺", "炉端", "a_b", "a-b", "a.b", "../up")}
        assert len(sessions) == 6
        assert len({keeper.session.world for keeper in door.companion.keepers.values()}) == 7

    async def test_ending_gives_the_ledger_and_twice_is_once(self, door):
        session = await door.begin("embers")
        ended = (await door.form("session/end", session_id=session)).json()
        assert set(ended) == {"status", "session_id", "ledger_path", "timestamp"}
        assert ended["ledger_path"].endswith(f"_{session[:8]}.md")
        again = (await door.form("session/end", session_id=session)).json()
        assert again["ledger_path"] == ended["ledger_path"]
        assert await door.begin("embers") != session

    @pytest.mark.parametrize("session", ["nobody", "\x00", "' or 1=1 --"])
    async def test_unknown_sessions(self, door, session):
        assert (await door.form("session/end", session_id=session)).status_code == 404
        for path in ("test-message", "test-agent-response"):
            answer = await door.form(path, session_id=session, message="hello there")
            assert (answer.status_code, answer.json()["detail"]) == (404, "session_not_found")
        answer = await door.form("test-loop-inactivity", session_id=session)
        assert (answer.status_code, answer.json()["detail"]) == (404, "session_not_found")
        answer = await door.form("hearthkeeper/preview", session_id=session)
        assert (answer.status_code, answer.json()["detail"]) == (404, "session_not_found")
        for path in ("ledger", "session/status", "session/dashboard"):
            answer = await door.get(path, session_id=session)
            assert (answer.status_code, answer.json()["detail"]) == (404, "session_not_found")
        answer = await door.json("session/dashboard", {"session_id": session, "raw_markdown": "x"})
        assert (answer.status_code, answer.json()["detail"]) == (404, "session_not_found")

    async def test_an_ended_one_hears_no_more_and_is_still_known(self, door):
        session = await door.begin("embers")
        await door.say(session, "a word before the end")
        await door.form("session/end", session_id=session)
        assert (await door.form("test-message", session_id=session, message="hello")).status_code == 404
        status = (await door.get("session/status", session_id=session)).json()
        assert status["message_count"] == 1
        assert (await door.get("ledger", session_id=session)).status_code == 200

    async def test_status(self, door, clock):
        session = await door.begin("embers")
        clock.advance(90)
        status = (await door.get("session/status", session_id=session)).json()
        assert set(status) == {
            "id", "channel", "started_at", "message_count", "uptime_seconds", "theme", "dashboard", "timestamp"
        }  # fmt: skip
        assert (status["id"], status["uptime_seconds"], status["dashboard"]) == (session, 90.0, None)


class TestMessages:
    async def test_a_short_line_is_only_heard(self, door):
        session = await door.begin()
        body = await door.say(session, "hi all")
        assert set(body) == {"agent_response", "actions_taken", "timestamp"}
        assert (body["agent_response"], body["actions_taken"]) == (None, [])

    async def test_spam_is_flagged_and_counts_for_nobody(self, door):
        session = await door.begin()
        body = await door.say(session, "Buy cheap viewers and followers, best price at viewers4u .com", "growth_guy")
        assert [action.split(":")[0] for action in body["actions_taken"]] == ["WARDEN_FLAG"]
        assert body["actions_taken"][0] in ("WARDEN_FLAG: low", "WARDEN_FLAG: medium", "WARDEN_FLAG: high")
        assert (await door.get("stream/status")).json()["hearthkeeper"]["last_human_chat_at"] is None

    async def test_the_steward_says_what_it_is(self, door):
        session = await door.begin()
        body = await door.say(session, "!chronicler")
        assert "AI" in body["agent_response"]
        assert "hearth" in body["agent_response"]
        assert body["actions_taken"] == ["LIBRARIAN_ARCHIVE", "STEWARD_REPLY"]
        assert door.transport.sent == [], "a test is shown, not posted"

    async def test_its_name_may_be_anybodys(self, door):
        session = await door.begin()
        answer = await door.form("test-message", session_id=session, message="hello there")
        assert answer.status_code == 200
        assert door.companion.current().room.people[-1].name == "test_user"

    async def test_anything_may_be_said(self, door):
        session = await door.begin()
        for message in ("x" * 10_000, "<script>alert(1)</script>\r\nPRIVMSG #x :hi\x00", "\u202e\u200b🜂"):
            await door.say(session, message)
        ledger = (await door.get("ledger", session_id=session)).json()["ledger"]
        assert "<script>" not in ledger
        assert "\x00" not in ledger

    async def test_nothing_may_not(self, door):
        session = await door.begin()
        for message in ("", "   ", "\r\n"):
            answer = await door.form("test-message", session_id=session, message=message)
            assert answer.status_code == 422


class TestSpeakingAsTheCompanion:
    async def test_not_while_the_channel_is_off(self, door):
        session = await door.begin()
        answer = await door.form("test-agent-response", session_id=session, message="The kettle is on.")
        assert (answer.status_code, answer.json()) == (409, {"detail": "stream_not_live"})
        assert door.transport.tried == []

    async def test_what_is_sent_says_so(self, door):
        session = await door.begin()
        door.status["hearth"].live = True
        answer = await door.form("test-agent-response", session_id=session, message="The kettle is on.")
        body = answer.json()
        assert body["status"] == "agent_response_emitted"
        assert body["delivery"] == {
            "sent": True, "channel": "hearth", "message_id": "m1", "action_id": body["delivery"]["action_id"]
        }  # fmt: skip
        (action,) = (await door.get("companion/actions")).json()["actions"]
        assert (action["id"], action["mode"], action["state"]) == (body["delivery"]["action_id"], "admin", "sent")
        assert action["approved_by"] == "operator"

    async def test_the_gate_gives_its_reasons(self, door):
        session = await door.begin()
        door.status["hearth"].live = True
        answer = await door.form(
            "test-agent-response", session_id=session, message="HEY CHAT!!! SMASH THAT FOLLOW BUTTON!!!"
        )
        assert answer.status_code == 422
        assert answer.json()["detail"]["reasons"]
        assert door.transport.tried == []

    async def test_a_channel_nobody_reaches(self, door):
        session = await door.begin("elsewhere")
        door.status["elsewhere"].live = True
        answer = await door.form("test-agent-response", session_id=session, message="The kettle is on.")
        assert (answer.status_code, answer.json()) == (502, {"detail": "send_failed"})

    async def test_a_hush_holds_for_everybody(self, door):
        session = await door.begin()
        door.status["hearth"].live = True
        await door.json("companion/hush", {"minutes": 5})
        answer = await door.form("test-agent-response", session_id=session, message="The kettle is on.")
        assert (answer.status_code, answer.json()) == (409, {"detail": "hushed"})


class TestTheLoop:
    async def test_tried_on_a_copy(self, door):
        session = await door.begin()
        await door.say(session, "A long thought about the harbour lamps, and the people who light them every evening.")
        before = (await door.get("stream/status")).json()
        answer = (await door.form("test-loop-inactivity", session_id=session)).json()
        assert answer["status"] == "passed"
        result = answer["result"]
        assert set(result) == {
            "passed", "session_id", "inactive_minutes", "prompts_created", "prompts_created_after_interval",
            "first_tick", "second_tick", "third_tick_after_interval",
        }  # fmt: skip
        assert (result["prompts_created"], result["prompts_created_after_interval"]) == (1, 2)
        for look in (result["first_tick"], result["second_tick"], result["third_tick_after_interval"]):
            assert set(look) == {"session_id", "actions_taken", "agent_response", "delivery", "reason"}
        assert result["first_tick"]["actions_taken"] == ["HEARTHKEEPER_PROMPT"]
        assert result["first_tick"]["reason"] == "inactive_chat"
        assert (result["second_tick"]["agent_response"], result["second_tick"]["reason"]) == (None, "cooldown")
        assert result["third_tick_after_interval"]["agent_response"] != result["first_tick"]["agent_response"]
        assert (await door.get("stream/status")).json() == before
        assert door.transport.tried == []

    async def test_too_short_a_quiet_fails(self, door):
        session = await door.begin()
        answer = (await door.form("test-loop-inactivity", session_id=session, inactive_minutes=3)).json()
        assert (answer["status"], answer["result"]["passed"]) == ("failed", False)
        assert answer["result"]["first_tick"]["reason"] == "active_chat"

    async def test_minutes_it_does_not_take(self, door):
        session = await door.begin()
        for minutes in ("0", "1441", "-5", "nan", "1e309", "soon", "2.5"):
            answer = await door.form("test-loop-inactivity", session_id=session, inactive_minutes=minutes)
            assert answer.status_code == 422, minutes

    async def test_status(self, door):
        body = (await door.get("loop/status")).json()
        assert set(body) == {
            "status", "interval_seconds", "hearthkeeper_prompt_interval_minutes", "active_session_count", "timestamp"
        }  # fmt: skip
        assert (body["status"], body["interval_seconds"], body["active_session_count"]) == ("running", 60.0, 1)

    async def test_its_frequency_may_be_changed(self, door):
        body = (await door.form("loop/frequency", interval_seconds="12.5")).json()
        assert (body["status"], body["interval_seconds"]) == ("loop_frequency_updated", 12.5)
        assert (await door.get("loop/status")).json()["interval_seconds"] == 12.5

    async def test_intervals_it_does_not_take(self, door):
        for interval in ("nan", "NaN", "inf", "-inf", "1e309", "0", "0.5", "-3", "often", "", "1e9"):
            answer = await door.form("loop/frequency", interval_seconds=interval)
            assert answer.status_code == 400, interval
            assert "detail" in answer.json()
        assert (await door.form("loop/frequency")).status_code == 400


class TestPreview:
    async def test_it_says_what_it_would_say_and_does_nothing(self, door):
        session = await door.begin()
        await door.json("stream/dashboard", {"raw_markdown": "# tonight", "content_angle": "What tides leave behind"})
        await door.say(session, "the tide pools were full of small glass today")
        actions = (await door.get("companion/actions")).json()["actions"]
        body = (await door.form("hearthkeeper/preview", session_id=session)).json()
        assert body["status"] == "preview_generated"
        assert set(body["preview"]) == {
            "generated", "session_id", "agent_response", "theme", "dashboard", "recent_discussion"
        }  # fmt: skip
        assert body["preview"]["generated"]
        assert body["preview"]["theme"] == "What tides leave behind"
        assert body["preview"]["recent_discussion"][0]["message"] == "the tide pools were full of small glass today"
        assert body["would_post_now"] is False
        assert body["live_status"]["is_live"] is False
        assert (await door.get("companion/actions")).json()["actions"] == actions
        assert door.transport.tried == []

    async def test_of_the_current_session_when_none_is_named(self, door):
        body = (await door.form("hearthkeeper/preview")).json()
        assert body["preview"]["session_id"] == await door.begin()


class TestCurrentSession:
    async def test_the_configured_channels_comes_first(self, door):
        await door.begin("elsewhere")
        assert (await door.get("stream/status")).json()["session"]["channel"] == "hearth"

    async def test_else_the_only_one_else_none(self, open_door):
        door = await open_door(silent=True)
        for path in ("stream/status", "stream/dashboard"):
            assert (await door.get(path)).json() == {**UNKNOWN, "hint": ""}
        assert (await door.form("hearthkeeper/preview")).status_code == 404
        assert (await door.json("stream/dashboard", {"raw_markdown": "x"})).status_code == 404
        first = await door.begin("one")
        assert (await door.get("stream/status")).json()["session"]["id"] == first
        await door.begin("two")
        assert (await door.get("stream/status")).status_code == 404


class TestStatus:
    async def test_of_the_stream(self, door, clock):
        await door.begin()
        clock.advance(30)
        body = (await door.get("stream/status")).json()
        assert set(body) == {"session", "twitch", "dashboard", "loop", "hearthkeeper", "timestamp"}
        assert set(body["session"]) == {"id", "channel", "started_at", "uptime_seconds", "message_count", "theme"}
        assert set(body["dashboard"]) == {
            "present", "stream_title", "game", "mood", "content_angle", "session_goal_count", "updated_at"
        }  # fmt: skip
        assert set(body["loop"]) == {"running", "interval_seconds", "active_session_count"}
        hearth = body["hearthkeeper"]
        assert set(hearth) == {
            "last_activity_at", "last_hearthkeeper_prompt_at", "next_eligible_prompt_at", "seconds_until_next_prompt",
            "inactivity_threshold_minutes", "prompt_interval_minutes", "can_prompt_now", "chat_interaction_allowed",
            "last_human_chat_at", "last_posted_at", "last_posted_message",
        }  # fmt: skip
        assert hearth["seconds_until_next_prompt"] == 870.0
        assert (hearth["can_prompt_now"], hearth["chat_interaction_allowed"]) == (False, False)

    async def test_of_twitch_never_with_a_token(self, open_door):
        door = await open_door(
            stream_channel="hearth", stream_access_token="oauth:very-secret", stream_client_secret="very-secret"
        )
        answer = await door.get("twitch/status")
        assert "very-secret" not in answer.text
        body = answer.json()
        assert set(body) == {
            "configured", "running", "connected", "channel", "bot_username", "last_error", "require_live_stream",
            "offline_chat_test_mode", "session_id", "live_status", "timestamp",
        }  # fmt: skip
        assert set(body["live_status"]) == {
            "channel", "is_live", "checked_at", "title", "game_name", "started_at", "viewer_count", "reason"
        }  # fmt: skip
        assert body["bot_username"] == "sanctum_chronicler"
        assert body["live_status"]["reason"] == "stream_offline"

    async def test_of_twitch_where_nothing_is_configured(self, open_door):
        door = await open_door(silent=True)
        body = (await door.get("twitch/status")).json()
        assert (body["configured"], body["channel"], body["session_id"]) == (False, None, None)


class TestOfflineTestMode:
    async def test_it_ends_by_itself(self, door, clock):
        session = await door.begin()
        body = (await door.form("twitch/offline-test-mode", enabled="true")).json()
        assert body["status"] == "offline_chat_test_mode_updated"
        assert body["offline_chat_test_mode"] is True
        assert body["warning"]
        assert datetime.fromisoformat(body["expires_at"]).timestamp() == clock() + 3600
        said = await door.form("test-agent-response", session_id=session, message="The kettle is on.")
        assert said.status_code == 200
        clock.advance(3600)
        assert (await door.get("twitch/status")).json()["offline_chat_test_mode"] is False
        said = await door.form("test-agent-response", session_id=session, message="The lamp is lit.")
        assert said.status_code == 409

    async def test_it_is_switched_off(self, door):
        await door.form("twitch/offline-test-mode", enabled="1")
        body = (await door.form("twitch/offline-test-mode", enabled="0")).json()
        assert (body["offline_chat_test_mode"], body["warning"], body["expires_at"]) == (False, None, None)

    async def test_the_setting_does_not_end_but_warns(self, open_door, clock):
        door = await open_door(stream_channel="hearth", stream_offline_test_mode=True)
        clock.advance(10 * 3600)
        body = (await door.form("twitch/offline-test-mode", enabled="true")).json()
        assert (body["offline_chat_test_mode"], body["expires_at"]) == (True, None)
        assert body["warning"]

    async def test_what_is_neither_on_nor_off(self, door):
        for enabled in ("perhaps", "", "2"):
            assert (await door.form("twitch/offline-test-mode", enabled=enabled)).status_code == 422, enabled
        assert (await door.form("twitch/offline-test-mode")).status_code == 422
