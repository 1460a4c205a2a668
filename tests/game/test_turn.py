"""One NPC turn, from the player's words to its end, over a real socket."""

from __future__ import annotations

import asyncio

import pytest

from talekeeper.errors import ModelDown


def closed(turn):
    return [(m["tag"], m["text"], m["reason"]) for m in turn if m["type"] == "agent_tag_close"]


async def test_a_turn_is_streamed_as_tags(game, speaker):
    speaker.next("<say>Good ", "even", "ing, Ana.</say><emote>", "smiles</emote>")
    event = await game.say("Good evening!")
    asked = await game.until("get_agent_state")
    assert (asked["agent_id"], asked["event_id"]) == ("mara", event)
    turn = await game.turn()
    assert [m["seq"] for m in turn] == list(range(len(turn)))
    assert turn[0]["type"] == "agent_turn_started"
    assert (turn[0]["event_id"], turn[0]["trigger"], turn[0]["model"]) == (event, "interaction", "scripted")
    assert closed(turn) == [("say", "Good evening, Ana.", "closed"), ("emote", "smiles", "closed")]
    chunks = "".join(m["text"] for m in turn if m["type"] == "agent_tag_chunk" and m["tag"] == "say")
    assert chunks == "Good evening, Ana."
    end = turn[-1]
    assert (end["type"], end["stop_reason"]) == ("agent_turn_finished", "end")
    assert end["usage"] == {"tokens_in": 10, "tokens_out": 20, "estimated": False}
    assert end["timing"]["total_ms"] >= end["timing"]["state_ms"] > 0
    assert all(m["id"] for m in turn)


async def test_the_speaker_is_given_the_sheet_of_the_game(game, speaker):
    game.extra = {
        "state": {"mood": "busy", "location": {"id": "tap", "name": "the taproom"}, "nearby": ["Tom", {"name": "Ida"}]},
        "prompt_parts": [{"id": "house", "role": "system", "text": "It rains.", "priority": 2.0}],
    }
    script = speaker.next("<say>Yes?</say>")
    await game.say("Hello")
    await game.turn()
    told = script.performance
    assert told.sheet.spec.name == "Mara"
    assert told.sheet.spec.goals == ("find out who waters the ale",)
    assert told.sheet.state.mood == "busy"
    assert told.sheet.parts[0].text == "It rains."
    assert told.stimulus.text == "Hello"
    assert [tag.name for tag in told.sheet.tags] == ["say", "emote", "action"]


async def test_a_tag_that_is_not_streamed_comes_whole_at_its_close(game, speaker):
    game.extra = {"tags": [{"name": "say", "stream": True}, {"name": "price", "stream": False}]}
    speaker.next("<say>Four.</say><price>", "4 ", "coppers</price>")
    await game.say("How much?")
    turn = await game.turn()
    assert [m["tag"] for m in turn if m["type"] == "agent_tag_chunk"] == ["say"]
    assert closed(turn)[-1] == ("price", "4 coppers", "closed")


async def test_attributes_are_what_the_game_declared(game, speaker):
    attrs = {
        "item": {"type": "string", "required": True},
        "count": {"type": "integer"},
        "tone": {"enum": ["Kind", "rude"]},
        "free": {"type": "boolean"},
    }
    game.extra = {"tags": [{"name": "give", "stream": False, "attrs": attrs}, {"name": "say", "stream": True}]}
    speaker.next(
        '<give item="ale" count="2" tone="KIND" free="yes" onclick="evil()"/><give item="x" count="two" tone="odd"/>'
    )
    await game.say("Two ales")
    opened = [m for m in await game.turn() if m["type"] == "agent_tag_open"]
    assert opened[0]["attrs"] == {"item": "ale", "count": 2, "tone": "Kind", "free": True}
    assert opened[0]["self_closing"] is True
    assert opened[1]["attrs"] == {"item": "x"}


async def test_nested_tags_name_their_parent(game, speaker):
    speaker.next("<say>Well <emote>laughs</emote>, no.</say>")
    await game.say("Really?")
    turn = await game.turn()
    say, emote = (m for m in turn if m["type"] == "agent_tag_open")
    assert say["parent_id"] is None
    assert emote["parent_id"] == say["tag_id"]
    assert closed(turn) == [("emote", "laughs", "closed"), ("say", "Well , no.", "closed")]


async def test_what_stands_outside_every_tag_is_told_at_the_end(game, speaker):
    speaker.next("Sure! Here it is:\n<say>Hello.</say> Hope that helps")
    await game.say("Hello")
    end = (await game.turn())[-1]
    assert end["untagged_text"] == "Sure! Here it is:\n Hope that helps"


async def test_untagged_text_is_spoken_where_the_setting_says_so(open_tavern, speaker):
    async with open_tavern(speaker, speak_untagged=True) as tavern, tavern.game() as game:
        speaker.next("I have <emote>nods</emote>few tags.")
        await game.say("Hello")
        turn = await game.turn()
        told = [(tag, text) for tag, text, _ in closed(turn)]
        assert told == [("say", "I have "), ("emote", "nods"), ("say", "few tags.")]


