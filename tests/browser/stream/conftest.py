"""An evening on the real server, with a hand on its chat, its clock and its being live; and an operator with the key."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest
from playwright.async_api import Page, expect

from talekeeper.agents.companion.line import ChatLine
from talekeeper.app.engine import Engine
from talekeeper.app.server import build_server
from talekeeper.app.serving import ServerThread
from talekeeper.app.stream_door import stream_companion
from talekeeper.doors.stream.live_status import Live
from talekeeper.doors.stream.mouth import Reach
from talekeeper.doors.stream.transport.port import Heard, LineHeard
from talekeeper.testing.house import House
from talekeeper.testing.twitch.scripted_transport import ScriptedTransport

KEY = "a long admin key, für immer"
REFUSED = ("net::ERR_", "status of 401", "status of 404", "status of 409", "status of 422", "status of 502")
"""What Chromium itself says about an answer the page shows to the operator."""
SPAM = "Wanna become famous? Buy followers, primes and viewers on bigfollows . com"
TALK = (
    ("Mara_K", ("moderator",), "evening all. is that the same lighthouse as last week?"),
    ("odo", (), "it is, but somebody painted the door"),
    ("zoe", ("subscriber",), "I like that he never answers the letters. It makes you want to write one."),
    ("odo", (), "you'd need to know what he's afraid of first"),
)


class Evening:
    """A running server, and a hand on all that reaches it."""

    def __init__(self, house: House, ahead: float = 0.0, **settings: Any) -> None:
        self.live = True
        self.ahead = ahead
        self.markers: list[str] = []
        self.chat = ScriptedTransport()
        given = {"stream_admin_key": KEY, "stream_channel": "emberhall", "limits_requests": 0, **settings}
        self.engine = Engine.open(house.settings(world=False, **given), clock=self.now)
        self.companion = stream_companion(self.engine, lambda channel: Reach(self.chat, self, self._mark))
        self._server = ServerThread(build_server(self.engine, companion=self.companion))
        self.url = f"http://127.0.0.1:{self._server.port}"
        self._server.start()

    def now(self) -> float:
        return time.time() + self.ahead

    async def get(self, force: bool = False) -> Live:
        return Live("emberhall", self.live, self.now(), viewer_count=14, reason=None if self.live else "stream_offline")

    async def _mark(self, note: str) -> None:
        self.markers.append(note)

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._server.loop).result(20)

    def hear(self, *heard: Heard) -> None:
        self.do(self.chat.hear(*heard))

    def say(self, name: str, text: str, id_: str = "", badges: tuple[str, ...] = ()) -> None:
        number = id_ or f"line{time.monotonic_ns()}"
        self.hear(LineHeard(ChatLine(number, name.lower(), text, self.now(), name, badges, channel="emberhall")))

    def talk(self, apart: float = 0.0) -> None:
        """Four lines of three people, so many seconds apart."""
        for name, badges, text in TALK:
            self.say(name, text, badges=badges)
            self.ahead += apart

    def spam(self) -> None:
        self.say("b1g_deals", SPAM)

    def silence(self, minutes: float) -> None:
        """Time passes, and the companion looks at the chat."""
        self.ahead += minutes * 60
        self.do(self.companion.tick_all())

    @property
    def said(self) -> list[str]:
        return [text for text, _ in self.chat.sent]

    def stop(self) -> None:
        self._server.stop()


Begin = Callable[..., Evening]


@pytest.fixture
def begin(sqlite_house: House) -> Iterator[Begin]:
    begun: list[Evening] = []

    def begin_(**settings: Any) -> Evening:
        begun.append(Evening(sqlite_house, **settings))
        begun[-1].silence(0)  # the first look finds the channel live, and opens its session
        return begun[-1]

    yield begin_
    for evening in begun:
        evening.stop()


@pytest.fixture
def evening(begin: Begin) -> Evening:
    """In the channel `emberhall`, live, connected, and nobody has said anything."""
    return begin()


async def come_in(page: Page) -> None:
    await page.fill("input[name=key]", KEY)
    await page.keyboard.press("Enter")
    await expect(page.locator("#words")).to_be_visible()


@pytest.fixture
def door(open_page: Any) -> Any:
    """The console as a stranger finds it."""

    async def open_(evening: Evening, **options: Any) -> Page:
        page: Page = await open_page(f"{evening.url}/stream", ready="input[name=key]", forgive=REFUSED, **options)
        return page

    return open_


@pytest.fixture
def console(door: Any) -> Any:
    """The console with the operator in it."""

    async def open_(evening: Evening, **options: Any) -> Page:
        page: Page = await door(evening, **options)
        await come_in(page)
        await expect(page.locator("#panel-stream #save-board")).to_be_attached()
        return page

    return open_


@pytest.fixture
def enter() -> Callable[[Page], Any]:
    return come_in
