"""Who tells, by what is set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from talekeeper.agents.model_teller import ModelTeller
from talekeeper.agents.resolver.model_adviser import ModelAdviser
from talekeeper.agents.storyteller import Storyteller
from talekeeper.app.engine import Engine
from talekeeper.app.models import SMALL_CONTEXT, Models
from talekeeper.app.tellers import choose_adviser, choose_teller
from talekeeper.errors import NotConfigured
from talekeeper.testing.house import House, settings_for

KEY = {"model_api_key": "sk-none"}


def models(tmp_path: Path, **given: Any) -> Models:
    return Models(
        settings_for(tmp_path, model_provider=given.pop("model_provider", ""), **given), record=lambda call: None
    )


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({}, "storyteller"),
        ({"model_provider": "storyteller", **KEY}, "storyteller"),
        ({**KEY, "model_name": "m"}, "openai m"),
        ({"model_base_url": "http://127.0.0.1:8080/v1", "model_name": "m"}, "openai m"),
        ({"model_provider": "ollama", "model_name": "llama3.2"}, "ollama llama3.2"),
        ({"model_provider": " LM_Studio ", "model_name": "m"}, "lm_studio m"),
        ({"model_provider": "vllm", "model_base_url": "http://host/v1", "model_name": "m"}, "vllm m"),
        ({**KEY, "model_name": "m", "model_npc_voice": "small"}, "openai m (voices: openai small)"),
        ({**KEY, "model_narrator": "big", "model_npc_voice": "small"}, "openai big (voices: openai small)"),
        ({**KEY, "model_narrator": "big"}, "openai big"),
        ({**KEY, "model_name": "m", "model_fallback": "spare"}, "openai m"),
    ],
)
def test_the_teller(tmp_path: Path, given: dict[str, Any], name: str) -> None:
    assert choose_teller(models(tmp_path, **given)).name == name


def test_the_openai_service_brings_a_usual_model(tmp_path: Path) -> None:
    teller = choose_teller(models(tmp_path, **KEY))
    assert isinstance(teller, ModelTeller)
    assert teller.name.startswith("openai ")


@pytest.mark.parametrize(
    "given",
    [
        {"model_provider": "openai"},
        {"model_provider": "nobody-knows", "model_name": "m"},
        {"model_provider": "vllm", "model_base_url": "http://host/v1"},
        {"model_base_url": "not an address", "model_name": "m"},
    ],
)
def test_what_is_missing_is_said_at_the_start(sqlite_house: House, given: dict[str, Any]) -> None:
    settings = sqlite_house.settings(**{"model_provider": "", **given})
    with pytest.raises(NotConfigured) as caught:
        Engine.open(settings)
    assert caught.value.hint


def test_commands_that_tell_nothing_do_not_mind_a_missing_key(sqlite_house: House) -> None:
    Engine.open(sqlite_house.settings(model_provider="openai"), teller=Storyteller()).store.close()


def test_the_adviser_is_a_model_too_but_never_the_small_one_in_this_process(tmp_path: Path) -> None:
    assert choose_adviser(models(tmp_path)) is None
    assert choose_adviser(models(tmp_path, model_provider="local")) is None
    assert isinstance(choose_adviser(models(tmp_path, **KEY, model_name="m")), ModelAdviser)


def test_the_small_model_is_given_less_to_read(tmp_path: Path) -> None:
    assert models(tmp_path, model_provider="local").context_tokens == SMALL_CONTEXT
    assert models(tmp_path).context_tokens > SMALL_CONTEXT