async def test_an_answer_without_any_tag_is_spoken_anyway(game, speaker):
    speaker.next("I have no ", "tags at all.")
    await game.say("Hello")
    turn = await game.turn()
    assert closed(turn) == [("say", "I have no tags at all.", "closed")]
    assert "untagged_text" not in turn[-1]


async def test_thoughts_never_leave_the_server(game, speaker):
    speaker.next("<think>She lies.</think><say>Of course.</say><thinking>unclosed secret")
    await game.say("Do you believe me?")
    turn = await game.turn()
    assert closed(turn) == [("say", "Of course.", "closed")]
    assert "lies" not in str(turn)
    assert "secret" not in str(turn)


async def test_too_many_tags_end_the_turn(game, speaker):
    game.extra = {"limits": {"max_tags": 2.0}}
    script = speaker.next("<say>1</say><say>2</say><say>3</say>", "<say>4</say>")
    await game.say("Count")
    turn = await game.turn()
    assert [text for _, text, _ in closed(turn)] == ["1", "2"]
    assert turn[-1]["stop_reason"] == "length"
    assert script.closed.is_set()


async def test_a_tag_longer_than_declared_is_cut(game, speaker):
    game.extra = {"tags": [{"name": "say", "stream": True, "max_chars": 5}]}
    speaker.next("<say>Hello there, Ana</say>")
    await game.say("Hi")
    assert closed(await game.turn()) == [("say", "Hello", "limit")]


@pytest.mark.parametrize(
    ("failure", "code"), [(ModelDown("The model is away.", "Wait."), "llm_error"), (ValueError("odd"), "llm_error")]
)
async def test_a_model_that_fails_closes_its_tags_and_says_so(game, speaker, failure, code):
    speaker.next("<say>I was go", failure)
    await game.say("Go on")
    turn = await game.turn()
    kinds = [m["type"] for m in turn]
    assert kinds[-3:] == ["agent_tag_close", "error", "agent_turn_finished"]
    assert turn[-2]["code"] == code
    assert turn[-2]["fatal"] is False
    assert turn[-1]["stop_reason"] == "error"
    assert closed(turn) == [("say", "I was go", "eof")]
    speaker.next("<say>Again.</say>")
    await game.say("And now?")
    assert closed(await game.turn()) == [("say", "Again.", "closed")]


async def test_a_model_that_says_nothing_is_given_up(open_tavern, speaker, limits):
    async with open_tavern(speaker, limits=limits(first_word_seconds=0.05)) as tavern, tavern.game() as game:
        script = speaker.next(asyncio.Event())
        await game.say("Hello?")
        turn = await game.turn()
        assert [m["type"] for m in turn] == ["agent_turn_started", "error", "agent_turn_finished"]
        assert turn[1]["code"] == "llm_timeout"
        assert script.closed.is_set()


async def test_a_turn_that_takes_longer_than_the_game_wants_is_interrupted(game, speaker):
    game.extra = {"limits": {"timeout_ms": 50}}
    speaker.next("<say>Well, it is like this", asyncio.Event())
    await game.say("Quickly!")
    turn = await game.turn()
    assert turn[-1]["reason"] == "timeout"
    assert closed(turn)[0][2] == "interrupted"


async def test_two_agents_speak_at_once(game, speaker):
    let_tom_go = asyncio.Event()
    speaker.next("<say>Tom here", let_tom_go, ".</say>")
    await game.say("Tom?", "tom")
    await game.until("agent_tag_chunk")
    speaker.next("<say>Mara here.</say>")
    await game.say("Mara?", "mara")
    mara = await game.turn(agent_id="mara")
    assert closed(mara) == [("say", "Mara here.", "closed")]
    let_tom_go.set()
    await game.until("agent_turn_finished", where=lambda m: m["agent_id"] == "tom")
    tom = [m for m in game.log if m["type"] == "agent_tag_close" and m["agent_id"] == "tom"]
    assert tom[0]["text"] == "Tom here."


async def test_many_small_pieces_are_gathered_but_the_first_is_not(game, speaker):
    speaker.next("<say>", *("word " for _ in range(400)), "</say>")
    await game.say("Talk")
    turn = await game.turn()
    chunks = [m["text"] for m in turn if m["type"] == "agent_tag_chunk"]
    assert "".join(chunks) == "word " * 400
    assert len(chunks) < 100
    assert [m["seq"] for m in turn] == list(range(len(turn)))


async def test_a_character_cut_in_two_by_the_service_is_put_together(game, speaker):
    speaker.next("<say>Fine \ud83d", "\ude00 and ", "\ud83d", "odd\udc00</say>")
    await game.say("How are you?")
    assert closed(await game.turn()) == [("say", "Fine \U0001f600 and \ufffdodd\ufffd", "closed")]
