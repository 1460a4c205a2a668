"""The adapter against a service that speaks the real wire format, and speaks it badly."""

import asyncio
import itertools
import subprocess
import sys
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talekeeper.errors import ModelDown, NotConfigured, TalekeeperError
from talekeeper.llm import openai_compatible
from talekeeper.llm.model import Delta, Message, Model, ModelRequest, Tool, ToolCall, Usage
from talekeeper.llm.model_failures import Service
from talekeeper.llm.openai_compatible import OpenAICompatibleModel
from talekeeper.testing.chat_service import Answer, ChatService, chunk, failure, said, sse

Adapter = Callable[..., OpenAICompatibleModel]

REQUEST = ModelRequest(messages=(Message("user", "I open the door."),))
CALL = ToolCall("call_a", "open_gate", '{"which": "north"}')


async def text_of(model: Model, request: ModelRequest = REQUEST) -> str:
    return (await model.complete(request)).text


async def what_fails(model: Model, request: ModelRequest = REQUEST) -> TalekeeperError:
    with pytest.raises(TalekeeperError) as caught:
        await model.complete(request)
    return caught.value


async def first_delta_then_failure(model: Model) -> tuple[Delta, TalekeeperError]:
    async with aclosing(model.stream(REQUEST)) as deltas:
        first = await anext(deltas)
        with pytest.raises(TalekeeperError) as caught:
            await anext(deltas)
    return first, caught.value


