"""The whole companion in the real server, on the fake Twitch's real wires, configured by settings alone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from talekeeper.app.engine import Engine
from talekeeper.app.server import build_server
from talekeeper.testing.house import House
from talekeeper.testing.twitch.fake import FakeTwitch

KEY = "a key for tests"


@pytest.fixture
async def open_house(twitch: FakeTwitch, sqlite_house: House) -> AsyncIterator[Callable[..., Any]]:
    """Starts servers whose settings point at the fake Twitch; a client with the admin's key for each."""
    stack = AsyncExitStack()

    async def open_(token: str, **more: Any) -> httpx.AsyncClient:
        settings = sqlite_house.settings(
            world=False, limits_requests=0, stream_admin_key=KEY, stream_channel="#Hearth",
            stream_bot_username=twitch.bot, stream_access_token=token, stream_irc_host="127.0.0.1", stream_irc_tls=False,
            stream_irc_port=twitch.irc.port, stream_helix_url=twitch.helix_url, stream_auth_url=twitch.auth_url,
            stream_eventsub_url=twitch.eventsub_url, stream_live_cache_seconds=0, **more,
        )  # fmt: skip
        app = build_server(Engine.open(settings))
        await stack.enter_async_context(app.router.lifespan_context(app))
        return await stack.enter_async_context(
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://127.0.0.1", headers={"X-Admin-Token": KEY}
            )
        )

    yield open_
    await stack.aclose()


async def connected(admin: httpx.AsyncClient) -> dict[str, Any]:
    return await status_when(admin, lambda status: status["connected"])


async def status_when(admin: httpx.AsyncClient, holds: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    async with asyncio.timeout(20):
        while not holds(status := (await admin.get("/admin/twitch/status")).json()):  # noqa: ASYNC110 (a status is asked for, nobody tells)
            await asyncio.sleep(0.01)
    return dict(status)


@pytest.mark.parametrize("kind", ["eventsub", "irc"])
async def test_asked_in_chat_it_answers_in_chat(twitch: FakeTwitch, open_house: Any, until: Any, kind: str) -> None:
    await twitch.goes_live("Rain on glass", "Myst")
    admin = await open_house(
        f"oauth:{twitch.token()}", stream_transport=kind, stream_client_id=twitch.client_id,
        stream_client_secret=twitch.client_secret,
    )  # fmt: skip
    status = await connected(admin)
    assert status["live_status"]["is_live"]
    assert status["live_status"]["title"] == "Rain on glass"
    asked = await twitch.says("ada", "!chronicler")
    await until(lambda: twitch.spoken)
    assert "AI" in twitch.spoken[0]
    (answer,) = [said for said in twitch.room.shown if said.name == twitch.bot]
    assert answer.reply_to in {"", asked}
    assert "oauth" not in json.dumps(status)


async def test_a_configuration_with_nothing_but_a_token_works(twitch: FakeTwitch, open_house: Any, until: Any) -> None:
    admin = await open_house(f"oauth:{twitch.token(scopes=('chat:read', 'chat:edit'))}", stream_require_live=False)
    status = await connected(admin)
    assert status["live_status"]["reason"] == "twitch_api_not_configured"
    await twitch.says("ada", "!chronicler")
    await until(lambda: twitch.spoken)


async def test_offline_it_says_nothing(twitch: FakeTwitch, open_house: Any, until: Any) -> None:
    admin = await open_house(
        twitch.token(), stream_client_id=twitch.client_id, stream_client_secret=twitch.client_secret
    )
    status = await connected(admin)
    assert status["live_status"]["reason"] == "stream_offline"
    session = status["session_id"]
    answer = await admin.post(
        "/admin/test-agent-response", data={"session_id": session, "message": "A quiet line by the window."}
    )
    assert answer.status_code == 409
    assert answer.json()["detail"] == "stream_not_live"
    await twitch.goes_live()
    said = "The rain has a word for it."
    for text, expected in ((said, 200), ("Somewhere a kettle answers.", 502)):
        session = (await connected(admin))["session_id"]
        answer = await admin.post("/admin/test-agent-response", data={"session_id": session, "message": text})
        assert answer.status_code == expected, answer.text
        twitch.room.drops.append("msg_rejected")
    assert twitch.spoken == [said]


async def test_a_bad_token_is_said_and_ends_there(twitch: FakeTwitch, open_house: Any) -> None:
    admin = await open_house("worn-out")
    status = await status_when(admin, lambda status: status["last_error"])
    assert not status["connected"]
    assert not status["running"]
    assert "TWITCH_ACCESS_TOKEN" in status["last_error"]
    assert "worn-out" not in json.dumps(status)
    assert twitch.irc.ever == 1
