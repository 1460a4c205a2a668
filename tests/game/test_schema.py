"""The protocol as JSON Schema: every message that really crosses the wire fits it."""

from __future__ import annotations

import asyncio
from typing import Any

from talekeeper.doors.game.incoming import Incoming
from talekeeper.doors.game.outgoing import AnyOutgoing
from talekeeper.doors.game.schema import json_schema
from talekeeper.llm.model import ToolCall

SCHEMA = json_schema()
DEFINITIONS = SCHEMA["$defs"]


def shape_of(type_: str) -> dict[str, Any]:
    (found,) = [d for d in DEFINITIONS.values() if d.get("properties", {}).get("type", {}).get("enum") == [type_]]
    return found


def test_every_message_is_described_once():
    for kind in (*Incoming.__subclasses__(), *AnyOutgoing.__args__):
        assert shape_of(str(kind.__struct_config__.tag))
    assert len(SCHEMA["client"]["anyOf"]) == 7
    assert len(SCHEMA["server"]["anyOf"]) == 9


def test_what_is_required_is_said():
    assert set(shape_of("interaction_event")["required"]) == {"type", "event_id", "agent_id", "event"}
    assert "known_revision" not in shape_of("get_agent_state")["required"]
    assert "text" in shape_of("agent_tag_close")["required"]


async def test_what_is_sent_fits(game, speaker):
    game.extra = {"tools": [{"name": "look", "description": "", "parameters": {}}]}
    speaker.next('<say to="x">Hm.</say>', ToolCall("c1", "look", "{}"))
    await game.say("Look")
    turn = await game.turn()
    results = [{"call_id": "c1", "name": "look", "ok": True, "content": "dark"}]
    speaker.next("<say>It is", asyncio.Event())
    await game.send("tool_results", turn_id=turn[0]["turn_id"], agent_id="mara", results=results)
    await game.until("agent_tag_chunk")
    await game.send("cancel_turn", agent_id="mara")
    await game.until("agent_turn_interrupted")
    await game.raw("{")
    await game.until("error")
    await game.settle()
    types = {m["type"] for m in game.log}
    assert types == {str(kind.__struct_config__.tag) for kind in AnyOutgoing.__args__}
    for message in game.log:
        shape = shape_of(message["type"])
        assert set(shape["required"]) <= set(message), message
        assert set(message) <= set(shape["properties"]), message
