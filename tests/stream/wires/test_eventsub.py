"""The EventSub adapter on the fake Twitch."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.doors.stream.transport.credentials import MissingScope
from talekeeper.doors.stream.transport.eventsub_reading import EventSubReading, parse_frame
from talekeeper.doors.stream.transport.port import (
    BadCredentials,
    Dropped,
    TitleChanged,
    WentLive,
    WentOffline,
)
from talekeeper.testing.twitch.eventsub_side import SCOPES
from talekeeper.testing.twitch.helix_side import Failure


async def test_hears_what_people_say(twitch: Any, eventsub: Any, start: Any, listener: Any) -> None:
    await start(eventsub()).connected()
    assert sorted(twitch.eventsub.subscribed) == sorted(SCOPES)
    said = await twitch.says("ada", "is the kettle on?", badges=("vip",), display="Ada L", reply_to="m-7")
    line = await listener.line("is the kettle on?")
    assert (line.id, line.name, line.display, line.channel, line.reply_to) == (said, "ada", "Ada L", "hearth", "m-7")
    assert line.trusted
    assert not line.foreign
    await twitch.says("ada", "waves", action=True)
    assert (await listener.line("waves")).action
    await twitch.says("cy", "from next door", source="elsewhere")
    visitor = await listener.line("from next door")
    assert visitor.foreign
    assert visitor.source_channel == "elsewhere"


async def test_hears_itself_as_a_bot(twitch: Any, eventsub: Any, start: Any, listener: Any) -> None:
    running = start(eventsub())
    await running.connected()
    sent = await running.transport.send("The fire is low.", reply_to="m-1")
    line = await listener.line("The fire is low.")
    assert line.bot
    assert (line.id, line.reply_to) == (sent.message_id, "m-1")


async def test_hears_the_stream_begin_change_and_end(twitch: Any, eventsub: Any, start: Any, listener: Any) -> None:
    await start(eventsub()).connected()
    await twitch.goes_live("Rain on glass", "Myst")
    await listener.until(lambda one: isinstance(one, WentLive))
    await twitch.changes_title("Rain, still", "Riven")
    await twitch.goes_offline()
    await listener.until(lambda one: isinstance(one, WentOffline))
    live, changed, _offline = listener.heard
    assert isinstance(live, WentLive)
    assert (live.title, live.game) == ("Rain on glass", "Myst")
    assert changed == TitleChanged("Rain, still", "Riven")


async def test_what_began_and_ended_unheard_is_caught_up(
    twitch: Any, eventsub: Any, start: Any, listener: Any, until: Any, clock: Any
) -> None:
    twitch.room.clock = clock
    await twitch.goes_live("Rain on glass")
    running = start(eventsub(clock=clock))
    live = await listener.until(lambda one: isinstance(one, WentLive))
    assert live == WentLive(clock.now, "Rain on glass", "Myst")
    await running.connected()
    twitch.room.on_air = None
    clock.advance(301)
    await twitch.eventsub.hang_up()
    await listener.until(lambda one: isinstance(one, WentOffline))
    assert len(listener.heard) == 2, "each once"


async def test_a_stream_whose_predecessor_ended_unheard_is_new(
    twitch: Any, eventsub: Any, start: Any, listener: Any, clock: Any
) -> None:
    twitch.room.clock = clock
    await start(eventsub(clock=clock)).connected()
    await twitch.goes_live("One")
    await listener.until(lambda one: getattr(one, "title", "") == "One")
    await twitch.goes_live("One, told twice")
    clock.advance(7200)
    await twitch.goes_live("Two")
    await listener.until(lambda one: getattr(one, "title", "") == "Two")
    assert [one.title for one in listener.heard] == ["One", "Two"]


async def test_moves_when_asked_and_misses_nothing(
    twitch: Any, eventsub: Any, start: Any, listener: Any, until: Any
) -> None:
    running = start(eventsub())
    await running.connected()
    for n in range(3):
        await twitch.says("ada", f"before {n}")
        await twitch.eventsub.reconnect()
        await twitch.says("ada", f"meanwhile {n}")
        await until(lambda n=n: twitch.eventsub.ever == n + 2)
        await until(lambda: twitch.eventsub.sessions)
        await twitch.says("ada", f"after {n}")
        await listener.line(f"after {n}")
    assert [one.line.text for one in listener.heard] == [
        f"{when} {n}" for n in range(3) for when in ("before", "meanwhile", "after")
    ]
    assert twitch.helix.asked.count(("POST", "eventsub/subscriptions")) == len(SCOPES), "subscriptions move along"


async def test_says_each_message_once(twitch: Any, eventsub: Any, start: Any, listener: Any) -> None:
    await start(eventsub()).connected()
    await twitch.says("ada", "hello")
    await twitch.eventsub.repeat()
    await twitch.eventsub.repeat()
    await twitch.says("ada", "the end")
    await listener.line("the end")
    assert [one.line.text for one in listener.heard] == ["hello", "the end"]


@pytest.mark.parametrize("code", [4000, 4003, 4005, 1011])
async def test_comes_back_when_hung_up_on(
    twitch: Any, eventsub: Any, start: Any, listener: Any, until: Any, code: int
) -> None:
    running = start(eventsub())
    await running.connected()
    await twitch.eventsub.hang_up(code)
    await until(lambda: twitch.eventsub.ever == 2 and len(twitch.eventsub.subscribed) == len(SCOPES))
    await twitch.says("ada", "you are back")
    await listener.line("you are back")


async def test_a_missing_heartbeat_is_noticed(twitch: Any, eventsub: Any, start: Any, until: Any) -> None:
    twitch.eventsub.keepalive = 0.05
    running = start(eventsub(slack=0.2))
    await running.connected()
    await asyncio.sleep(0.4)
    assert twitch.eventsub.ever == 1, "a heart that beats is left alone"
    twitch.eventsub.silent = True
    await until(lambda: "silent" in running.transport.state.last_error or twitch.eventsub.ever > 1)


async def test_garbage_does_not_end_the_conversation(twitch: Any, eventsub: Any, start: Any, listener: Any) -> None:
    await start(eventsub()).connected()
    broken = json.dumps({"metadata": {"message_type": "notification", "message_id": "x"}, "payload": {
        "subscription": {"type": "channel.chat.message"}, "event": {"message": 7}}})  # fmt: skip
    await twitch.eventsub.garbage(
        "", "{", "null", "[]", '{"metadata": {"message_type": "news"}, "payload": {}}', broken
    )
    await twitch.says("ada", "x" * 10_000)
    await listener.line("x" * 10_000)
    assert len(listener.heard) == 1


async def test_a_bad_token_ends_it_and_says_so(twitch: Any, eventsub: Any, helix: Any, listener: Any) -> None:
    transport = eventsub(helix(token="worn-out"))
    with pytest.raises(BadCredentials, match="TWITCH_ACCESS_TOKEN"):
        await transport.run(listener)
    assert "refused" in transport.state.last_error
    assert "worn-out" not in transport.state.last_error
    with pytest.raises(Dropped) as dropped:
        await transport.send("Hello?")
    assert dropped.value.reason == "unauthorized"


async def test_a_missing_scope_is_named(twitch: Any, eventsub: Any, helix: Any, listener: Any) -> None:
    transport = eventsub(helix(token=twitch.token(scopes=("chat:read", "chat:edit"))))
    with pytest.raises(MissingScope, match="user:read:chat"):
        await transport.run(listener)


async def test_an_authorisation_taken_back_ends_it(twitch: Any, eventsub: Any, start: Any) -> None:
    running = start(eventsub())
    await running.connected()
    await twitch.eventsub.revoke()
    with pytest.raises(BadCredentials, match="taken back"):
        await running.task


async def test_a_token_that_wears_out_is_noticed(twitch: Any, eventsub: Any, start: Any, listener: Any) -> None:
    running = start(eventsub(validate_every=0.0))
    await running.connected()
    twitch.helix.will("validate", Failure(500), Failure(200, b"?"))
    await twitch.says("ada", "one")
    await twitch.says("ada", "two")
    await listener.line("two")
    twitch.room.grants.clear()
    await twitch.says("ada", "three")
    with pytest.raises(BadCredentials, match="TWITCH_ACCESS_TOKEN"):
        await running.task


async def test_another_revocation_is_asked_about_again(twitch: Any, eventsub: Any, start: Any, until: Any) -> None:
    running = start(eventsub())
    await running.connected()
    await twitch.eventsub.revoke("version_removed")
    await until(lambda: twitch.eventsub.ever == 2 and len(twitch.eventsub.subscribed) == len(SCOPES))
    assert not running.task.done()


@pytest.mark.parametrize("path", ["validate", "users", "eventsub/subscriptions"])
async def test_troubles_at_the_start_are_outlived(
    twitch: Any, eventsub: Any, helix: Any, start: Any, listener: Any, path: str
) -> None:
    twitch.helix.will(path, *(Failure(status, b"?") for status in (500, 429, 200)), Failure(hang=True))
    await start(eventsub(helix(timeout=0.3))).connected()
    await twitch.says("ada", "made it")
    await listener.line("made it")


async def test_stops_at_any_time(twitch: Any, eventsub: Any, helix: Any, start: Any, until: Any) -> None:
    twitch.helix.will("validate", Failure(hang=True))
    running = start(eventsub(helix(timeout=60.0)))
    await until(lambda: ("GET", "validate") in twitch.helix.asked)
    await running.end()
    await running.end()


LEAVES = st.none() | st.integers() | st.text()
FRAMES = st.sampled_from(["metadata", "payload", "message_type", "session", "subscription", "type", "event", "id"])
EVENTS = st.sampled_from(["message", "text", "chatter_user_login", "message_id", "badges", "title", "started_at"])


def trees(keys: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    return st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=20)


@given(st.binary() | st.text() | trees(FRAMES).map(json.dumps))
def test_any_frame_is_read_or_passed_over(text: Any) -> None:
    frame = parse_frame(text)
    if frame is not None:
        EventSubReading("hearth", "keeper", lambda: 0.0).read(frame.payload)


@given(st.sampled_from(sorted(SCOPES)), trees(EVENTS))
def test_any_event_is_read_or_passed_over(kind: str, event: Any) -> None:
    payload = {"subscription": {"type": kind}, "event": event}
    frame = parse_frame(json.dumps({"metadata": {"message_type": "notification"}, "payload": payload}))
    assert frame is not None
    EventSubReading("hearth", "keeper", lambda: 0.0).read(frame.payload)
