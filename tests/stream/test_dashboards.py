"""Dashboards over the admin API: what is given is replaced, what is not stays, and the theme follows."""

from __future__ import annotations

BOARD = """\
# Tonight
## Stream title
Slow tides
## Mood
unhurried
## Session goals
- Find the second lighthouse
- Say aloud why
## Content angle
What tides leave behind
"""
FIELDS = {
    "session_id", "raw_markdown", "stream_title", "game", "mood", "go_live_notification", "social_post",
    "session_goals", "content_angle", "created_at", "updated_at",
}  # fmt: skip


async def test_markdown_is_read_into_fields(door):
    session = await door.begin()
    saved = (await door.json("session/dashboard", {"session_id": session, "raw_markdown": BOARD})).json()
    assert saved["status"] == "dashboard_saved"
    board = saved["dashboard"]
    assert set(board) == FIELDS
    assert (board["stream_title"], board["mood"]) == ("Slow tides", "unhurried")
    assert board["session_goals"] == ["Find the second lighthouse", "Say aloud why"]
    assert (await door.get("session/dashboard", session_id=session)).json()["dashboard"] == board
    current = (await door.get("stream/dashboard")).json()
    assert (current["session_id"], current["dashboard"]) == (session, board)
    assert (await door.get("stream/status")).json()["session"]["theme"] == "What tides leave behind"


async def test_only_what_is_given_is_replaced(door, clock):
    session = await door.begin()
    first = (await door.json("session/dashboard", {"session_id": session, "raw_markdown": BOARD})).json()["dashboard"]
    clock.advance(60)
    given = {"session_id": session, "content_angle": None, "session_goals": [], "game": "Dredge"}
    second = (await door.json("session/dashboard", given)).json()["dashboard"]
    assert (second["content_angle"], second["session_goals"], second["game"]) == ("", [], "Dredge")
    assert (second["mood"], second["raw_markdown"]) == ("unhurried", BOARD)
    assert second["created_at"] == first["created_at"] < second["updated_at"]
    assert (await door.get("session/status", session_id=session)).json()["theme"] == "Slow tides"


async def test_what_is_given_beats_the_markdown_and_is_in_force_at_once(door):
    await door.begin()
    saved = (await door.json("stream/dashboard", {"raw_markdown": BOARD, "content_angle": "Lamps"})).json()
    assert saved["dashboard"]["content_angle"] == "Lamps"
    preview = (await door.form("hearthkeeper/preview")).json()["preview"]
    assert (preview["theme"], preview["dashboard"]["content_angle"]) == ("Lamps", "Lamps")


async def test_there_is_none_until_one_is_saved(door):
    session = await door.begin()
    for answer in (await door.get("session/dashboard", session_id=session), await door.get("stream/dashboard")):
        assert (answer.status_code, answer.json()["detail"]) == (404, "dashboard_not_found")


async def test_what_is_no_dashboard(door):
    session = await door.begin()
    for body in ("", "{", "[1]", '"x"', "\x00", "{}", '{"session_id": 7}', '{"session_id": ""}', "[" * 100_000):
        answer = await door.http.post("/admin/session/dashboard", content=body)
        assert answer.status_code == 400, body[:20]
        assert "detail" in answer.json()
    for given in (
        {}, {"raw_markdown": ""}, {"raw_markdown": None}, {"raw_markdown": 7}, {"mood": "calm"},
        {"raw_markdown": "x", "mood": 7}, {"raw_markdown": "x", "session_goals": "one"},
        {"raw_markdown": "x", "session_goals": [1]}, {"raw_markdown": "x" * 150_000},
    ):  # fmt: skip
        answer = await door.json("session/dashboard", {"session_id": session, **given})
        assert answer.status_code == 422, str(given)[:60]
        assert "detail" in answer.json()


async def test_five_megabytes_are_too_much(door):
    session = await door.begin()
    answer = await door.json("session/dashboard", {"session_id": session, "raw_markdown": "word " * 1_000_000})
    assert answer.status_code == 413
    assert "detail" in answer.json()
    assert (await door.get("stream/dashboard")).status_code == 404


async def test_one_is_drafted_and_passes_its_own_check(door):
    wish = {
        "game": "Dredge", "mood": "slow", "familiarity": "first time", "start_time": "20:00",
        "recent_experience": "We found the second lighthouse.",
    }  # fmt: skip
    drafted = (await door.json("companion/dashboard/generate", wish)).json()["dashboard"]
    checked = (await door.json("companion/dashboard/validate", drafted)).json()
    assert (checked["valid"], checked["faults"]) == (True, [])
    hyped = (
        await door.json("companion/dashboard/validate", {**drafted, "stream_title": "INSANE RUN!!! FOLLOW!!!"})
    ).json()
    assert not hyped["valid"]
    assert (await door.get("stream/dashboard")).status_code == 404, "nothing was saved"
