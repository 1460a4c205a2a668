"""The real small model, inside this process: what the port promises, as far as a tiny model can keep it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio

from talekeeper.errors import ModelDown, NotConfigured
from talekeeper.llm.local import LocalModel
from talekeeper.llm.model import Message, ModelRequest
from talekeeper.llm.tags import TagParser
from talekeeper.llm.tokens import estimate_request

pytestmark = [pytest.mark.model, pytest.mark.asyncio(loop_scope="module")]


def ask(text: str, **options: object) -> ModelRequest:
    return ModelRequest(messages=(Message("user", text),), temperature=0.0, **options)  # type: ignore[arg-type]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def model() -> AsyncIterator[LocalModel]:
    small = LocalModel(context_tokens=512)
    yield small
    await small.close()


async def test_it_streams_and_tells_its_cost(model: LocalModel) -> None:
    deltas = [delta async for delta in model.stream(ask("Say hello.", max_tokens=12))]
    done = deltas[-1].done
    assert done
    assert len(deltas) > 4
    assert "".join(delta.text for delta in deltas) == done.text != ""
    assert done.finish_reason in ("stop", "length")
    assert done.usage.tokens_out <= 13
    assert not done.usage.estimated
    assert done.model == "SmolLM2-135M-Instruct.Q4_1"


async def test_the_same_question_gets_the_same_answer_at_temperature_zero(model: LocalModel) -> None:
    question = ask("Name a colour.", max_tokens=6)
    assert (await model.complete(question)).text == (await model.complete(question)).text


async def test_a_schema_binds_it(model: LocalModel) -> None:
    schema = {
        "type": "object",
        "properties": {
            "verb": {"type": "string", "enum": ["look", "talk"]},
            "rung": {"type": "integer", "enum": [1, 2]},
        },
        "required": ["verb", "rung"],
        "additionalProperties": False,
    }
    answer = await model.complete(ask("I look at the sea.", max_tokens=60, json_schema=schema))
    decoded = msgspec.json.decode(answer.text)
    assert set(decoded) == {"verb", "rung"}
    assert decoded["verb"] in ("look", "talk")


async def test_it_stops_at_the_length_and_at_the_word_it_was_given(model: LocalModel) -> None:
    counting = ask("Count: 1, 2, 3, 4, 5,", max_tokens=4)
    short = await model.complete(counting)
    assert (short.finish_reason, short.usage.tokens_out) == ("length", 4)
    stopped = await model.complete(msgspec.structs.replace(counting, max_tokens=40, stop=(short.text[-1],)))
    assert stopped.finish_reason == "stop"
    assert short.text[-1] not in stopped.text


async def test_the_tag_parser_reads_its_stream(model: LocalModel) -> None:
    parser = TagParser(["say"], untagged="narration")
    events = []
    async for delta in model.stream(ask("Greet me.", max_tokens=10)):
        events += parser.feed(delta.text)
    events += parser.finish()
    assert events[0].tag == "narration"
    assert events[-1].text.strip()


async def test_hanging_up_frees_it_for_the_next(model: LocalModel) -> None:
    async with aclosing(model.stream(ask("Tell a very long story.", max_tokens=400))) as deltas:
        assert (await anext(deltas)).text
    with pytest.raises(TimeoutError):  # while it still reads the prompt
        await asyncio.wait_for(model.complete(ask("The rain falls on the sea. " * 40, max_tokens=200)), 0.5)
    assert (await model.complete(ask("Say hello.", max_tokens=4))).text


async def test_a_prompt_that_does_not_fit(model: LocalModel) -> None:
    with pytest.raises(ModelDown, match="prompt is too long"):
        await model.complete(ask("word " * 2000))


async def test_our_estimate_is_near_its_count(model: LocalModel) -> None:
    prose = (
        "The lantern gutters and rain drums on slate while Mara counts her coins twice before she answers. “You never "
        "came back for the boat,” she says, quietly; the ferryman's widow doesn't look up."
    )
    request = ModelRequest(messages=(Message("system", "You narrate."), Message("user", prose)), max_tokens=1)
    counted = (await model.complete(request)).usage.tokens_in
    assert counted * 0.75 < estimate_request(request) < counted * 1.35


async def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF and nothing more")
    with pytest.raises(NotConfigured, match=r"broken\.gguf could not be loaded"):
        await LocalModel(tmp_path / "broken.gguf").complete(ask("Well?"))
