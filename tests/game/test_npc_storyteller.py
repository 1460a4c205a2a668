"""NPCs without a model: in the game's own tags, in character, remembering, never twice the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.agents.npc.casting import cast
from talekeeper.agents.npc.hearing import remark
from talekeeper.agents.npc.performance import Exchange, Performance, Said, ToolUse
from talekeeper.agents.npc.sheet import DEFAULT_TAGS, Attr, Sheet, Spec, TagDeclaration, ToolDeclaration, TurnLimits
from talekeeper.agents.npc.stimulus import Source, Stimulus
from talekeeper.agents.npc.storyteller import NpcStoryteller
from talekeeper.agents.npc.storyteller.answer import answer
from talekeeper.llm.model import ToolCall
from talekeeper.llm.tags import TagClose, TagParser

ANA = Source("ana", "Ana")
MARA = Spec(
    "Mara",
    "innkeeper",
    goals=("find out who waters the ale",),
    knowledge=("The north road is closed since the flood.", "The miller owes everybody money."),
)


def performance(text="Hello", *, kind="player_said", spec=MARA, tags=DEFAULT_TAGS, seed=1, **more):
    sheet = Sheet(
        spec=spec, tags=tags, tools=more.pop("tools", ()), limits=more.pop("limits", TurnLimits()),
    )  # fmt: skip
    stimulus = Stimulus(kind, more.pop("source", ANA), text, more.pop("data", None))
    return Performance(entity="person/mara", sheet=sheet, stimulus=stimulus, seed=seed, **more)


def speech(told):
    return " ".join(said.text for said in answer(told) if said.tag == "say")


async def stream(told):
    text, done = "", None
    async for delta in NpcStoryteller().speak(told).deltas:
        text += delta.text
        done = delta.done or done
    return text, done


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Hello there", "greeting"), ("Good evening, Mara!", "greeting"),
        ("Hello, it is me again", "greeting"), ("Hello, where is the mill?", "question"),
        ("Who are you?", "name"), ("Do you know the miller?", "question"), ("Any work for me?", "quest"),
        ("I'm sorry about that", "apology"), ("Thank you kindly", "thanks"), ("You old fool", "insult"),
        ("I'll kill you", "threat"), ("Give me an ale", "request"), ("Could you open the door", "request"),
        ("Goodbye now", "farewell"), ("Yes, of course", "agreement"), ("No, never", "refusal"),
        ("The sea is rough today", "statement"), ("What do you think of him?", "opinion"), ("Are you all right?", "wellbeing"),
    ],
)  # fmt: skip
def test_what_kind_of_remark_it_was(said, kind):
    assert remark(Stimulus("player_said", ANA, said)) == kind


def test_a_question_is_answered_from_what_the_npc_knows():
    assert "north road is closed since the flood" in speech(performance("What happened to the north road?"))
    assert "owes everybody money" in speech(performance("Tell me about the miller"))


def test_what_the_npc_does_not_know_it_does_not_tell():
    said = speech(performance("Where is the dragon's hoard?"))
    assert "north road" not in said
    assert "miller" not in said
    assert said


def test_it_says_what_it_wants_when_asked():
    assert "who waters the ale" in speech(performance("Can I help you?"))


def test_a_fact_told_before_is_told_as_such():
    before = Exchange("?", (Said("say", "All I know is this. The north road is closed since the flood."),))
    told = performance("What about the north road?", history=(before,))
    assert speech(told) != speech(performance("What about the north road?"))


def test_the_same_words_do_not_come_twice_in_a_row():
    history, said = (), []
    for turn in range(6):
        words = speech(performance("Hello", seed=turn, history=history))
        said.append(words)
        history = (*history, Exchange("Hello", (Said("say", words),)))
    assert len(set(said)) == len(said)


def test_the_same_seed_gives_the_same_answer():
    assert answer(performance(seed=5)) == answer(performance(seed=5))
    assert len({str(answer(performance(seed=seed))) for seed in range(20)}) > 5


def test_a_cross_npc_shows_it_and_an_apology_is_heard():
    again = speech(performance("Hello", mood="annoyed", met_before=True))
    assert again not in {speech(performance("Hello", seed=1))}
    cut = Exchange("?", (Said("say", "Once upon"),), cut_short=True)
    once = speech(performance("A beer!", mood="annoyed", history=(cut,)))
    assert any(word in once for word in ("talking", "finish", "wait", "saying"))
    again = speech(performance("A beer!", mood="annoyed", history=(cut, cut)))
    assert any(word in again for word in ("again", "finish", "sentence", "twice"))


def test_it_tells_what_it_noticed_when_asked_what_that_was():
    assert "bell rang" in speech(performance("What was that?", noticed=("The bell rang.",)))


def test_it_quotes_what_it_remembers():
    told = [
        speech(performance("Hello", seed=s, met_before=True, remembers=("Ana: My horse is called Thunderhoof",)))
        for s in range(10)
    ]
    assert any("Thunderhoof" in words for words in told)


def test_it_speaks_in_the_tags_the_game_declared():
    face = TagDeclaration(
        "face", False, "facial expression", attrs={"mood": Attr(enum=("happy", "angry"), required=True)}
    )
    tags = (face, TagDeclaration("bark", True, "a spoken line"))
    told = answer(performance("You fool!", tags=tags, attitude="hostile"))
    assert {said.tag for said in told} <= {"face", "bark"}
    assert any(said.tag == "bark" and said.text for said in told)
    looks = [
        said
        for seed in range(20)
        for said in answer(performance("You fool!", tags=tags, attitude="hostile", seed=seed))
    ]
    assert {said.attrs["mood"] for said in looks if said.tag == "face"} == {"angry"}


def test_a_tag_of_the_games_own_is_used_when_it_is_asked_for():
    tags = (
        *DEFAULT_TAGS,
        TagDeclaration("open_shop", False, attrs={"kind": Attr(enum=("food", "arms"), required=True)}),
    )
    told = answer(performance("Please open the shop for food", tags=tags))
    assert told[-1] == Said("open_shop", "", {"kind": "food"})
    assert not [said for said in answer(performance("Hello", tags=tags)) if said.tag == "open_shop"]


def test_with_one_odd_tag_that_tag_speaks():
    assert cast((TagDeclaration("blorp", True),)) == {"blorp": "speech"}
    assert answer(performance("Hello", tags=(TagDeclaration("blorp", True),)))[0].tag == "blorp"


async def test_a_tool_is_called_when_it_is_asked_for_and_its_result_is_told():
    stock = ToolDeclaration("check_stock", "What is in the cellar", {"properties": {"item": {"type": "string"}}})
    text, done = await stream(performance("Check the stock of ale", tools=(stock,)))
    assert (text, done.finish_reason) == ("", "tool_calls")
    assert (done.tool_calls[0].name, done.tool_calls[0].arguments) == ("check_stock", '{"item":"ale"}')
    use = ToolUse(ToolCall("c1", "check_stock", "{}"), True, "two barrels of ale")
    text, _ = await stream(performance("Check the stock of ale", tools=(stock,), continues=(use,)))
    assert "wo barrels of ale" in text
    _, done = await stream(performance("Check the stock", tools=(stock,), may_call_tools=False))
    assert done.finish_reason == "stop"


async def test_it_keeps_to_the_length_it_is_given():
    _, done = await stream(performance("What about the north road?", limits=TurnLimits(max_output_tokens=5)))
    assert done.finish_reason == "length"


async def test_it_speaks_at_the_pace_it_is_given():
    pauses = []

    async def sleep(seconds):
        pauses.append(seconds)

    async for _ in NpcStoryteller(pace=10, sleep=sleep).speak(performance()).deltas:
        pass
    assert pauses
    assert set(pauses) == {0.1}


@given(
    st.text(max_size=60),
    st.sampled_from(["player_said", "player_did", "approach", "leave", "gave_item", "attacked", "timer", "custom"]),
    st.sampled_from(["warm", "guarded", "hostile"]),
    st.sampled_from(["", "annoyed", "glad"]),
    st.integers(0, 2**32),
)
async def test_whatever_happens_it_answers_in_well_formed_tags(text, kind, attitude, mood, seed):
    told = performance(text, kind=kind, attitude=attitude, mood=mood, seed=seed, data={"item": "<say>lamp</say>"})
    written, _ = await stream(told)
    parser = TagParser([tag.key for tag in DEFAULT_TAGS])
    events = [*parser.feed(written), *parser.finish()]
    closes = [event for event in events if isinstance(event, TagClose)]
    assert closes
    assert all(event.reason == "closed" for event in closes)
    assert any(event.tag == "say" and event.text.strip() for event in closes)
