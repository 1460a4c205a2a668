"""The stream's pages on an app of their own, as a browser would fetch them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import httpx
import pytest
from fastapi import Depends, FastAPI

from talekeeper.chronicle.ledger import LedgerLine, LedgerRecord, pulse
from talekeeper.doors.common import problems
from talekeeper.doors.common.limits import Limits
from talekeeper.doors.stream.admittance import Admittance
from talekeeper.doors.stream.pages import stream_pages
from talekeeper.doors.web.page import STATIC as LOOK
from talekeeper.errors import NotFound
from talekeeper.testing.clock import FakeClock

KEY = "the admin key"

Open = Callable[..., httpx.AsyncClient]


def build(key: str | None, clock: FakeClock) -> FastAPI:
    app = FastAPI()
    admittance = Admittance(key, b"signing key of this house", clock)

    async def theme() -> str:
        return "What a <lighthouse> owes the sea"

    async def record(session_id: str) -> LedgerRecord:
        if session_id != "s1":
            raise NotFound("session_not_found")
        lines = [LedgerLine("odo", "hello", 60.0)]
        return LedgerRecord("emberhall", session_id, 0.0, 3600.0, pulse=pulse(lines, 0.0, 3600.0))

    app.include_router(stream_pages(LOOK, admittance, Limits(requests=0, turns=0), theme, record))

    @app.get("/admin/secret", dependencies=[Depends(admittance.check)])
    async def secret() -> str:
        return "for the operator"

    problems.install(app, debug=True)
    app.state.admittance = admittance
    return app


@pytest.fixture
async def open_client(clock: FakeClock) -> AsyncIterator[Open]:
    """A browser with cookies of its own, at a house with this admin key; `at` goes on from the cookies of another."""
    opened: list[httpx.AsyncClient] = []

    def open_(key: str | None = KEY, at: httpx.AsyncClient | None = None) -> httpx.AsyncClient:
        client = httpx.AsyncClient(
            transport=httpx.ASGITransport(build(key, clock)), base_url="http://test", cookies=at.cookies if at else None
        )
        opened.append(client)
        return client

    yield open_
    for client in opened:
        await client.aclose()


@pytest.fixture
def client(open_client: Open) -> httpx.AsyncClient:
    return open_client()


@pytest.fixture
def key() -> str:
    return KEY
