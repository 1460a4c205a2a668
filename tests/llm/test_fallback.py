"""A second model answers when the first does not."""

import pytest

from talekeeper.errors import BadInput, ModelDown, NotConfigured
from talekeeper.llm.fallback import FallbackModel
from talekeeper.llm.model import Message, ModelRequest
from talekeeper.testing.scripted_model import Reply, ScriptedModel

REQUEST = ModelRequest(messages=(Message("user", "Well?"),))


async def test_the_second_is_not_bothered_while_the_first_answers() -> None:
    with ScriptedModel("First.", name="big") as first, ScriptedModel(name="small") as second:
        model = FallbackModel(first, second)
        assert (await model.complete(REQUEST)).text == "First."
        assert model.name == "big"


@pytest.mark.parametrize("error", [ModelDown("down"), NotConfigured("no key")])
async def test_the_second_gets_the_same_request_when_the_first_says_nothing(error: ModelDown) -> None:
    with ScriptedModel(Reply(error=error), name="big") as first, ScriptedModel("Second.", name="small") as second:
        completion = await FallbackModel(first, second).complete(REQUEST)
        assert (completion.text, completion.model) == ("Second.", "small")
        assert second.requests == [REQUEST]


async def test_a_begun_answer_is_not_finished_by_another() -> None:
    first, second = ScriptedModel(Reply(text="Once", error=ModelDown("down"))), ScriptedModel()
    with first, second, pytest.raises(ModelDown, match="down"):
        await FallbackModel(first, second).complete(REQUEST)


async def test_what_is_wrong_with_the_request_is_wrong_for_both() -> None:
    first, second = ScriptedModel(Reply(error=BadInput("no"))), ScriptedModel()
    with first, second, pytest.raises(BadInput, match="no"):
        await FallbackModel(first, second).complete(REQUEST)


async def test_when_both_fail_the_second_failure_is_told() -> None:
    first, second = ScriptedModel(Reply(error=ModelDown("one"))), ScriptedModel(Reply(error=ModelDown("two")))
    with first, second, pytest.raises(ModelDown, match="two"):
        await FallbackModel(first, second).complete(REQUEST)
