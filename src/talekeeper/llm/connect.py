"""From what a person set to a model: the well-known services by name, any other by its address."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from talekeeper.errors import NotConfigured
from talekeeper.llm.local import LocalModel
from talekeeper.llm.model import Model
from talekeeper.llm.model_failures import Service
from talekeeper.llm.openai_compatible import OpenAICompatibleModel
from talekeeper.llm.patience import Patience


class Provider(msgspec.Struct, frozen=True):
    base_url: str
    needs_key: bool = False
    model: str = ""
    """Used when none is set."""
    if_unreachable: str = "Check your network."
    if_unknown_model: str = "Check LLM_MODEL."


PROVIDERS = {
    "openai": Provider("https://api.openai.com/v1", needs_key=True, model="gpt-5.4-mini"),
    "ollama": Provider(
        "http://localhost:11434/v1",
        if_unreachable="Is Ollama running? Start it with `ollama serve`, or set LLM_BASE_URL to where it is.",
        if_unknown_model="Fetch it with `ollama pull`, or set LLM_MODEL to one that `ollama list` shows.",
    ),
    "lm_studio": Provider(
        "http://localhost:1234/v1",
        if_unreachable="Is LM Studio's server running? Start it in its Developer tab, or set LLM_BASE_URL.",
        if_unknown_model="Load the model in LM Studio, or set LLM_MODEL to one that it shows.",
    ),
}


def connect(
    provider: str,
    base_url: str | None = None,
    api_key: str | None = None,
    model: str | None = None,
    *,
    patience: Patience | None = None,
) -> Model:
    """Reaches for nothing yet: whether the service answers, the first call will tell.

    `model` is a name; for `local`, the path of a GGUF file, and the patience is its own.
    """
    if provider == "local":
        return LocalModel(Path(model).expanduser() if model else None)
    known = PROVIDERS.get(provider)
    if known is None and not base_url:
        names = ", ".join((*PROVIDERS, "local"))
        raise NotConfigured(
            f"There is no model provider {provider!r}.", f"Use {names}, or set LLM_BASE_URL to its address."
        )
    known = known or Provider("", if_unreachable="Check LLM_BASE_URL and your network.")
    chosen = model or ("" if base_url else known.model)
    if not chosen:
        raise NotConfigured(f"Which model of {provider}?", "Set LLM_MODEL.")
    if known.needs_key and not base_url and not api_key:
        raise NotConfigured(f"{provider} needs a key.", "Set LLM_API_KEY or OPENAI_API_KEY.")
    service = Service(
        provider, _address(base_url or known.base_url), chosen, known.if_unreachable, known.if_unknown_model
    )
    return OpenAICompatibleModel(service, api_key=api_key or "", patience=patience)


def _address(base_url: str) -> str:
    """Everybody's OpenAI-compatible door is under /v1; those who give only host and port mean that."""
    parts = urlsplit(base_url.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise NotConfigured(
            f"LLM_BASE_URL is not an address: {base_url!r}.", "It looks like http://localhost:11434/v1."
        )
    path = parts.path.rstrip("/") or "/v1"
    return parts._replace(path=path.removesuffix("/chat/completions") or "/v1").geturl()
