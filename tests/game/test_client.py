"""The Python client against the real server: reading is performing, tools, reconnecting, being refused."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from talekeeper.clients.game import GameClient, Refused
from talekeeper.llm.model import ToolCall

MARA = {"spec": {"name": "Mara"}, "tools": [{"name": "look", "description": "look", "parameters": {}}]}


def client(tavern, **options):
    return GameClient(f"{tavern.address}/ws", state=lambda agent: MARA, **options)


async def text_of(reply):
    return "".join([m["text"] async for m in reply if m["type"] == "agent_tag_chunk"])


async def test_reading_a_reply_is_performing_it(tavern, speaker):
    async with client(tavern) as game:
        speaker.next("<say>Good evening.</say><emote>bows</emote>")
        assert await text_of(game.say("mara", "Hello")) == "Good evening.bows"
        script = speaker.next("<say>Yes.</say>")
        await text_of(game.say("mara", "Again?"))
        (past,) = script.performance.history
        assert [(said.tag, said.text) for said in past.said] == [("say", "Good evening."), ("emote", "bows")]
        assert past.confirmed


async def test_a_reply_that_is_stopped_is_reported_as_far_as_it_was_shown(tavern, speaker):
    async with client(tavern) as game:
        speaker.next("<say>Once upon a time</say>", asyncio.Event())
        reply = game.say("mara", "A story!")
        async for message in reply:
            if message["type"] == "agent_tag_close":
                reply.shown(message["tag_id"], 4)
                break
        await reply.stop()
        script = speaker.next("<say>Well.</say>")
        await text_of(game.say("mara", "Stop."))
        assert [said.text for said in script.performance.history[0].said] == ["Once"]


async def test_tools_are_run_and_the_reply_goes_on(tavern, speaker):
    async def look(agent, tool, arguments):
        return f"{agent} {tool} {arguments['at']}"

    async with client(tavern, tools=look) as game:
        speaker.next("<say>Let me look.</say>", ToolCall("c1", "look", '{"at": "sea"}'))
        script = speaker.next("<say>Grey.</say>")
        assert await text_of(game.say("mara", "How is the sea?")) == "Let me look.Grey."
        assert script.performance.continues[0].content == "mara look sea"


async def test_a_tool_that_fails_is_told_as_failed(tavern, speaker):
    async with client(tavern) as game:
        speaker.next(ToolCall("c1", "look", "{}"))
        script = speaker.next("<say>I cannot.</say>")
        await text_of(game.say("mara", "Look!"))
        assert (script.performance.continues[0].ok, script.performance.continues[0].content) == (
            False,
            "this game has no tools",
        )


async def test_an_event_that_is_superseded_before_it_begins_ends(tavern, speaker):
    async with client(tavern) as game:
        speaker.next("<say>To the second.</say>")
        first, second = game.say("mara", "First"), game.say("mara", "Second")
        assert [m["type"] async for m in first] == ["superseded"]
        assert await text_of(second) == "To the second."


async def test_an_error_ends_the_reply(tavern):
    async with client(tavern) as game:
        assert [m["code"] async for m in game.event("mara", "sang") if m["type"] == "error"] == ["invalid_payload"]


async def test_whoever_may_not_come_in_is_told(tavern):
    with pytest.raises(Refused, match="opens no world"):
        async with client(tavern, token="tkg_wrong_token"):
            pass


async def test_it_comes_back_when_the_server_does(open_tavern, speaker, monkeypatch):
    monkeypatch.setattr("random.uniform", lambda low, high: 0.01)
    async with AsyncExitStack() as house:
        first = await house.enter_async_context(open_tavern(speaker))
        async with client(first) as game:
            speaker.next("<say>Wait", asyncio.Event())
            seen = []
            async for message in game.say("mara", "Hello"):
                seen.append(message["type"])
                if message["type"] == "agent_tag_chunk":
                    await house.aclose()
            assert seen[-1] == "agent_turn_interrupted"
            speaker.next("<say>Back again.</say>")
            waiting = game.say("mara", "Are you there?")
            async with open_tavern(speaker, settings=first.settings) as second:
                game._url = f"{second.address}/ws"
                assert await text_of(waiting) == "Back again."


async def test_notifications(tavern, speaker):
    async with client(tavern) as game:
        await game.notify("mara", text="It begins to rain.")
        script = speaker.next("<say>Rain.</say>")
        await text_of(game.say("mara", "What is it?"))
        assert script.performance.noticed == ("It begins to rain.",)
