"""What the console asks for, and what it is told while it watches."""

from __future__ import annotations

import asyncio
import json

import pytest

from talekeeper.agents.companion.line import ChatLine
from talekeeper.doors.stream.transport.port import LineHeard, LineRemoved

MINUTE = 60.0


async def told(feed, count: int) -> list[tuple[str, dict]]:
    """The next messages of a feed."""
    got: list[tuple[str, dict]] = []
    async with asyncio.timeout(20):
        while len(got) < count:
            message = (await anext(feed)).decode()
            if message.startswith("event: "):
                head, data = message.removeprefix("event: ").rstrip().split("\ndata: ")
                got.append((head, json.loads(data)))
    return got


async def test_the_feed_tells_what_happens_as_it_happens(door, clock, until):
    session = await door.begin()
    feed = door.companion.feed.watch([], "hearth")
    waiting = asyncio.create_task(told(feed, 5))
    await until(lambda: door.companion.feed.watched)
    line = ChatLine(id="m1", name="mara", text="good evening", at=clock(), display="Mara", badges=("vip",))
    spam = ChatLine(id="m2", name="ad", text="Buy cheap viewers and followers at viewers4u .com", at=clock())
    await door.transport.hear(LineHeard(line), LineHeard(spam), LineRemoved(message="m1"))
    door.status["hearth"].live = True
    await door.look()
    await door.form("test-agent-response", session_id=session, message="The kettle is on.")
    heard = await waiting
    assert [kind for kind, _ in heard] == ["line", "line", "removed", "decision", "spoke"]
    assert heard[0][1] == {
        "id": "m1", "at": heard[0][1]["at"], "name": "mara", "display": "Mara", "text": "good evening", "badges": ["vip"]
    }  # fmt: skip
    assert set(heard[1][1]["flag"]) == {"severity", "reason"}
    assert heard[2][1] == {"message": "m1", "name": ""}
    assert heard[3][1]["reason"] == "active_chat"
    assert (heard[4][1]["text"], heard[4][1]["delivery"]) == ("The kettle is on.", "sent")
    await feed.aclose()
    assert not door.companion.feed.watched


async def test_nothing_falls_between_what_was_and_what_comes(door):
    feed = door.companion.feed.watch([b"event: line\ndata: 1\n\n"], "hearth")
    door.companion.feed.tell("line", 2, "hearth")
    assert await told(feed, 2) == [("line", 1), ("line", 2)]
    await feed.aclose()


async def test_a_console_hears_its_own_channel_only(door, until):
    feed = door.companion.feed.watch([], "hearth")
    first = asyncio.create_task(told(feed, 1))
    await until(lambda: door.companion.feed.watched)
    door.companion.feed.tell("line", {"id": "theirs"}, "another")
    door.companion.feed.tell("line", {"id": "ours"}, "hearth")
    assert await first == [("line", {"id": "ours"})]
    await feed.aclose()


async def test_a_feed_that_is_not_read_is_let_go(door, until):
    feed = door.companion.feed.watch([], "hearth")
    first = asyncio.create_task(anext(feed))
    await until(lambda: door.companion.feed.watched)
    for number in range(600):
        door.companion.feed.tell("line", {"id": number}, "hearth")
    with pytest.raises(StopAsyncIteration):
        await first
    assert not door.companion.feed.watched


async def test_a_login_opens_it_without_the_header(door):
    await door.begin()
    del door.http.headers["X-Admin-Token"]
    refused = await door.json("companion/login", {"key": "wrong"})
    assert refused.status_code == 401
    assert (await door.json("companion/login", {"key": "a key for tests"})).status_code == 200
    assert (await door.get("companion/decisions")).status_code == 200
    assert (await door.get("stream/status")).status_code == 200


async def test_a_hush_is_set_seen_and_lifted(door, clock):
    await door.begin()
    assert (await door.get("companion/hush")).json()["hushed_until"] is None
    until = (await door.json("companion/hush", {"minutes": 15})).json()["hushed_until"]
    assert (await door.get("companion/hush")).json()["hushed_until"] == until
    clock.advance(1)
    assert (await door.json("companion/hush", {"minutes": 0})).json()["hushed_until"] is None
    for minutes in (-1, 1e9, "long", None):
        assert (await door.json("companion/hush", {"minutes": minutes})).status_code == 422
    (set_, lifted) = [
        one for one in (await door.get("companion/actions")).json()["actions"] if one["type"] == "suppress"
    ]
    assert (set_["mode"], lifted["text"]) == ("steward", "The silence is over.")


async def test_the_streamers_voice_keeps_it_silent(door, clock):
    door.status["hearth"].live = True
    await door.look()
    clock.advance(20 * MINUTE)
    await door.json("companion/streamer", {"talking": True})
    (look,) = await door.look()
    assert look.agent_response is None
    assert (await door.get("companion/decisions")).json()["decisions"][-1]["reason"] == "streamer_talking"
    await door.json("companion/streamer", {"talking": False})
    (look,) = await door.look()
    assert look.agent_response


