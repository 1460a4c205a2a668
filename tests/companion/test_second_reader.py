"""The second half of the style gate: a model's word on what the rules let pass, and what happens when it has none."""

from __future__ import annotations

import asyncio

import pytest

from talekeeper.agents.companion.context import StreamContext
from talekeeper.agents.companion.hearthkeeper import observe
from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.policy import Decision
from talekeeper.agents.companion.second_reader import SecondReader
from talekeeper.agents.companion.steward import Command, answer, disclosure
from talekeeper.errors import ModelDown
from talekeeper.testing.scripted_model import Reply, ScriptedModel

QUIET = Decision(True, "inactive_chat", ("Nobody has written for 15 minutes.",), 0.0)
CALM = "A stair of two hundred steps teaches a keeper to think slowly."
FITS = '{"fits": true, "reason": ""}'


def against(reason: str) -> str:
    return f'{{"fits": false, "reason": "{reason}"}}'


async def test_what_fits_passes() -> None:
    with ScriptedModel(FITS) as model:
        assert await SecondReader(model).misgivings(CALM) == ()
    assert CALM in model.requests[0].messages[-1].content
    assert model.requests[0].json_schema is not None


async def test_what_does_not_fit_is_told_to_the_operator() -> None:
    with ScriptedModel(against("It flatters.")) as model:
        assert await SecondReader(model).misgivings(CALM) == ("It flatters.",)


@pytest.mark.parametrize("reason", ["", "x" * 5000, "a\\u202eb\\nc"])
async def test_its_reasons_are_only_words(reason: str) -> None:
    with ScriptedModel(against(reason)) as model:
        (said,) = await SecondReader(model).misgivings(CALM) or ()
    assert 0 < len(said) <= 200
    assert "\n" not in said
    assert "\u202e" not in said


async def test_words_around_the_answer_are_overlooked() -> None:
    with ScriptedModel(f"Sure! ```json\n{FITS}\n```") as model:
        assert await SecondReader(model).misgivings(CALM) == ()


@pytest.mark.parametrize(
    "reply", ["", "yes", "{", '{"fits": "maybe"}', "[]", Reply(error=ModelDown("gone")), Reply(pause=asyncio.Event())]
)
async def test_no_answer_is_no_opinion(reply: str | Reply) -> None:
    reader = SecondReader(ScriptedModel(reply), patience=0.05)
    assert await reader.misgivings(CALM) is None


async def test_a_line_with_misgivings_is_written_anew(stream: StreamContext) -> None:
    with (
        ScriptedModel("Such wonderful company tonight.", CALM) as writer,
        ScriptedModel(against("It flatters."), FITS) as reader,
    ):
        said = await observe(stream, QUIET, writer, SecondReader(reader))
    assert said is not None
    assert said.text == CALM
    assert "It flatters." in writer.requests[1].messages[-1].content


async def test_what_the_rules_refuse_is_not_read_twice(stream: StreamContext) -> None:
    with ScriptedModel("FOLLOW NOW!!!", CALM) as writer, ScriptedModel(FITS) as reader:
        said = await observe(stream, QUIET, writer, SecondReader(reader))
    assert said is not None
    assert said.text == CALM


@pytest.mark.parametrize("reply", [Reply(error=ModelDown("gone")), "no idea"])
async def test_unread_lines_of_a_model_stay_unsaid(stream: StreamContext, reply: str | Reply) -> None:
    with ScriptedModel(CALM) as writer, ScriptedModel(reply) as reader:
        said = await observe(stream, QUIET, writer, SecondReader(reader))
    assert said is not None
    assert (said.text != CALM, said.by) == (True, "rules")


async def test_a_stewards_answer_is_read_too(stream: StreamContext) -> None:
    asked = Command("mention", "why did they keep the log in pencil?")
    line = ChatLine("1", "mara", asked.argument, 0.0)
    with (
        ScriptedModel("Ink froze.", "Pencil stays when the page gets wet.") as writer,
        ScriptedModel(against("It is made up."), FITS) as reader,
    ):
        said = await answer(asked, line, stream, writer, SecondReader(reader))
    assert said == "Pencil stays when the page gets wet."


async def test_nobody_can_keep_it_from_saying_what_it_is(stream: StreamContext) -> None:
    with ScriptedModel() as writer, ScriptedModel() as reader:
        said = await answer(
            Command("chronicler"), ChatLine("1", "mara", "!chronicler", 0.0), stream, writer, SecondReader(reader)
        )
    assert said == disclosure(stream)
