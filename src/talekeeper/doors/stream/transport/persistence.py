"""Staying connected: one connection after the other, with growing pauses, until stopped or refused for good."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

import structlog

from talekeeper.doors.stream.transport.backoff import Backoff
from talekeeper.doors.stream.transport.lost import Lost
from talekeeper.doors.stream.transport.port import BadCredentials, TransportState
from talekeeper.errors import Unavailable

log = structlog.get_logger("talekeeper.stream")

SETTLED = 30.0
"""Seconds a connection must have held for the next pause to be short again."""


async def stay_connected(
    hold: Callable[[], Awaitable[None]], state: TransportState, stopped: asyncio.Event, backoff: Backoff
) -> None:
    """`hold` is one connection from its first word to its last; it ends by an error or is ended when `stopped`."""
    loop = asyncio.get_running_loop()
    state.running = True
    try:
        while not stopped.is_set():
            since = loop.time()
            try:
                await _unless(stopped, hold)
            except (OSError, Lost, Unavailable) as error:
                state.last_error = str(error) or type(error).__name__
                log.warning("chat_lost", error=state.last_error)
            finally:
                state.connected = False
            if loop.time() - since >= SETTLED:
                backoff.reset()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopped.wait(), backoff.next())
    except BadCredentials as error:
        state.last_error = str(error)
        raise
    finally:
        state.running = False


async def _unless(stopped: asyncio.Event, hold: Callable[[], Awaitable[None]]) -> None:
    held = asyncio.ensure_future(hold())
    ending = asyncio.create_task(stopped.wait())
    try:
        await asyncio.wait({held, ending}, return_when=asyncio.FIRST_COMPLETED)
        if held.done():
            held.result()
    finally:
        ending.cancel()
        held.cancel()
        await asyncio.gather(held, ending, return_exceptions=True)
