"""A real Chromium on real servers. Every page watches itself: console errors and refused content fail the test that made them."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import structlog
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from talekeeper.agents.storyteller import Storyteller
from talekeeper.agents.teller import Telling, Voicing
from talekeeper.app.engine import Engine
from talekeeper.app.server import build_server
from talekeeper.app.serving import ServerThread
from talekeeper.testing.house import House

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip
DESKTOP = {"width": 1440, "height": 900}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True, "is_mobile": True,
}  # fmt: skip
PATIENCE = 20_000
expect.set_options(timeout=PATIENCE)
LOST_LINE = ("net::ERR_", "WebSocket connection to")
"""What Chromium itself says when a server is gone."""


def _chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return os.environ.get("CHROMIUM") or next((found for name in names if (found := shutil.which(name))), None)


@pytest.fixture(scope="session", autouse=True)
def quiet() -> Iterator[None]:
    """A page is fifty requests; nobody wants to read them."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    yield
    structlog.reset_defaults()


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def browser() -> AsyncIterator[Browser]:
    found = _chromium()
    if found is None:
        pytest.skip("no Chromium on this machine: install one, or name it in CHROMIUM")
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield started
        await started.close()


OpenPage = Callable[..., Any]


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser) -> AsyncIterator[OpenPage]:
    """Opens pages, each in a browser of its own as far as cookies and storage go, and reads their complaints in the end."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    async def open_(address: str, *, ready: str = "body", forgive: tuple[str, ...] = (), **options: Any) -> Page:
        context = await browser.new_context(**({"viewport": DESKTOP} | options))
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = await context.new_page()

        def said(message: Any) -> None:
            if message.type in ("error", "warning") and not any(part in message.text for part in forgive):
                complaints.append(message.text)

        page.on("console", said)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        await page.goto(address)
        await page.wait_for_selector(ready)
        return page

    yield open_
    for context in contexts:
        await context.close()
    assert not complaints


class Server:
    """A running server, and where it is."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._server = ServerThread(build_server(engine))
        self.url = f"http://127.0.0.1:{self._server.port}"

    def start(self) -> Server:
        self._server.start()
        return self

    def stop(self) -> None:
        self._server.stop()


Serve = Callable[..., Server]


@pytest.fixture
def serve(sqlite_house: House) -> Iterator[Serve]:
    """Starts servers: with the sample world, or empty."""
    started: list[Server] = []

    def start(*, teller: Any = None, world: bool = True, **settings: Any) -> Server:
        given = sqlite_house.settings(world=world, **({"limits_requests": 0, "limits_turns": 0} | settings))
        server = Server(Engine.open(given, teller=teller)).start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.stop()


class Waiting(Storyteller):
    """Tells three words, then waits to be let on; then the rest. Voices are as always."""

    def __init__(self, first: str = "Three words first. ", rest: str = "And then the rest of it.") -> None:
        super().__init__()
        self.first, self.rest = first, rest
        self.go_on = threading.Event()

    async def tell(self, telling: Telling) -> AsyncIterator[str]:
        yield f"<narration>{self.first}"
        await asyncio.to_thread(self.go_on.wait)
        yield f"{self.rest}</narration>"


class Saying(Storyteller):
    """Tells what it was given, word for word, tags and all; a failure where it is an exception."""

    def __init__(self, *told: str | Exception) -> None:
        super().__init__()
        self.told = list(told)

    async def tell(self, telling: Telling) -> AsyncIterator[str]:
        now = self.told.pop(0)
        if isinstance(now, Exception):
            raise now
        yield now

    async def voice(self, voicing: Voicing) -> AsyncIterator[str]:
        yield f'<say who="{voicing.speaker.id}">I say nothing.</say>'


@pytest.fixture
def waiting() -> Iterator[Waiting]:
    teller = Waiting()
    yield teller
    teller.go_on.set()


@pytest.fixture
def saying() -> type[Saying]:
    return Saying


class Process:
    """A server as a process of its own, which can be killed."""

    def __init__(self, home: Path, port: int, **environment: str) -> None:
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "talekeeper.cli.main", "serve", "--port", str(port)]
        given = {k: v for k, v in os.environ.items() if not k.startswith(("TALEKEEPER_", "LLM_", "OPENAI_"))}
        self._process = subprocess.Popen(
            command, env=given | {"TALEKEEPER_HOME": str(home)} | environment, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self._said = self._process.stdout

    async def ready(self) -> Process:
        line = await asyncio.to_thread(self._said.readline)
        assert "Talekeeper at" in line, line
        return self

    def kill(self) -> None:
        self._process.kill()
        self._process.wait(timeout=20)
        self._said.close()


@pytest.fixture
def spawn(sqlite_house: House) -> Iterator[Callable[..., Process]]:
    """Starts server processes on one home and one port."""
    home = sqlite_house.settings().home
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started: list[Process] = []

    def start(**environment: str) -> Process:
        started.append(Process(home, port, **environment))
        return started[-1]

    yield start
    for process in started:
        if process._process.poll() is None:
            process.kill()


class Player:
    """What a person does at the page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    async def act(self, text: str) -> None:
        """Type, send, and read to the last word."""
        told = await self.page.locator(".turn").count()
        await self.page.fill("#words", text)
        await self.page.keyboard.press("Enter")
        await self.settled(more_than=told)

    async def settled(self, more_than: int = 0) -> None:
        await self.page.wait_for_function(
            "n => document.querySelectorAll('.turn').length > n && !document.querySelector('.telling')"
            " && document.querySelector('.turn.last .tools')",
            arg=more_than,
        )

    async def told(self) -> list[str]:
        """The turns on the page, as read."""
        return [text.strip() for text in await self.page.locator(".turn .told").all_inner_texts()]

    async def actions(self) -> list[str]:
        return await self.page.locator(".turn .action").all_inner_texts()


@pytest.fixture
def player() -> type[Player]:
    return Player


@pytest.fixture
def lost_line() -> tuple[str, ...]:
    return LOST_LINE


@pytest.fixture
def phone() -> dict[str, Any]:
    return PHONE


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core, installed once into an ignored folder of the checkout."""
    folder = Path(__file__).parents[2] / "node_modules" / ".talekeeper-tests"
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("no npm on this machine: axe-core cannot be installed")
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [npm, "install", "--prefix", str(folder), "--no-save", "--no-audit", "--no-fund", "axe-core@4"],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    return script.read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def judged(axe: str) -> Callable[[Page], Awaitable[list[str]]]:
    """What axe finds serious on a page; that page must be let past the policy, for axe makes markup from strings."""

    async def judge(page: Page) -> list[str]:
        await page.evaluate(axe)
        # Colours are judged when nothing moves any more.
        await page.evaluate("Promise.all(document.getAnimations().map(a => a.finished.catch(() => null)))")
        found = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{v['id']} ({v['impact']}): {n['html'][:120]} {n['failureSummary'][:200]}"
            for v in found["violations"]
            for n in v["nodes"]
            if v["impact"] in ("serious", "critical")
        ]

    return judge
