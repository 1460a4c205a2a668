"""Is the chosen model there? One question to its service, answered in words."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Literal
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import msgspec

from talekeeper import __version__
from talekeeper.app.models import ADDRESSES, LOCAL, USUAL_MODELS, Models, provider_of
from talekeeper.app.settings import Settings
from talekeeper.cli.settings import without_password
from talekeeper.errors import TalekeeperError

_TIMEOUT = 5.0
_MOST_BYTES = 4 << 20


class Answer(msgspec.Struct, frozen=True):
    state: Literal["ok", "warning", "broken"]
    says: str
    mend: str = ""


def check_model(settings: Settings, *, offline: bool = False) -> Answer:
    """Which model tells the story, and whether it can."""
    provider = provider_of(settings)
    try:
        model = Models(settings, record=lambda _call: None).of("narrator")
    except TalekeeperError as error:
        return Answer("broken", error.message, error.hint)
    if model is None:
        return Answer("ok", "The built-in storyteller tells; no model is needed.")
    if provider == LOCAL:
        return _check_local()
    address = settings.model_base_url or ADDRESSES[provider]
    if offline:
        return Answer("ok", f"{model.name} at {without_password(address)}; not asked.")
    key = settings.model_api_key.get_secret_value() if settings.model_api_key else ""
    wanted = settings.model_narrator or settings.model_name or USUAL_MODELS.get(provider)
    return ask_service(address, key, wanted)


def _check_local() -> Answer:
    if find_spec("xllamacpp") is None:
        return Answer(
            "broken", "A local model is chosen, but nothing here can run it.", "pip install 'talekeeper[local]'"
        )
    return Answer("ok", "A small model runs in this process.")


class _Offered(msgspec.Struct):
    class Model(msgspec.Struct):
        id: str

    data: list[Model] = []


class _StayHere(HTTPRedirectHandler):
    """A key is sent to the service it was given for, and nowhere else."""

    def redirect_request(self, *_args: object, **_more: object) -> None:
        return None


def ask_service(base_url: str, key: str, model: str | None) -> Answer:
    """Whether an OpenAI-compatible service answers, takes the key, and has the model."""
    where = without_password(base_url)
    if not base_url.startswith(("http://", "https://")):
        return Answer("broken", f"{where} is not a web address.", "LLM_BASE_URL looks like http://127.0.0.1:11434/v1.")
    request = Request(f"{base_url.rstrip('/')}/models", headers={"User-Agent": f"talekeeper/{__version__}"})
    if key:
        request.add_header("Authorization", f"Bearer {key}")
    try:
        with build_opener(_StayHere).open(request, timeout=_TIMEOUT) as response:
            offered = _names(response.read(_MOST_BYTES))
    except HTTPError as error:
        return _refused(where, error.code)
    except (URLError, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        return Answer("broken", f"{where} does not answer: {reason}.", "Start the service, or mend LLM_BASE_URL.")
    if model and offered and model not in offered:
        some = ", ".join(offered[:5])
        return Answer("warning", f"{where} answers, but does not list {model}.", f"It lists {some}. Set LLM_MODEL.")
    return Answer("ok", f"{where} answers.")


def _refused(where: str, status: int) -> Answer:
    if status in (401, 403):
        return Answer("broken", f"{where} refuses the key ({status}).", "Check LLM_API_KEY.")
    if status == 404:
        return Answer("warning", f"{where} answers, but lists no models ({status}).", "LLM_BASE_URL often ends in /v1.")
    return Answer("warning", f"{where} answers with {status}.", "It may be busy; try again.")


def _names(body: bytes) -> list[str]:
    try:
        return [model.id for model in msgspec.json.decode(body, type=_Offered).data]
    except msgspec.MsgspecError:
        return []