class Naps:
    """Instead of sleeping: how long it would have been."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


# What is sent


async def test_a_request_on_the_wire(service: ChatService, adapter: Adapter) -> None:
    service.will(said("{}"))
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    await adapter().complete(
        ModelRequest(
            messages=(
                Message("user", "Open!"),
                Message("assistant", "", tool_calls=(CALL,)),
                Message("tool", "done", tool_call_id="call_a"),
            ),
            max_tokens=50,
            temperature=0.7,
            stop=("\n\n",),
            tools=(Tool("open_gate", "Opens it.", {"type": "object", "properties": {}}),),
            json_schema=schema,
        )
    )
    function = {"name": "open_gate", "arguments": '{"which": "north"}'}
    offered = {"name": "open_gate", "description": "Opens it.", "parameters": {"type": "object", "properties": {}}}
    assert service.bodies == [
        {
            "model": "tiny",
            "messages": [
                {"role": "user", "content": "Open!"},
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [{"id": "call_a", "type": "function", "function": function}],
                },
                {"role": "tool", "content": "done", "tool_call_id": "call_a"},
            ],
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": 50,
            "temperature": 0.7,
            "stop": ["\n\n"],
            "tools": [{"type": "function", "function": offered}],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": schema},
            },
        }
    ]
    assert service.headers[0]["Authorization"] == "Bearer k3y"


async def test_an_open_schema_is_not_sent_as_a_strict_one(service: ChatService, adapter: Adapter) -> None:
    service.will(said("{}"))
    optional = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    await adapter().complete(ModelRequest(messages=REQUEST.messages, json_schema=optional))
    assert service.bodies[0]["response_format"]["json_schema"]["strict"] is False


@pytest.mark.parametrize(
    ("refusal", "field", "instead"),
    [
        (
            failure(400, "Unsupported parameter: use 'max_completion_tokens' instead.", param="max_tokens"),
            "max_tokens",
            {"max_completion_tokens": 9},
        ),
        (failure(400, "Only the default (1) value is supported.", param="temperature"), "temperature", {}),
        (failure(422, '[{"loc": ["body", "stream_options"], "msg": "Extra inputs"}]'), "stream_options", {}),
        (failure(400, "Unavailable", param="response_format.type"), "response_format", {}),
    ],
)
async def test_a_refused_field_is_left_out_from_then_on(
    service: ChatService, adapter: Adapter, refusal: Answer, field: str, instead: dict[str, Any]
) -> None:
    service.will(refusal, said("Well."), said("Again."))
    request = ModelRequest(messages=REQUEST.messages, max_tokens=9, temperature=0.5, json_schema={"type": "object"})
    model = adapter(attempts=1)
    assert await text_of(model, request) == "Well."
    assert await text_of(model, request) == "Again."
    refused, *after = service.bodies
    assert after == [{name: value for name, value in refused.items() if name != field} | instead] * 2


# What comes back


BODY = sse(
    chunk("Ünd — “hier”: 🐉\u2028 "),
    chunk(tool_calls=[{"index": 0, "id": "x", "function": {"name": "f", "arguments": "{}"}}]),
    chunk("Ende"),
    chunk(finish="stop"),
)


async def test_a_stream_cut_between_all_its_bytes(service: ChatService, adapter: Adapter) -> None:
    service.will(Answer(pieces=tuple(bytes([byte]) for byte in BODY)))
    completion = await adapter().complete(REQUEST)
    assert completion.text == "Ünd — “hier”: 🐉\u2028 Ende"
    assert completion.tool_calls == (ToolCall("x", "f", "{}"),)


@settings(max_examples=25, deadline=None)
@given(cuts=st.sets(st.integers(1, len(BODY) - 1), max_size=20))
def test_a_stream_cut_anywhere(cuts: set[int]) -> None:
    edges = [0, *sorted(cuts), len(BODY)]

    async def read() -> str:
        async with ChatService() as service:
            service.will(Answer(pieces=tuple(BODY[a:b] for a, b in itertools.pairwise(edges))))
            model = OpenAICompatibleModel(Service("acme", service.base_url, "tiny"))
            text = await text_of(model)
            await model.close()
            return text

    assert asyncio.run(read()) == "Ünd — “hier”: 🐉\u2028 Ende"


async def test_keep_alives_and_other_line_ends(service: ChatService, adapter: Adapter) -> None:
    body = b": waiting\r\n\r\nevent: message\r\n" + sse(chunk("Hi."), chunk(finish="stop")).replace(b"\n", b"\r\n")
    service.will(Answer(pieces=(body,)))
    assert await text_of(adapter()) == "Hi."


async def test_thoughts_in_fields_of_their_own_are_not_the_answer(service: ChatService, adapter: Adapter) -> None:
    service.will(
        Answer(
            pieces=(
                sse(
                    chunk(reasoning_content="SECRET plan", content=None),
                    chunk(reasoning="SECRET too"),
                    chunk(content=[{"type": "thinking", "thinking": "SECRET"}, {"type": "text", "text": "Good "}]),
                    chunk("evening."),
                    chunk(finish="stop"),
                ),
            )
        )
    )
    deltas = [delta async for delta in adapter().stream(REQUEST)]
    assert "".join(delta.text for delta in deltas) == "Good evening."
    assert "SECRET" not in repr(deltas)


@pytest.mark.parametrize(
    "pieces",
    [
        [
            {"index": 0, "id": "call_a", "type": "function", "function": {"name": "open_gate", "arguments": ""}},
            {"index": 0, "function": {"arguments": '{"which":'}},
            {"index": 0, "function": {"arguments": ' "north"}'}},
        ],
        [
            {"id": "call_a", "function": {"name": "open_gate", "arguments": '{"which": '}},
            {"function": {"arguments": '"north"}'}},
        ],
    ],
    ids=["in pieces", "without an index"],
)
async def test_tool_calls_as_services_send_them(
    service: ChatService, adapter: Adapter, pieces: list[dict[str, Any]]
) -> None:
    service.will(Answer(pieces=(sse(*(chunk(tool_calls=[piece]) for piece in pieces), chunk(finish="stop")),)))
    completion = await adapter().complete(REQUEST)
    assert completion.tool_calls == (CALL,)
    assert completion.finish_reason == "tool_calls"


async def test_two_tool_calls_without_index_id_or_quoting(service: ChatService, adapter: Adapter) -> None:
    calls = [{"id": "a", "function": {"name": "f", "arguments": {"n": 1}}}, {"id": "b", "function": {"name": "g"}}]
    service.will(Answer(pieces=(sse(chunk(tool_calls=calls), chunk(finish="function_call")),)))
    assert (await adapter().complete(REQUEST)).tool_calls == (ToolCall("a", "f", '{"n":1}'), ToolCall("b", "g", ""))


async def test_usage_told_along_the_way_counts_as_last_told(service: ChatService, adapter: Adapter) -> None:
    counted = [{"prompt_tokens": 9, "completion_tokens": n} for n in (1, 2)]
    service.will(
        Answer(pieces=(sse(chunk("a") | {"usage": counted[0]}, chunk(finish="length") | {"usage": counted[1]}),))
    )
    completion = await adapter().complete(REQUEST)
    assert (completion.usage, completion.finish_reason) == (Usage(9, 2), "length")


async def test_a_refusal_is_told_as_one(service: ChatService, adapter: Adapter) -> None:
    service.will(Answer(pieces=(sse(chunk(refusal="I cannot."), chunk(finish="stop")),)))
    completion = await adapter().complete(REQUEST)
    assert (completion.text, completion.finish_reason) == ("I cannot.", "content_filter")


# Trying again


async def test_busy_services_are_asked_again_when_they_said(service: ChatService, adapter: Adapter) -> None:
    service.will(failure(429, headers={"Retry-After": "7"}), failure(503), said("Well."))
    naps = Naps()
    assert await text_of(adapter(sleep=naps, jitter=lambda: 0.0, backoff=0.5)) == "Well."
    assert naps.taken == [7.0, 1.0]


async def test_retry_after_may_be_a_date(service: ChatService, adapter: Adapter) -> None:
    service.will(failure(503, headers={"Retry-After": "Wed, 21 Oct 2015 07:28:12 GMT"}), said("Well."))
    naps = Naps()
    assert await text_of(adapter(sleep=naps, clock=lambda: 1445412480.0)) == "Well."
    assert naps.taken == [12.0]


async def test_a_long_wait_is_reported_not_waited_for(service: ChatService, adapter: Adapter) -> None:
    service.will(failure(429, headers={"Retry-After": "3600"}))
    error = await what_fails(adapter())
    assert isinstance(error, ModelDown)
    assert (error.message, error.retry_after) == ("acme tiny has too many requests to answer.", 3600.0)


async def test_waits_grow_and_end(service: ChatService, adapter: Adapter) -> None:
    service.will(*[failure(500, "boom")] * 4)
    naps = Naps()
    error = await what_fails(adapter(sleep=naps, attempts=4, backoff=1.0, jitter=lambda: 1.0))
    assert naps.taken == [0.75, 1.5, 3.0]
    assert isinstance(error, ModelDown)
    assert "acme tiny failed (500)" in error.message
    assert "boom" in error.message


@pytest.mark.parametrize(
    "answer",
    [
        Answer(pieces=(sse(chunk("", role="assistant"), done=False),), then="drop"),
        Answer(pieces=(b"data: {not json\n\n",)),
        Answer(pieces=(b'data: {"choices": 5}\n\n',)),
        Answer(pieces=(b"data: \xff\xfe\n\n",)),
        Answer(pieces=(b"<html>Sign in to this wifi</html>",)),
        Answer(pieces=(sse({"error": {"message": "overloaded"}}, done=False),)),
    ],
    ids=["dropped", "not json", "not a chunk", "not text", "a web page", "an error in the stream"],
)
async def test_what_fails_before_the_first_token_is_tried_again(
    service: ChatService, adapter: Adapter, answer: Answer
) -> None:
    service.will(answer, said("Well."))
    assert await text_of(adapter()) == "Well."
    service.will(answer)
    assert isinstance(await what_fails(adapter(attempts=1)), ModelDown)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer(pieces=(sse(chunk("Once"), done=False),), then="drop"), "acme tiny broke off"),
        (Answer(pieces=(sse(chunk("Once")),)), "acme tiny broke off"),
        (Answer(pieces=(sse(chunk("Once"), done=False), b"data: {not json\n\n")), "cannot be read"),
        (Answer(pieces=(sse(chunk("Once"), {"choices": 5}),)), "cannot be read"),
        (Answer(pieces=(sse(chunk("Once"), {"error": {"message": "overloaded"}}, done=False),)), "overloaded"),
    ],
    ids=["dropped", "never finished", "not json", "not a chunk", "an error in the stream"],
)
async def test_what_fails_after_the_first_token_is_not(
    service: ChatService, adapter: Adapter, answer: Answer, message: str
) -> None:
    service.will(answer)
    first, error = await first_delta_then_failure(adapter())
    assert first == Delta("Once")
    assert isinstance(error, ModelDown)
    assert message in error.message
    assert len(service.bodies) == 1


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (failure(401, "bad key k3y"), NotConfigured, ["acme refused the key (401)", "LLM_API_KEY"]),
        (failure(403), NotConfigured, ["LLM_API_KEY"]),
        (failure(404), NotConfigured, ["knows no model 'tiny'", "LLM_MODEL"]),
        (failure(402), ModelDown, ["no credit left"]),
        (failure(429, code="insufficient_quota"), ModelDown, ["no credit left"]),
        (failure(400, "too much", code="context_length_exceeded"), ModelDown, ["prompt is too long", "CONTEXT_TOKENS"]),
        (failure(400, "exceeds the available context size (2048)"), ModelDown, ["prompt is too long"]),
        (failure(400, "I do not like it"), ModelDown, ["refused the request (400)", "I do not like it"]),
    ],
)
async def test_what_cannot_pass_is_reported_at_once(
    service: ChatService, adapter: Adapter, answer: Answer, kind: type[TalekeeperError], words: list[str]
) -> None:
    service.will(answer)
    error = await what_fails(adapter())
    assert type(error) is kind
    assert all(word in str(error) for word in words)
    assert "k3y" not in str(error)


async def test_a_service_that_is_not_there(unused_tcp_port: int) -> None:
    naps = Naps()
    service = Service("ollama", f"http://127.0.0.1:{unused_tcp_port}/v1", "tiny", "Is Ollama running?")
    model = OpenAICompatibleModel(service, sleep=naps, jitter=lambda: 0.0)
    error = await what_fails(model)
    assert isinstance(error, ModelDown)
    assert str(error) == f"No answer from ollama at {service.base_url}. Is Ollama running?"
    assert naps.taken == [0.5, 1.0]
    await model.close()


async def test_a_proxy_does_not_stand_before_this_machine(
    service: ChatService, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    service.will(said("Here."))
    assert await text_of(adapter()) == "Here."


# Waiting, and not


@pytest.mark.parametrize(
    "pieces", [(), (sse(chunk("", role="assistant"), done=False),)], ids=["no headers", "no token"]
)
async def test_a_service_that_never_begins(service: ChatService, adapter: Adapter, pieces: tuple[bytes, ...]) -> None:
    service.will(Answer(pieces=pieces, then="hang"))
    error = await what_fails(adapter(first_token=0.05))
    assert isinstance(error, ModelDown)
    assert error.message == "acme tiny said nothing for 0.05 seconds."
    await asyncio.wait_for(service.hung_up.wait(), 5)


async def test_a_request_may_have_less_patience_than_the_adapter(service: ChatService, adapter: Adapter) -> None:
    service.will(Answer(then="hang"))
    error = await what_fails(adapter(), ModelRequest(messages=REQUEST.messages, timeout=0.05))
    assert "0.05 seconds" in error.message


async def test_a_service_that_falls_silent(service: ChatService, adapter: Adapter) -> None:
    service.will(Answer(pieces=(sse(chunk("Once"), done=False),), then="hang"))
    first, error = await first_delta_then_failure(adapter(between_tokens=0.05))
    assert first == Delta("Once")
    assert error.message == "acme tiny said nothing for 0.05 seconds."
    await asyncio.wait_for(service.hung_up.wait(), 5)


async def test_a_model_that_thinks_for_long_is_waited_for(service: ChatService, adapter: Adapter) -> None:
    thinking, answer = sse(chunk(reasoning_content="Hm."), done=False), sse(chunk("Yes."), chunk(finish="stop"))
    service.will(Answer(pieces=(thinking, *[thinking] * 40, answer)))
    assert await text_of(adapter(first_token=5.0, between_tokens=5.0)) == "Yes."
    service.will(Answer(pieces=(thinking,), then="hang"))
    assert "0.05 seconds" in (await what_fails(adapter(between_tokens=0.05))).message


async def test_a_finished_answer_counts_though_its_stream_does_not_end(
    service: ChatService, adapter: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_compatible, "_LAST_WORDS", 0.05)
    service.will(
        Answer(pieces=(sse(chunk("Yes."), chunk(finish="stop"), done=False),), then="hang"),
        Answer(pieces=(sse(chunk("Yes."), chunk(finish="stop"), done=False),), then="drop"),
    )
    assert await text_of(adapter()) == "Yes."
    assert await text_of(adapter()) == "Yes."


async def test_closing_a_stream_hangs_up(service: ChatService, adapter: Adapter) -> None:
    service.will(Answer(pieces=(sse(chunk("Once"), done=False),), then="hang"))
    async with aclosing(adapter().stream(REQUEST)) as deltas:
        assert await anext(deltas) == Delta("Once")
        assert not service.hung_up.is_set()
    await asyncio.wait_for(service.hung_up.wait(), 5)


@pytest.mark.parametrize("pieces", [(), (sse(chunk("Once"), done=False),)], ids=["before the first token", "after it"])
async def test_cancelling_a_call_hangs_up(service: ChatService, adapter: Adapter, pieces: tuple[bytes, ...]) -> None:
    service.will(Answer(pieces=pieces, then="hang"))
    asking = asyncio.create_task(adapter().complete(REQUEST))
    await asyncio.wait_for(service.stalled.wait(), 5)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await asyncio.wait_for(service.hung_up.wait(), 5)


async def test_an_answer_that_cannot_be_read_is_hung_up_on(service: ChatService, adapter: Adapter) -> None:
    service.will(Answer(pieces=(sse({"choices": 5}, done=False),), then="hang"))
    assert "cannot be read" in (await what_fails(adapter(attempts=1))).message
    await asyncio.wait_for(service.hung_up.wait(), 5)


async def test_connections_are_kept_between_calls(service: ChatService, adapter: Adapter) -> None:
    service.will(said("One."), said("Two."))
    model = adapter()
    assert [await text_of(model), await text_of(model)] == ["One.", "Two."]
    assert len(service.callers) == 1


def test_nobody_waits_for_the_sdk_who_does_not_use_it() -> None:
    code = "import sys, talekeeper.llm.connect, talekeeper.llm.tags; print('openai' in sys.modules, 'xllamacpp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
