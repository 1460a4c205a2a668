"""Models of every kind that give the same replies, and the chat service behind the real adapter."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec
import pytest

from talekeeper.errors import ModelDown
from talekeeper.llm.fallback import FallbackModel
from talekeeper.llm.metered import MeteredModel
from talekeeper.llm.model import Model
from talekeeper.llm.model_failures import Service
from talekeeper.llm.openai_compatible import OpenAICompatibleModel
from talekeeper.llm.patience import Patience
from talekeeper.testing.chat_service import ChatService
from talekeeper.testing.scripted_model import Reply, ScriptedModel

QUICK = Patience(connect=5.0, first_token=5.0, between_tokens=5.0, backoff=0.001)


@pytest.fixture
async def service() -> AsyncIterator[ChatService]:
    async with ChatService() as service:
        yield service


@pytest.fixture
async def adapter(service: ChatService) -> AsyncIterator[Callable[..., OpenAICompatibleModel]]:
    """Makes adapters to that service; keywords are those of Patience and of the adapter."""
    made: list[OpenAICompatibleModel] = []

    def make(**options: Any) -> OpenAICompatibleModel:
        patience = {name: options.pop(name) for name in list(options) if name in Patience.__struct_fields__}
        options = {"patience": msgspec.structs.replace(QUICK, **patience), "api_key": "k3y"} | options
        made.append(OpenAICompatibleModel(Service("acme", service.base_url, "tiny"), **options))
        return made[-1]

    yield make
    for model in made:
        await model.close()


@pytest.fixture(params=["scripted", "openai compatible", "metered", "with a fallback", "as a fallback"])
async def make_model(
    request: pytest.FixtureRequest, service: ChatService, adapter: Callable[..., OpenAICompatibleModel]
) -> Callable[..., Model]:
    """Makes a model of each kind that gives these replies."""

    def make(*replies: Reply) -> Model:
        scripted = ScriptedModel(*replies)
        match request.param:
            case "openai compatible":
                service.will(*replies)
                return adapter(attempts=1)
            case "metered":
                return MeteredModel(scripted, "narrator", lambda call: None)
            case "with a fallback":
                return FallbackModel(scripted, ScriptedModel(*(Reply(error=reply.error) for reply in replies)))
            case "as a fallback":
                return FallbackModel(ScriptedModel(*(Reply(error=ModelDown("down")) for _ in replies)), scripted)
            case _:
                return scripted

    return make
