"""One NPC turn, from the player's words to what was performed, over a real socket."""

from __future__ import annotations

import asyncio


async def test_a_turn_is_streamed_as_tags(game, speaker):
    speaker.next("<say>Good ", "even", "ing, Ana.</say><emote>", "smiles</emote>")
    event = await game.say("Good evening!")
    asked = await game.until("get_agent_state")
    assert asked["agent_id"] == "mara"
    assert asked["event_id"] == event
    turn = await game.turn()
    assert [m["seq"] for m in turn] == list(range(len(turn)))
    assert turn[0]["type"] == "agent_turn_started"
    assert (turn[0]["event_id"], turn[0]["trigger"], turn[0]["model"]) == (event, "interaction", "scripted")
    closes = [m for m in turn if m["type"] == "agent_tag_close"]
    assert [(m["tag"], m["text"], m["reason"]) for m in closes] == [
        ("say", "Good evening, Ana.", "closed"),
        ("emote", "smiles", "closed"),
    ]
    chunks = "".join(m["text"] for m in turn if m["type"] == "agent_tag_chunk" and m["tag"] == "say")
    assert chunks == "Good evening, Ana."
    end = turn[-1]
    assert end["type"] == "agent_turn_finished"
    assert end["stop_reason"] == "end"
    assert end["usage"] == {"tokens_in": 10, "tokens_out": 20, "estimated": False}
    assert end["timing"]["total_ms"] >= end["timing"]["state_ms"] > 0
    assert all(m["id"] for m in turn)


async def test_a_newer_event_cuts_the_running_turn_short(game, speaker):
    never = asyncio.Event()
    long = speaker.next("<say>Once upon a ti", never)
    await game.say("Tell me a story")
    await game.until("agent_tag_chunk")
    speaker.next("<say>Yes?</say>")
    second = await game.say("Stop!")
    first = await game.turn()
    assert [m["type"] for m in first[-2:]] == ["agent_tag_close", "agent_turn_interrupted"]
    assert first[-2]["reason"] == "interrupted"
    assert first[-2]["text"] == "Once upon a ti"
    assert first[-1]["reason"] == "superseded"
    assert first[-1]["by_event_id"] == second
    assert first[-1]["open_tag_ids"] == [first[-2]["tag_id"]]
    assert long.closed.is_set()
    turn = await game.turn()
    assert turn[0]["event_id"] == second
    order = [m["type"] for m in game.log]
    assert order.index("agent_turn_interrupted") < len(order) - 1 - order[::-1].index("get_agent_state")
