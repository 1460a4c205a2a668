"""Tool calls: the game carries them out, and the answer goes on from the results."""

from __future__ import annotations

import pytest

from talekeeper.llm.model import ToolCall

STOCK = {"name": "check_stock", "description": "What is left", "parameters": {"type": "object"}}
CALL = ToolCall("c1", "check_stock", '{"item": "ale"}')


@pytest.fixture
def keeper(game):
    game.extra = {"tools": [STOCK]}
    return game


async def calling(game, speaker, *steps):
    speaker.next(*(steps or ("<say>Let me see.</say>", CALL)))
    await game.say("Any ale left?")
    return await game.turn()


async def test_a_tool_call_and_its_continuation(keeper, speaker):
    first = await calling(keeper, speaker)
    end = first[-1]
    assert end["stop_reason"] == "tool_use"
    assert end["tool_calls"] == [{"call_id": "c1", "name": "check_stock", "arguments": {"item": "ale"}}]
    await keeper.report(first)
    script = speaker.next("<say>Two barrels.</say>")
    results = [{"call_id": "c1", "name": "check_stock", "ok": True, "content": {"barrels": 2}}]
    await keeper.send("tool_results", turn_id=end["turn_id"], agent_id="mara", results=results)
    second = await keeper.turn()
    assert second[0]["trigger"] == "tool_results"
    assert second[0]["turn_id"] != end["turn_id"]
    assert second[0]["event_id"] == first[0]["event_id"]
    told = script.performance
    assert [use.content for use in told.continues] == ['{"barrels":2}']
    assert told.history[-1].said[0].text == "Let me see."
    assert told.history[-1].tools[0].ok is True
    assert "get_agent_state" not in [m["type"] for m in keeper.log[keeper.log.index(end) :]]


async def test_a_failed_tool_is_told_as_failed(keeper, speaker):
    first = await calling(keeper, speaker)
    script = speaker.next("<say>The cellar is locked.</say>")
    results = [{"call_id": "c1", "name": "check_stock", "ok": False, "content": None, "error": "locked"}]
    await keeper.send("tool_results", turn_id=first[0]["turn_id"], agent_id="mara", results=results)
    await keeper.turn()
    assert (script.performance.continues[0].ok, script.performance.continues[0].content) == (False, "locked")


async def test_results_nobody_asked_for(keeper, speaker):
    results = [{"call_id": "c1", "name": "x", "ok": True, "content": ""}]
    await keeper.send("tool_results", turn_id="turn-x", agent_id="mara", results=results)
    assert (await keeper.until("error"))["code"] == "unknown_agent"
    speaker.next("<say>No tools.</say>")
    await keeper.say("Hello")
    turn = await keeper.turn()
    await keeper.send("tool_results", turn_id=turn[0]["turn_id"], agent_id="mara", results=results)
    assert (await keeper.until("error"))["code"] == "stale_turn"


async def test_results_that_come_after_something_else_are_stale_and_still_in_the_history(keeper, speaker):
    first = await calling(keeper, speaker)
    speaker.next("<say>Never mind the ale.</say>")
    await keeper.say("Forget it")
    await keeper.turn()
    results = [{"call_id": "c1", "name": "check_stock", "ok": True, "content": "two"}]
    await keeper.send("tool_results", turn_id=first[0]["turn_id"], agent_id="mara", results=results)
    assert (await keeper.until("error"))["code"] == "stale_turn"
    script = speaker.next("<say>What?</say>")
    await keeper.say("And now?")
    await keeper.turn()
    assert script.performance.history[0].tools[0].content == "two"


async def test_results_that_never_come_do_not_hold_up_the_agent(open_tavern, speaker, limits):
    async with open_tavern(speaker, limits=limits(tool_seconds=0.05)) as tavern, tavern.game() as game:
        game.extra = {"tools": [STOCK]}
        await calling(game, speaker)
        script = speaker.next("<say>Where was I?</say>")
        await game.say("Hello?", interrupt="queue")
        turn = await game.turn()
        assert turn[0]["trigger"] == "queued"
        use = script.performance.history[-1].tools[0]
        assert (use.ok, use.content) == (False, "(the game gave no result)")


async def test_a_tool_loop_comes_to_an_end(open_tavern, speaker, limits):
    async with open_tavern(speaker, limits=limits(tool_turns=2)) as tavern, tavern.game() as game:
        game.extra = {"tools": [STOCK]}
        turn = await calling(game, speaker)
        for allowed in (True, False):
            script = speaker.next(CALL)
            results = [{"call_id": "c1", "name": "check_stock", "ok": True, "content": ""}]
            await game.send("tool_results", turn_id=turn[0]["turn_id"], agent_id="mara", results=results)
            turn = await game.turn()
            assert script.performance.may_call_tools is allowed
        assert turn[-1]["stop_reason"] == "end"


async def test_calls_to_tools_nobody_declared_are_ignored(keeper, speaker):
    turn = await calling(keeper, speaker, "<say>Hm.</say>", ToolCall("c9", "rm_rf", "{}"))
    assert turn[-1]["stop_reason"] == "end"
    assert "tool_calls" not in turn[-1]


async def test_arguments_that_are_not_json_are_passed_on_as_they_are(keeper, speaker):
    turn = await calling(keeper, speaker, ToolCall("c1", "check_stock", "{item: ale"))
    assert turn[-1]["tool_calls"][0]["arguments"] == "{item: ale"