async def burst(door, clock):
    """Quiet talk for a while, then everybody at once."""
    number = 0

    async def say(name, text):
        nonlocal number
        number += 1
        await door.transport.hear(LineHeard(ChatLine(id=f"b{number}", name=name, text=text, at=clock())))

    for turn in range(60):
        await say(f"viewer{turn % 4}", f"thought {turn}")
        clock.advance(30)
    for turn in range(15):
        await say(f"viewer{turn}", "LOL what a jump")
        clock.advance(0.3)
    clock.advance(5 * MINUTE)


class TestClips:
    async def test_a_burst_is_found_once(self, door, clock):
        session = await door.begin()
        await burst(door, clock)
        (look,) = await door.look()
        assert look.actions_taken == ["CLIP_CANDIDATE"]
        (look,) = await door.look()
        assert look.actions_taken == []
        (clip,) = (await door.get("companion/clips")).json()["clips"]
        assert set(clip) == {"id", "start", "peak", "end", "reason", "approved"}
        assert clip["start"] < clip["peak"] < clip["end"]
        assert not clip["approved"]
        assert clip["reason"] in (await door.get("ledger", session_id=session)).json()["ledger"]

    async def test_a_marker_is_set_when_the_operator_says_so(self, door, clock):
        set_ = []

        async def marker(note):
            set_.append(note)

        session = await door.begin()
        await burst(door, clock)
        await door.look()
        (clip,) = (await door.get("companion/clips")).json()["clips"]
        assert (await door.json("companion/markers", {"clip_id": clip["id"]})).status_code == 503
        door.companion.mouth("hearth").reach.marker = marker
        assert (await door.json("companion/markers", {"clip_id": clip["id"]})).status_code == 200
        assert set_ == [clip["reason"]]
        assert (await door.get("companion/clips")).json()["clips"][0]["approved"]
        assert "(approved)" in (await door.get("ledger", session_id=session)).json()["ledger"]
        assert (await door.json("companion/markers", {"clip_id": "none"})).status_code == 404


async def test_threads_become_seeds_and_drafts(door):
    session = await door.begin()
    for name, text in (
        ("mara", "I keep thinking about the lighthouse and who lit its lamp every evening"),
        ("ivo", "the lighthouse keeper must have known every ship by the sound of its engine"),
        ("sal", "a lighthouse is a letter written to people you never get to meet, isn't it"),
        ("mara", "then the lighthouse lamp is the signature under that letter, every evening"),
    ):
        await door.say(session, text, name)
    (seed, *_) = (await door.get("companion/blog-seeds")).json()["seeds"]
    assert set(seed) == {"id", "topic", "description"}
    drafted = (await door.json("companion/blog-seeds/draft", {"id": seed["id"]})).json()
    assert "a letter written to people you never get to meet" in drafted["draft"]
    assert (await door.json("companion/blog-seeds/draft", {"id": "99"})).status_code == 404


async def test_themes_of_many_evenings(door, clock):
    for theme in ("Lamps", "Tides", "Lamps"):
        session = await door.begin()
        await door.json("stream/dashboard", {"raw_markdown": "x", "content_angle": theme})
        clock.advance(3600)
        await door.form("session/end", session_id=session)
    await door.begin()
    found = (await door.get("companion/themes")).json()["themes"]
    assert [(one["theme"], one["sessions"]) for one in found] == [("Lamps", 2), ("Tides", 1)]


async def test_live_is_asked_again(door):
    await door.begin()
    door.status["hearth"].live = True
    body = (await door.json("companion/live-status/refresh", {})).json()
    assert body["live_status"]["is_live"]
    assert door.status["hearth"].asked[-1] is True


async def test_the_ledger_as_markdown(door):
    session = await door.begin()
    answer = await door.http.get("/admin/ledger", params={"session_id": session}, headers={"Accept": "text/markdown"})
    assert answer.headers["content-type"].startswith("text/markdown")
    assert answer.text.startswith("# Sanctum Ledger")


async def test_discord_is_told_and_its_trouble_is_not_ours(open_door, monkeypatch):
    posted: list[tuple[str, dict]] = []
    monkeypatch.setattr("talekeeper.doors.stream.ledgers._post", lambda url, body: posted.append((url, body)))
    door = await open_door(stream_channel="hearth", stream_discord_webhook="https://discord.example/hook")
    session = await door.begin()
    await door.form("session/end", session_id=session)
    ((url, body),) = posted
    assert url == "https://discord.example/hook"
    assert body["allowed_mentions"] == {"parse": []}

    def down(_url, _body):
        raise OSError("no route")

    monkeypatch.setattr("talekeeper.doors.stream.ledgers._post", down)
    session = await door.begin()
    assert (await door.form("session/end", session_id=session)).json()["ledger_path"]


async def test_the_feed_over_the_wire(door, until):
    """Its headers and first messages; what follows is told by the tests above."""
    await door.begin()
    await door.say(await door.begin(), "good evening")
    asking = asyncio.create_task(door.http.get("/admin/companion/feed"))
    await until(lambda: door.companion.feed.watched)
    door.companion.feed.close()
    answer = await asking
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.text.startswith("event: status\n")
    assert "event: line\n" in answer.text
