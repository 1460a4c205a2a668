"""One streamed call through the `openai` SDK, its errors translated. Imported late: the SDK takes over a second to load.

Chunks are taken as plain objects: the SDK's typed ones cost 175 us each instead of 26.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

import openai

from talekeeper.llm import model_failures
from talekeeper.llm.model_failures import Service
from talekeeper.observe.clock import Clock

_NEGOTIABLE = ("stream_options", "max_completion_tokens", "max_tokens", "temperature", "stop", "response_format")


class FieldRefused(Exception):
    """The service would take the request without this field."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


def new_client(service: Service, api_key: str, connect_timeout: float) -> openai.AsyncOpenAI:
    # What runs on this machine is not reached through a proxy, though the environment may name one.
    beside_us = urlsplit(service.base_url).hostname in ("localhost", "127.0.0.1", "::1")
    return openai.AsyncOpenAI(
        base_url=service.base_url,
        api_key=api_key or "none",  # the SDK insists on one; local services do not look at it
        timeout=openai.Timeout(None, connect=connect_timeout),
        max_retries=0,
        http_client=openai.DefaultAsyncHttpxClient(trust_env=not beside_us),
    )


class OpenAICall:
    def __init__(self, service: Service, chunks: openai.AsyncStream[object]) -> None:
        self._service = service
        self._chunks = chunks

    @classmethod
    async def open(
        cls, client: openai.AsyncOpenAI, service: Service, body: Mapping[str, object], clock: Clock
    ) -> OpenAICall:
        try:
            chunks = await client.post(
                "/chat/completions", body=body, cast_to=object, stream=True, stream_cls=openai.AsyncStream[object]
            )
        except openai.APIStatusError as error:
            if field := _refused_field(error, body):
                raise FieldRefused(field) from error
            if _is_too_long(error):
                raise model_failures.too_long(service) from error
            wait = model_failures.retry_after(error.response.headers, clock())
            raise model_failures.refused(service, error.status_code, error.code, error.message, wait) from error
        except openai.APIConnectionError as error:
            raise model_failures.unreachable(service, at_once=_was_connected(error)) from error
        return cls(service, chunks)

    async def next(self) -> object | None:
        """None after the last."""
        try:
            return await anext(self._chunks, None)
        except openai.APIConnectionError as error:
            raise model_failures.broken_off(self._service) from error
        except openai.APIError as error:
            raise model_failures.failed_in_stream(self._service, error.message) from error
        except ValueError as error:
            raise model_failures.garbled(self._service) from error

    async def close(self) -> None:
        await self._chunks.close()


def _was_connected(error: openai.APIConnectionError) -> bool:
    """A connection kept from the call before may have been closed meanwhile; a new one deserves no wait."""
    return type(error.__cause__).__name__ not in ("ConnectError", "ConnectTimeout")


def _is_too_long(error: openai.APIStatusError) -> bool:
    return error.status_code == 413 or (
        error.status_code == 400
        and re.search("context.?(length|size|window)", f"{error.code} {error.message}") is not None
    )


def _refused_field(error: openai.APIStatusError, body: Mapping[str, object]) -> str | None:
    if error.status_code not in (400, 422) or _is_too_long(error):
        return None
    blamed = (error.param or "").split(".")[0]
    for field in _NEGOTIABLE:
        if field in body and (blamed == field or re.search(rf"""['"`]{field}['"`]""", error.message)):
            return field
    return None
