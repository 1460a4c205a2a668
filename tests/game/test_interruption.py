"""Cutting in: what a newer event does to a running turn, by its own wish."""

from __future__ import annotations

import asyncio


async def speaking(game, speaker, text="<say>Once upon a ti"):
    """A turn in the middle of its first sentence; it never ends by itself."""
    script = speaker.next(text, asyncio.Event())
    await game.say("Tell me a story")
    await game.until("agent_tag_chunk")
    return script


async def test_a_newer_event_cuts_the_running_turn_short(game, speaker):
    long = await speaking(game, speaker)
    speaker.next("<say>Yes?</say>")
    second = await game.say("Stop!")
    end = await game.until("agent_turn_interrupted")
    first = [m for m in game.log if m.get("turn_id") == end["turn_id"]]
    assert first[-2]["type"] == "agent_tag_close"
    assert (first[-2]["reason"], first[-2]["text"]) == ("interrupted", "Once upon a ti")
    assert (end["reason"], end["by_event_id"]) == ("superseded", second)
    assert end["usage"] == {"tokens_in": 0, "tokens_out": 4, "estimated": True}
    assert end["open_tag_ids"] == [first[-2]["tag_id"]]
    assert [m["seq"] for m in first] == list(range(len(first)))
    assert long.closed.is_set()
    asked = await game.until("get_agent_state")
    assert asked["event_id"] == second
    turn = await game.turn()
    assert turn[0]["event_id"] == second
    assert not [m for m in game.log[game.log.index(end) + 1 :] if m.get("turn_id") == end["turn_id"]]


async def test_nested_tags_are_closed_from_the_inside(game, speaker):
    await speaking(game, speaker, "<say>Well <emote>lau")
    await game.send("cancel_turn", agent_id="mara")
    end = await game.until("agent_turn_interrupted")
    closes = [m for m in game.log if m["type"] == "agent_tag_close"]
    assert [(m["tag"], m["text"]) for m in closes] == [("emote", "lau"), ("say", "Well ")]
    assert end["open_tag_ids"] == [m["tag_id"] for m in reversed(closes)]


async def test_cancelling_is_answered(game, speaker):
    await speaking(game, speaker)
    running = next(m for m in game.log if m["type"] == "agent_turn_started")
    await game.send("cancel_turn", agent_id="mara", turn_id=running["turn_id"])
    end = await game.until("agent_turn_interrupted")
    assert end["reason"] == "client_cancel"
    await game.send("cancel_turn", agent_id="mara", turn_id=running["turn_id"])
    refused = await game.until("error")
    assert refused["code"] == "stale_turn"


async def test_cancelling_what_has_not_begun(game):
    game.answers_state = False
    await game.say("Hello")
    await game.until("get_agent_state")
    await game.send("cancel_turn", agent_id="mara", id="c1")
    refused = await game.until("error")
    assert (refused["code"], refused["in_reply_to"]) == ("stale_turn", "c1")
    await game.settle()
    assert "agent_turn_started" not in [m["type"] for m in game.log]


async def test_an_event_superseded_before_its_turn_starts_leaves_no_trace_on_the_wire(game, speaker):
    game.answers_state = False
    await game.say("First")
    first = await game.until("get_agent_state")
    second_id = await game.say("Second")
    second = await game.until("get_agent_state")
    assert second["event_id"] == second_id
    script = speaker.next("<say>To the second.</say>")
    await game.snapshot(first)
    await game.snapshot(second)
    turn = await game.turn()
    assert turn[0]["event_id"] == second_id
    assert [m["event_id"] for m in game.log if m["type"] == "agent_turn_started"] == [second_id]
    assert any("First" in noticed for noticed in script.performance.noticed)


async def test_if_idle_only_asks_when_nothing_else_goes_on(game, speaker):
    await speaking(game, speaker)
    await game.say("By the way", interrupt="if_idle")
    await game.settle()
    await game.send("cancel_turn", agent_id="mara")
    await game.until("agent_turn_interrupted")
    script = speaker.next("<say>Mm?</say>")
    await game.say("Are you listening?", interrupt="if_idle")
    turn = await game.turn()
    assert turn[0]["trigger"] == "interaction"
    assert any("By the way" in noticed for noticed in script.performance.noticed)


async def test_queued_events_come_in_their_order_after_the_turn(game, speaker):
    go_on = asyncio.Event()
    speaker.next("<say>First", go_on, "</say>")
    await game.say("1")
    await game.until("agent_tag_chunk")
    speaker.next("<say>Second</say>")
    speaker.next("<say>Third</say>")
    second = await game.say("2", interrupt="queue")
    third = await game.say("3", interrupt="queue")
    await game.settle()
    go_on.set()
    first = await game.until("agent_turn_finished")
    assert first["stop_reason"] == "end"
    turns = [await game.turn(), await game.turn()]
    assert [(t[0]["event_id"], t[0]["trigger"]) for t in turns] == [(second, "queued"), (third, "queued")]


async def test_too_many_queued_events_are_only_heard(open_tavern, speaker, limits):
    async with open_tavern(speaker, limits=limits(queued=1)) as tavern, tavern.game() as game:
        await speaking(game, speaker)
        await game.say("2", interrupt="queue")
        third = await game.say("3", interrupt="queue")
        refused = await game.until("error")
        assert (refused["code"], refused["in_reply_to"]) == ("rate_limited", third)
        script = speaker.next("<say>To the queued one.</say>")
        await game.send("cancel_turn", agent_id="mara")
        await game.turn(type="agent_turn_finished")
        assert any(": 3" in noticed for noticed in script.performance.noticed)


async def test_an_interruption_leaves_other_agents_alone(game, speaker):
    go_on = asyncio.Event()
    speaker.next("<say>Tom talks", go_on, " on</say>")
    await game.say("Tom?", "tom")
    await game.until("agent_tag_chunk")
    await speaking(game, speaker)
    await game.send("cancel_turn", agent_id="mara")
    await game.until("agent_turn_interrupted")
    go_on.set()
    end = await game.until("agent_turn_finished")
    assert end["agent_id"] == "tom"


async def test_whoever_comes_later_on_another_connection_cuts_in_too(tavern, speaker):
    async with tavern.game() as first, tavern.game() as second:
        await speaking(first, speaker)
        speaker.next("<say>Yes, Ben?</say>")
        event = await second.say("Me first", source={"id": "ben", "name": "Ben", "kind": "player"})
        end = await first.until("agent_turn_interrupted")
        assert (end["reason"], end["by_event_id"]) == ("superseded", event)
        turn = await second.turn()
        assert turn[0]["event_id"] == event


async def test_a_disconnect_ends_the_turn(tavern, speaker):
    async with tavern.game() as game:
        script = await speaking(game, speaker)
    await asyncio.wait_for(script.closed.wait(), 5)


async def test_a_shutdown_is_told_before_the_socket_closes(open_tavern, speaker):
    async with open_tavern(speaker) as tavern, tavern.game() as game:
        await speaking(game, speaker)
        closing = asyncio.create_task(tavern.hub.close())
        end = await game.until("agent_turn_interrupted")
        assert end["reason"] == "shutdown"
        await game.line.wait_closed()
        assert game.line.close_code == 1001
        await closing
