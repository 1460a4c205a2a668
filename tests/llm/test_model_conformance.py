"""What every model does, whoever stands behind it."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing

import pytest

from talekeeper.errors import ModelDown
from talekeeper.llm.model import Completion, Delta, Message, Model, ModelRequest, ToolCall, Usage
from talekeeper.testing.scripted_model import Reply

MakeModel = Callable[..., Model]

REQUEST = ModelRequest(messages=(Message("system", "You narrate."), Message("user", "I open the door.")))
TALE = "<narration>The door — “ajar” — opens.\n\nCold air. 🐉</narration>"


async def deltas_of(model: Model, request: ModelRequest = REQUEST) -> list[Delta]:
    return [delta async for delta in model.stream(request)]


async def test_a_stream_is_text_piece_by_piece_and_then_the_whole(make_model: MakeModel) -> None:
    *pieces, last = await deltas_of(make_model(Reply(text=TALE)))
    assert len(pieces) > 3
    assert all(piece.text and not piece.done for piece in pieces)
    assert "".join(piece.text for piece in pieces) == TALE
    assert last.done
    assert (last.text, last.done.text, last.done.finish_reason) == ("", TALE, "stop")


async def test_complete_gives_the_same_at_once(make_model: MakeModel) -> None:
    completion = await make_model(Reply(text=TALE)).complete(REQUEST)
    assert (completion.text, completion.finish_reason, completion.tool_calls) == (TALE, "stop", ())
    assert completion.model


async def test_the_cost_is_told_or_else_estimated(make_model: MakeModel) -> None:
    model = make_model(Reply(text="Yes.", usage=Usage(120, 7)), Reply(text="The door opens."))
    assert (await model.complete(REQUEST)).usage == Usage(120, 7)
    estimate = (await model.complete(REQUEST)).usage
    assert estimate.estimated
    assert estimate.tokens_in > 8
    assert estimate.tokens_out == 4


async def test_tool_calls_arrive_whole(make_model: MakeModel) -> None:
    calls = (ToolCall("call_a", "open_gate", '{"which": "north"}'), ToolCall("call_b", "ring_bell", "{}"))
    completion = await make_model(Reply(text="At once.", tool_calls=calls)).complete(REQUEST)
    assert (completion.text, completion.finish_reason) == ("At once.", "tool_calls")
    assert completion.tool_calls == calls


@pytest.mark.parametrize("reason", ["length", "content_filter"])
async def test_why_it_ended_is_told(make_model: MakeModel, reason: str) -> None:
    assert (await make_model(Reply(text="And then", finish_reason=reason)).complete(REQUEST)).finish_reason == reason


async def test_an_empty_answer_is_an_answer(make_model: MakeModel) -> None:
    (only,) = await deltas_of(make_model(Reply()))
    assert only.done
    assert only.done.text == ""


async def test_a_model_that_is_down_says_so(make_model: MakeModel) -> None:
    with pytest.raises(ModelDown, match="out of memory"):
        await make_model(Reply(error=ModelDown("out of memory"))).complete(REQUEST)


async def test_a_failure_in_the_middle_leaves_the_text_so_far(make_model: MakeModel) -> None:
    deltas = make_model(Reply(text="Once upon", error=ModelDown("out of memory"))).stream(REQUEST)
    assert [(await anext(deltas)).text for _ in range(3)] == ["Once", " upo", "n"]
    with pytest.raises(ModelDown, match="out of memory"):
        await anext(deltas)


async def test_closing_a_stream_ends_it(make_model: MakeModel) -> None:
    model = make_model(Reply(text="Once upon", pause=asyncio.Event()), Reply(text="Again."))
    async with aclosing(model.stream(REQUEST)) as deltas:
        assert (await anext(deltas)).text == "Once"
    assert [delta async for delta in deltas] == []
    assert (await model.complete(REQUEST)).text == "Again."


async def test_cancelling_the_reader_ends_the_call(make_model: MakeModel) -> None:
    model = make_model(Reply(text="Once", pause=asyncio.Event()), Reply(text="Again."))
    begun = asyncio.Event()

    async def read() -> None:
        async for _ in model.stream(REQUEST):
            begun.set()

    reader = asyncio.create_task(read())
    await begun.wait()
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    assert (await model.complete(REQUEST)).text == "Again."


async def test_several_calls_at_once_do_not_mix(make_model: MakeModel) -> None:
    texts = [f"answer {number} " * 20 for number in range(8)]
    model = make_model(*(Reply(text=text) for text in texts))
    answers: list[Completion] = await asyncio.gather(*(model.complete(REQUEST) for _ in texts))
    assert sorted(answer.text for answer in answers) == texts


async def test_it_has_a_name_and_can_be_closed_twice(make_model: MakeModel) -> None:
    model = make_model()
    assert model.name
    await model.close()
    await model.close()
