"""What a broken or hostile game may send: each is answered, the socket stays, and the next turn works."""

from __future__ import annotations

import json

import pytest

SAY = {"kind": "player_said", "source": {"id": "ana"}, "text": "Hello"}


def event(**changed):
    return json.dumps({"type": "interaction_event", "event_id": "e1", "agent_id": "mara", "event": SAY} | changed)


def snapshot(**changed):
    return json.dumps({"type": "agent_state_snapshot", "agent_id": "mara", "spec": {"name": "M"}} | changed)


BAD = {
    "not json": ("hello", "bad_json"),
    "half json": ('{"type": "ping"', "bad_json"),
    "empty": ("", "bad_json"),
    "NaN": ('{"type": "ping", "ts": NaN}', "bad_json"),
    "binary": (b'{"type": "ping"}', "bad_json"),
    "deep nesting": ('{"type": "ping", "x": ' + "[" * 100_000 + "]" * 100_000 + "}", "bad_json"),
    "a list": ("[]", "invalid_payload"),
    "a number": ("7", "invalid_payload"),
    "no type": ("{}", "unknown_type"),
    "a type that is none": ('{"type": 7}', "unknown_type"),
    "an unknown type": ('{"type": "launch_missiles"}', "unknown_type"),
    "another version": ('{"type": "ping", "v": 2}', "invalid_payload"),
    "no agent": (json.dumps({"type": "interaction_event", "event_id": "e1", "event": SAY}), "invalid_payload"),
    "a number as id": (event(event_id=12), "invalid_payload"),
    "a number as agent": (event(agent_id=12.0), "invalid_payload"),
    "an empty agent": (event(agent_id=""), "invalid_payload"),
    "an endless id": (event(agent_id="m" * 5000), "invalid_payload"),
    "an unknown kind": (event(event={**SAY, "kind": "sang"}), "invalid_payload"),
    "words without words": (event(event={**SAY, "text": "  "}), "invalid_payload"),
    "an event that is a string": (event(event="hello"), "invalid_payload"),
    "an unknown wish": (event(interrupt="please"), "invalid_payload"),
    "no name": (snapshot(spec={}), "invalid_payload"),
    "a spec that is a list": (snapshot(spec=[]), "invalid_payload"),
    "no tags at all": (snapshot(tags=[]), "invalid_payload"),
    "a tag like a prototype": (snapshot(tags=[{"name": "__proto__", "stream": True}]), "invalid_payload"),
    "a tag with markup": (snapshot(tags=[{"name": "b onclick=x", "stream": True}]), "invalid_payload"),
    "a tag twice": (snapshot(tags=[{"name": "say"}, {"name": "SAY"}]), "invalid_payload"),
    "a hundred tags": (snapshot(tags=[{"name": f"t{n}"} for n in range(100)]), "invalid_payload"),
    "a negative limit": (snapshot(limits={"max_tags": -1}), "invalid_payload"),
    "tools of one name": (snapshot(tools=[{"name": "a"}, {"name": "a"}]), "invalid_payload"),
    "a result without a turn": ('{"type": "agent_turn_result", "agent_id": "m", "status": "completed"}', "invalid_payload"),
    "an odd outcome": (
        json.dumps(
            {
                "type": "agent_turn_result", "agent_id": "m", "turn_id": "t", "status": "completed",
                "segments": [{"tag_id": "1", "tag": "say", "text": "", "outcome": "great"}],
            }
        ),
        "invalid_payload",
    ),
    "cancelling nobody": ('{"type": "cancel_turn", "agent_id": "nobody"}', "unknown_agent"),
}  # fmt: skip


async def test_every_kind_of_nonsense_is_answered_and_the_socket_stays(game, speaker):
    for name, (raw, code) in BAD.items():
        await game.raw(raw)
        refused = await game.until("error")
        assert (refused["code"], refused["fatal"]) == (code, False), name
        assert refused["message"]
    speaker.next("<say>Still here.</say>")
    await game.say("Hello?")
    assert (await game.turn())[-1]["stop_reason"] == "end"


async def test_a_refusal_says_what_it_answers(game):
    await game.raw(event(event={**SAY, "kind": "sang"}))
    refused = await game.until("error")
    assert (refused["in_reply_to"], refused["agent_id"]) == ("e1", "mara")
    assert "kind" in refused["message"]


async def test_unknown_fields_are_ignored(game, speaker):
    speaker.next("<say>Yes.</say>")
    await game.say("Hello", colour="red", nested={"deep": [1, 2]})
    assert (await game.turn())[-1]["stop_reason"] == "end"


async def test_tags_named_like_html_are_only_names(game, speaker):
    game.extra = {"tags": [{"name": "script", "stream": True}, {"name": "b", "stream": True}]}
    speaker.next("<script>let x = 1 < 2;</script><b>bold</b><img src=x onerror=y>")
    await game.say("Hack me")
    turn = await game.turn()
    closed = [(m["tag"], m["text"]) for m in turn if m["type"] == "agent_tag_close"]
    assert closed == [("script", "let x = 1 < 2;"), ("b", "bold")]


@pytest.mark.parametrize("size", [1 << 20, 2 << 20])
async def test_a_message_over_the_limit_ends_the_connection(tavern, size):
    async with tavern.game() as game:
        await game.raw('{"type": "ping", "pad": "' + "x" * size + '"}')
        refused = await game.until("error")
        assert (refused["code"], refused["fatal"]) == ("too_large", True)
        await game.line.wait_closed()
        assert game.line.close_code == 1009


async def test_a_snapshot_of_900_kib_is_taken(game, speaker):
    game.extra = {"prompt_parts": [{"id": f"p{n}", "role": "system", "text": "lore " * 2000} for n in range(90)]}
    speaker.next("<say>So much to read.</say>")
    await game.say("Hello")
    assert (await game.turn())[-1]["stop_reason"] == "end"


async def test_values_of_any_shape_in_the_state(game, speaker):
    deep = "end"
    for _ in range(200):
        deep = {"in": [deep]}
    game.extra = {
        "state": {
            "health": {"hp": 12.0, "max": 20.0}, "location": 7, "time": None, "nearby": [None, 3.5, {"x": 1}],
            "inventory": ["lamp", {"name": "rope", "count": 2}], "quest_flags": {"a": True}, "extra": deep,
        }
    }  # fmt: skip
    speaker.next("<say>Odd.</say>")
    await game.event("mara", "custom", data=deep, game_time=12.5, location={"x": 1})
    assert (await game.turn())[-1]["stop_reason"] == "end"


async def test_control_characters_and_odd_unicode(game, speaker):
    game.specs["mara"] = {"name": "Ma\u0000ra\u202e", "persona": "\u0007 bell", "goals": ["\u0000"]}
    speaker.next("<say>\u200bHm.\u0000</say>")
    await game.say("Hello\u0000 \ud83d\ude00 \u202e")
    turn = await game.turn()
    await game.report(turn)
    await game.settle()
    assert "error" not in [m["type"] for m in game.log]
