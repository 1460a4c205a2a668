"""Cutting a telling short the moment somebody asks to stop, even while the teller is thinking."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Stopped(Exception):
    """The player asked to stop; what was told so far stays."""


@asynccontextmanager
async def cut_short(stopping: asyncio.Event) -> AsyncIterator[None]:
    """Raises Stopped wherever the block waits. One watcher for the whole telling, not one for every word of it."""
    telling = asyncio.current_task()
    if telling is None:
        raise RuntimeError("a telling is a task")
    before, cut = telling.cancelling(), False

    async def watch() -> None:
        nonlocal cut
        await stopping.wait()
        cut = True
        telling.cancel()

    watcher = asyncio.ensure_future(watch())
    try:
        yield
    except asyncio.CancelledError:
        # A shutdown cancels as well, and must not be taken for a stop.
        if cut and telling.uncancel() <= before:
            raise Stopped from None
        raise
    finally:
        watcher.cancel()
