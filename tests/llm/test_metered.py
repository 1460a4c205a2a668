"""Every call leaves a record: for the audit, and for the metrics."""

import asyncio
from contextlib import aclosing

import pytest

from talekeeper.errors import ModelDown
from talekeeper.llm.metered import MeteredModel, ModelCall, context_hash
from talekeeper.llm.model import Message, ModelRequest, Tool, Usage
from talekeeper.testing.scripted_model import Reply, ScriptedModel, UnexpectedCall

REQUEST = ModelRequest(messages=(Message("user", "I open the door."),))


class Meter:
    """A model under a meter whose clock moves one second at each look."""

    def __init__(self, *replies: str | Reply) -> None:
        self.calls: list[ModelCall] = []
        self._now = 0.0
        self.model = MeteredModel(ScriptedModel(*replies, name="tiny"), "narrator", self.calls.append, self._tick)

    def _tick(self) -> float:
        self._now += 1.0
        return self._now


async def test_a_call_that_went_well() -> None:
    meter = Meter(Reply(text="The door opens.", usage=Usage(100, 4)))
    await meter.model.complete(REQUEST)
    assert meter.calls == [
        ModelCall(
            role="narrator",
            model="tiny",
            context_hash=context_hash(REQUEST),
            usage=Usage(100, 4),
            latency=2.0,
            first_token=1.0,
            finish_reason="stop",
        )
    ]


async def test_a_call_that_failed() -> None:
    meter = Meter(Reply(error=ModelDown("down")))
    with pytest.raises(ModelDown):
        await meter.model.complete(REQUEST)
    (call,) = meter.calls
    assert (call.error, call.first_token, call.finish_reason) == ("model_down", None, "")
    assert call.usage.estimated
    assert call.usage.tokens_out == 0


async def test_a_call_that_was_stopped_has_its_cost_estimated() -> None:
    meter = Meter(Reply(text="Once upon a time", piece=9, pause=asyncio.Event()))
    async with aclosing(meter.model.stream(REQUEST)) as deltas:
        await anext(deltas)
    (call,) = meter.calls
    assert (call.error, call.finish_reason) == ("stopped", "")
    assert call.usage.estimated
    assert (call.usage.tokens_in > 0, call.usage.tokens_out) == (True, 2)


async def test_a_call_that_was_cancelled() -> None:
    meter = Meter(Reply(text="Once", pause=asyncio.Event()))
    asking = asyncio.create_task(meter.model.complete(REQUEST))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert [call.error for call in meter.calls] == ["stopped"]


async def test_a_bug_behind_the_model_is_recorded_too() -> None:
    meter = Meter()
    with pytest.raises(UnexpectedCall):
        await meter.model.complete(REQUEST)
    assert [call.error for call in meter.calls] == ["UnexpectedCall"]


def test_the_hash_names_the_context_and_nothing_else() -> None:
    def request(text: str = "Well?", **more: object) -> ModelRequest:
        return ModelRequest(messages=(Message("user", text),), **more)  # type: ignore[arg-type]

    assert context_hash(request()) == context_hash(request(temperature=0.1, max_tokens=5))
    others = [request("Well!"), request(tools=(Tool("f", "", {}),)), request(json_schema={"type": "object"})]
    assert len({context_hash(other) for other in [request(), *others]}) == 4
