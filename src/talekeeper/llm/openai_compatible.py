"""Any OpenAI-compatible service as a model: patient before the first token, strict after it."""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TYPE_CHECKING

import msgspec
import structlog

from talekeeper.llm import model_failures
from talekeeper.llm.chat_format import ChatAnswer, chat_body
from talekeeper.llm.model import Completion, Delta, ModelRequest, completion_of
from talekeeper.llm.model_failures import CallFailed, Service
from talekeeper.llm.patience import Patience
from talekeeper.observe.clock import Clock, system_clock

if TYPE_CHECKING:
    import openai

    from talekeeper.llm.openai_call import OpenAICall

log = structlog.get_logger("talekeeper.llm")

_LAST_WORDS = 2.0
"""Seconds that a finished answer waits for its token count and the end of the stream."""


class OpenAICompatibleModel:
    def __init__(
        self,
        service: Service,
        *,
        api_key: str = "",
        patience: Patience | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Clock = system_clock,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._service = service
        self._api_key = api_key
        self._patience = patience or Patience()
        self._sleep = sleep
        self._clock = clock
        self._jitter = jitter
        self._client: openai.AsyncOpenAI | None = None
        self._making_client = threading.Lock()
        self._without: set[str] = set()
        """Fields this service has refused before."""

    @property
    def name(self) -> str:
        return self._service.name

    async def complete(self, request: ModelRequest) -> Completion:
        return await completion_of(self.stream(request))

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        try:
            call, answer, text = await self._begin(request)
            try:
                while True:
                    if text:
                        yield Delta(text)
                    chunk = await self._next(call, answer)
                    if chunk is None:
                        break
                    text = self._take(answer, chunk)
            finally:
                await call.close()
            if not answer.finished:
                raise model_failures.broken_off(self._service)
        except CallFailed as failed:
            raise failed.error from failed.__cause__
        yield Delta(done=answer.completion())

    async def close(self) -> None:
        if self._client:
            await self._client.close()

    async def _begin(self, request: ModelRequest) -> tuple[OpenAICall, ChatAnswer, str]:
        """Calls until an answer has begun: the call, the answer so far, and the text in it."""
        attempt = 1
        while True:
            try:
                return await self._attempt(request)
            except CallFailed as failed:
                wait = self._wait_before(attempt + 1, failed)
                if wait is None:
                    raise
                if wait:
                    log.warning("asking the model again", model=self.name, wait=wait, error=failed.error.message)
                await self._sleep(wait)
                attempt += 1

    def _wait_before(self, attempt: int, failed: CallFailed) -> float | None:
        """Seconds to wait before this attempt; None where there should be none."""
        if not failed.may_pass or attempt > self._patience.attempts:
            return None
        asked = failed.error.retry_after
        if asked is not None:
            return asked if asked <= self._patience.longest_wait else None
        return float(self._patience.backoff * 2 ** (attempt - 2) * (1 - self._jitter() / 4))

    async def _attempt(self, request: ModelRequest) -> tuple[OpenAICall, ChatAnswer, str]:
        answer = ChatAnswer(request, self._service.model)
        text = ""
        wait = request.timeout or self._patience.first_token
        client = self._client
        if client is None:
            client = await asyncio.to_thread(self._make_client)
        async with contextlib.AsyncExitStack() as undo:
            try:
                async with asyncio.timeout(wait) as timer:
                    call = await self._open(client, request)
                    undo.push_async_callback(call.close)
                    while not answer.begun:
                        chunk = await call.next()
                        if chunk is None:
                            raise model_failures.empty(self._service)
                        text += self._take(answer, chunk)
                        if answer.alive:  # it thinks; from now on it only must not fall silent
                            wait = self._patience.between_tokens
                            timer.reschedule(asyncio.get_running_loop().time() + wait)
            except TimeoutError as error:
                raise model_failures.silent(self._service, wait) from error
            undo.pop_all()
        return call, answer, text

    async def _open(self, client: openai.AsyncOpenAI, request: ModelRequest) -> OpenAICall:
        from talekeeper.llm.openai_call import FieldRefused, OpenAICall  # noqa: PLC0415 (loaded late, with the client)

        while True:
            body = chat_body(request, self._service.model, without=self._without)
            try:
                return await OpenAICall.open(client, self._service, body, self._clock)
            except FieldRefused as refused:
                log.warning("the service refuses a field; going on without", model=self.name, field=refused.field)
                self._without.add(refused.field)

    async def _next(self, call: OpenAICall, answer: ChatAnswer) -> object | None:
        wait = _LAST_WORDS if answer.finished else self._patience.between_tokens
        try:
            async with asyncio.timeout(wait):
                return await call.next()
        except (TimeoutError, CallFailed) as error:
            if answer.finished:
                return None
            if isinstance(error, TimeoutError):
                raise model_failures.silent(self._service, wait) from error
            raise

    def _take(self, answer: ChatAnswer, chunk: object) -> str:
        try:
            return answer.take(chunk)
        except msgspec.ValidationError as error:
            raise model_failures.garbled(self._service) from error

    def _make_client(self) -> openai.AsyncOpenAI:
        """Runs on a thread: loading the SDK and the certificates takes over a second."""
        from talekeeper.llm.openai_call import new_client  # noqa: PLC0415 (those who use no model do not pay for it)

        with self._making_client:
            if self._client is None:
                self._client = new_client(self._service, self._api_key, self._patience.connect)
            return self._client
