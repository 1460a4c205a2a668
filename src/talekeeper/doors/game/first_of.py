"""Waiting for whichever comes first, without harm to the others."""

from __future__ import annotations

import asyncio
from typing import Any


async def first_of(*futures: asyncio.Future[Any], seconds: float) -> None:
    """Returns when one is done or the time is up; none is cancelled."""
    await asyncio.wait(futures, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
