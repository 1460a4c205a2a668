"""A game that vanishes at any point of a turn: the server goes on, and what was heard is remembered."""

from __future__ import annotations

import asyncio

import pytest

from talekeeper.llm.model import ToolCall

POINTS = (
    "connected",
    "event sent",
    "state asked",
    "state sent",
    "started",
    "in a tag",
    "finished",
    "tools asked",
    "reported",
)


@pytest.mark.parametrize("point", POINTS)
async def test_the_game_vanishes(tavern, speaker, until, bodies, point):
    async with tavern.game() as game:
        await come_to(game, speaker, point)
        game.line.transport.abort()
    await until(lambda: not tavern.hub._connections)
    await tavern.quiet()
    speaker.left.clear()
    if point not in ("connected", "event sent"):
        assert ("line.spoken", "person/ana", "The tide is out") in bodies(tavern)
    async with tavern.game() as game:
        script = speaker.next("<say>There you are.</say>")
        await game.say("I am back. How is the tide?")
        turn = await game.turn()
        assert turn[-1]["stop_reason"] == "end"
        if point not in ("connected", "event sent"):
            told = script.performance
            known = [*told.noticed, *told.remembers, *(e.perceived for e in told.history)]
            assert any("The tide is out" in text for text in known)


async def come_to(game, speaker, point):
    if point == "connected":
        return
    game.answers_state = point not in ("event sent", "state asked")
    game.extra = {"tools": [{"name": "look", "description": "", "parameters": {}}]}
    if point == "tools asked":
        speaker.next("<say>Hm.</say>", ToolCall("c1", "look", "{}"))
    elif point in ("finished", "reported"):
        speaker.next("<say>Yes.</say>")
    else:
        speaker.next("<say>It is, and", asyncio.Event())
    await game.say("The tide is out")
    if point == "event sent":
        return
    if point in ("state asked", "state sent"):
        await game.until("get_agent_state")
    elif point == "started":
        await game.until("agent_turn_started")
    elif point == "in a tag":
        await game.until("agent_tag_chunk")
    else:
        turn = await game.turn()
        if point == "reported":
            await game.report(turn)
            await game.settle()
