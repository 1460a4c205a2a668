"""What went wrong at a model service, in words that say what to do; and whether trying again can help."""

from __future__ import annotations

import email.utils
from collections.abc import Mapping

import msgspec

from talekeeper.errors import ModelDown, NotConfigured, TalekeeperError


class Service(msgspec.Struct, frozen=True):
    provider: str
    base_url: str
    model: str
    if_unreachable: str = "Check LLM_BASE_URL and your network."
    if_unknown_model: str = "Check LLM_MODEL."

    @property
    def name(self) -> str:
        return f"{self.provider} {self.model}"


class CallFailed(Exception):
    """Inside the adapter only: `error` is what the caller will get, if trying again does not help or is not tried."""

    def __init__(self, error: TalekeeperError, *, may_pass: bool) -> None:
        super().__init__(str(error))
        self.error = error
        self.may_pass = may_pass


def unreachable(service: Service, *, at_once: bool = False) -> CallFailed:
    """`at_once`: it can be tried again without a wait."""
    message = f"No answer from {service.provider} at {service.base_url}."
    return CallFailed(ModelDown(message, service.if_unreachable, retry_after=0.0 if at_once else None), may_pass=True)


def too_long(service: Service) -> CallFailed:
    hint = "Lower TALEKEEPER_PLAY_CONTEXT_TOKENS, or choose a model with a longer context."
    return CallFailed(ModelDown(f"The prompt is too long for {service.name}.", hint), may_pass=False)


def silent(service: Service, seconds: float) -> CallFailed:
    hint = "It may be loading or overloaded: try again, raise LLM_TIMEOUT, or choose a smaller model."
    # Trying again would double a wait that was long already.
    return CallFailed(ModelDown(f"{service.name} said nothing for {seconds:g} seconds.", hint), may_pass=False)


def broken_off(service: Service) -> CallFailed:
    return CallFailed(ModelDown(f"{service.name} broke off in the middle of its answer.", "Try again."), may_pass=True)


def empty(service: Service) -> CallFailed:
    hint = f"Is {service.base_url} the address of an OpenAI-compatible service? It often ends in /v1."
    return CallFailed(ModelDown(f"{service.name} sent no answer.", hint), may_pass=True)


def garbled(service: Service) -> CallFailed:
    return CallFailed(ModelDown(f"{service.name} sent something that cannot be read.", "Try again."), may_pass=True)


def failed_in_stream(service: Service, said: str) -> CallFailed:
    return CallFailed(ModelDown(f"{service.name} reported an error: {_short(said)}", "Try again."), may_pass=True)


def refused(service: Service, status: int, code: str | None, said: str, wait: float | None) -> CallFailed:
    """`status`, `code`, `said` and `wait` are what the service answered."""
    name, said = service.name, _short(said)
    if status in (401, 403):
        message, hint = f"{service.provider} refused the key ({status}).", "Check LLM_API_KEY and LLM_BASE_URL."
        return CallFailed(NotConfigured(message, hint), may_pass=False)
    if status == 404:
        message = f"{service.base_url} knows no model {service.model!r}."
        return CallFailed(NotConfigured(message, service.if_unknown_model), may_pass=False)
    if status == 402 or code == "insufficient_quota":
        message = f"The account at {service.provider} has no credit left."
        return CallFailed(ModelDown(message, "Top it up, or use another service."), may_pass=False)
    if status == 429:
        message = f"{name} has too many requests to answer."
        return CallFailed(ModelDown(message, "Wait a little, then try again.", retry_after=wait), may_pass=True)
    if status in (408, 409) or status >= 500:
        message = f"{name} failed ({status}): {said}"
        return CallFailed(ModelDown(message, "Try again in a moment.", retry_after=wait), may_pass=True)
    return CallFailed(ModelDown(f"{name} refused the request ({status}): {said}", "Try another model."), may_pass=False)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds a service asks to be left alone: a number, or a date."""
    asked = headers.get("retry-after", "")
    try:
        return max(0.0, float(asked))
    except ValueError:
        date = email.utils.parsedate_tz(asked)
        return max(0.0, email.utils.mktime_tz(date) - now) if date else None


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 200 else f"{text[:199]}…"
