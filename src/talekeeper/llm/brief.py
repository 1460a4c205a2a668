"""A model's word on something, asked while somebody waits: in time and in the form asked for, or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

import msgspec
import structlog

from talekeeper.errors import TalekeeperError
from talekeeper.llm.model import Model, ModelRequest

log = structlog.get_logger("talekeeper.llm")

T = TypeVar("T")


async def ask_briefly(model: Model, request: ModelRequest, patience: float, read: Callable[[str], T]) -> T | None:
    """`read` makes sense of the answer, or raises msgspec's error. None: whoever asked decides alone."""
    try:
        async with asyncio.timeout(patience):
            answer = await model.complete(request)
        return read(answer.text)
    except (TalekeeperError, TimeoutError, msgspec.MsgspecError) as error:
        log.warning("no_word_in_time", model=model.name, error=repr(error))
        return None
