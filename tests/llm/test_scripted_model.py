"""The model for tests: what it was told, in order, no more and no less."""

import contextlib

import pytest

from talekeeper.errors import ModelDown
from talekeeper.llm.model import Delta, Message, ModelRequest, ToolCall
from talekeeper.testing.scripted_model import Reply, ScriptedModel, UnexpectedCall

REQUEST = ModelRequest(messages=(Message("system", "You narrate."), Message("user", "I open the door.")))


async def test_replies_come_in_order_and_requests_are_kept() -> None:
    with ScriptedModel("It opens.", Reply(tool_calls=(ToolCall("1", "creak", "{}"),))) as model:
        assert [delta.text async for delta in model.stream(REQUEST)] == ["It o", "pens", ".", ""]
        assert (await model.complete(REQUEST)).tool_calls == (ToolCall("1", "creak", "{}"),)
        assert model.requests == [REQUEST, REQUEST]


async def test_a_reply_may_be_a_failure_after_some_words() -> None:
    with ScriptedModel(Reply(text="It", error=ModelDown("down"))) as model:
        deltas = model.stream(REQUEST)
        assert await anext(deltas) == Delta("It")
        with pytest.raises(ModelDown):
            await anext(deltas)


async def test_a_call_too_many_fails_and_shows_itself() -> None:
    with pytest.raises(UnexpectedCall, match="user: I open the door"):
        await ScriptedModel().complete(REQUEST)


async def test_a_call_too_many_cannot_be_swallowed() -> None:
    model = ScriptedModel()
    with contextlib.suppress(Exception):
        await model.complete(REQUEST)
    with pytest.raises(AssertionError, match="asked 1 times more"):
        model.check()


def test_replies_nobody_asked_for_are_reported() -> None:
    with pytest.raises(AssertionError, match=r"never asked for: \['It opens\.'\]"), ScriptedModel("It opens."):
        pass


def test_another_failure_is_not_covered_up() -> None:
    with pytest.raises(ZeroDivisionError), ScriptedModel("It opens."):
        raise ZeroDivisionError
