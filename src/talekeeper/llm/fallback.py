"""A model with another behind it, for when the first does not answer at all."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator

import structlog

from talekeeper.errors import Unavailable
from talekeeper.llm.model import Completion, Delta, Model, ModelRequest, completion_of

log = structlog.get_logger("talekeeper.llm")


class FallbackModel:
    """Once the first has said a word, its failure is a failure: two models do not finish each other's sentences."""

    def __init__(self, first: Model, second: Model) -> None:
        self._first = first
        self._second = second

    @property
    def name(self) -> str:
        return self._first.name

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        begun = False
        try:
            async with contextlib.aclosing(self._first.stream(request)) as deltas:
                async for delta in deltas:
                    begun = True
                    yield delta
            return
        except Unavailable as error:
            if begun:
                raise
            log.warning("the other model answers", model=self._first.name, other=self._second.name, error=error.message)
        async with contextlib.aclosing(self._second.stream(request)) as deltas:
            async for delta in deltas:
                yield delta

    async def complete(self, request: ModelRequest) -> Completion:
        return await completion_of(self.stream(request))

    async def close(self) -> None:
        await self._first.close()
        await self._second.close()
