"""A model as a teller, through the real loop."""

from __future__ import annotations

from talekeeper.agents.model_teller import ModelTeller
from talekeeper.llm.model import ModelRequest
from talekeeper.loops.frames import TagChunk, TagOpen, TurnEnded, TurnRestarted
from talekeeper.loops.intents import Act, Stop
from talekeeper.testing.house import WORLD


def prose_of(frames: list[object]) -> str:
    return "".join(frame.text for frame in frames if isinstance(frame, TagChunk))


async def test_a_turn_is_told_and_the_one_who_was_cued_answers(table) -> None:
    def reply(request: ModelRequest) -> str:
        if request.messages[0].content.startswith("You give"):
            return '<say who="person/dorcas">Ask me when the till is shut.</say><do>She turned the register.</do>'
        return '<narration>You put the question.</narration><cue who="person/dorcas" about="father"/>'

    table.model.reply = reply
    frames = await table.act("ask Dorcas about my father")
    assert isinstance(frames[-1], TurnEnded)
    assert frames[-1].state == "done"
    assert [(f.tag, f.attrs) for f in frames if isinstance(f, TagOpen)] == [
        ("narration", {}), ("say", {"who": "person/dorcas"}), ("do", {"who": "person/dorcas"}),
    ]  # fmt: skip
    spoken = (await table.events("line.spoken"))[-1]
    assert (spoken.by, spoken.body.text) == ("person/dorcas", "Ask me when the till is shut.")


async def test_a_model_that_forgets_its_tags_is_read_as_narration_and_answer(table) -> None:
    table.model.reply = lambda request: "Plain words, no tags at all."
    frames = await table.act("ask Nan about the graves")
    told = await table.events("narration.told", "line.spoken")
    assert [(event.kind, event.by) for event in told[-2:]] == [
        ("narration.told", "narrator"),
        ("line.spoken", "person/nan"),
    ]
    assert frames[-1].state == "done"


async def test_names_are_as_good_as_ids_and_written_lines_become_cues(table) -> None:
    def reply(request: ModelRequest) -> str:
        if request.messages[0].content.startswith("You give"):
            return "<say>In my own words.</say>"
        return '<narration>You look about.</narration><cue who="Nan Orchard"/><say who="Dorcas">In yours.</say>'

    table.model.reply = reply
    await table.act("look around")
    spoken = await table.events("line.spoken")
    assert [(event.by, event.body.text) for event in spoken] == [
        ("person/nan", "In my own words."), ("person/dorcas", "In my own words."),
    ]  # fmt: skip


async def test_thinking_aloud_is_not_told(table) -> None:
    table.model.reply = lambda request: "<think>They want a crow.</think><narration>A crow came down.</narration>"
    frames = await table.act("look up")
    assert prose_of(frames) == "A crow came down."


async def test_a_model_that_says_nothing_twice_is_replaced_for_the_turn(table) -> None:
    table.model.reply = lambda request: "<think>...</think>  "
    frames = await table.act("look around")
    assert frames[-1].state == "done"
    assert sum(isinstance(frame, TurnRestarted) for frame in frames) == 2
    told = (await table.events("narration.told"))[-1]
    assert told.body.teller == "storyteller"
    assert told.body.text
    assert [event.body.guard for event in await table.events("guard.acted")] == ["silence", "silence"]


async def test_a_model_that_repeats_itself_is_cut_short(table) -> None:
    table.model.reply = lambda request: "<narration>A bell. " + "The village was filled. " * 50
    frames = await table.act("look around")
    assert frames[-1].state == "done"
    assert prose_of(frames).count("filled") <= 5
    assert table.model.cut_off == 1


async def test_stopping_ends_the_call_and_keeps_what_was_told(table) -> None:
    table.model.hangs = True
    running = await table.engine.scenes.act(Act(world=WORLD, text="wait"))
    await table.model.hanging.wait()
    assert await table.engine.scenes.stop(Stop(world=WORLD))
    assert running.result.state == "interrupted"
    assert table.model.cut_off == 1
    told = (await table.events("narration.told"))[-1]
    assert told.body.text.startswith("A quiet")


def test_the_name_says_who_tells_and_who_speaks(table) -> None:
    big, small = (type(table.model)(table.model.reply, name) for name in ("openai big", "openai small"))
    assert ModelTeller(big).name == "openai big"
    assert ModelTeller(big, small).name == "openai big (voices: openai small)"
