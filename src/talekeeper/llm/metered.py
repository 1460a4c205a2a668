"""A model that reports every call: who asked which model, what it cost, how long it took, how it ended."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from collections.abc import AsyncGenerator, Callable

import msgspec

from talekeeper.errors import TalekeeperError
from talekeeper.llm.model import Completion, Delta, Model, ModelRequest, Usage, completion_of
from talekeeper.llm.tokens import estimate_request, estimate_tokens


class ModelCall(msgspec.Struct, frozen=True, kw_only=True):
    """For the audit and the metrics. Holds no text: the context is named by its hash."""

    role: str
    model: str
    context_hash: str
    usage: Usage
    latency: float
    first_token: float | None
    """Seconds until the first word; None when none came."""
    finish_reason: str
    """As the model gave it; empty when it gave none."""
    error: str = ""
    """The code of what went wrong; `stopped` when the caller had heard enough."""


class MeteredModel:
    def __init__(
        self,
        model: Model,
        role: str,
        record: Callable[[ModelCall], None],
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._model = model
        self._role = role
        self._record = record
        self._timer = timer

    @property
    def name(self) -> str:
        return self._model.name

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        started = self._timer()
        first: float | None = None
        texts: list[str] = []
        done: Completion | None = None
        error = ""
        try:
            async with contextlib.aclosing(self._model.stream(request)) as deltas:
                async for delta in deltas:
                    if first is None:
                        first = self._timer() - started
                    texts.append(delta.text)
                    done = delta.done or done
                    yield delta
        except TalekeeperError as failure:
            error = failure.code
            raise
        except (GeneratorExit, asyncio.CancelledError):
            error = "" if done else "stopped"
            raise
        except Exception as failure:
            error = type(failure).__name__
            raise
        finally:
            estimate = Usage(estimate_request(request), estimate_tokens("".join(texts)), estimated=True)
            self._record(
                ModelCall(
                    role=self._role,
                    model=(done.model if done else "") or self._model.name,
                    context_hash=context_hash(request),
                    usage=done.usage if done else estimate,
                    latency=self._timer() - started,
                    first_token=first,
                    finish_reason=done.finish_reason if done else "",
                    error=error,
                )
            )

    async def complete(self, request: ModelRequest) -> Completion:
        return await completion_of(self.stream(request))

    async def close(self) -> None:
        await self._model.close()


def context_hash(request: ModelRequest) -> str:
    """Names what a model was given: the same messages, tools and schema, the same hash."""
    context = (request.messages, request.tools, request.json_schema)
    return hashlib.sha256(msgspec.json.encode(context)).hexdigest()[:16]
