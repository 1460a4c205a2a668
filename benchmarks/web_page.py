"""The page, cold, in a real Chromium: script on the wire and time to the first action, beside a NiceGUI hello page.

`python benchmarks/web_page.py [LOADS]` (7 by default). NiceGUI is no dependency of ours: NICEGUI_PYTHON names an
interpreter that has it, where this one has not. CHROMIUM names the browser where it is not on the path.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import httpx
from playwright.async_api import Browser, Page, Response, async_playwright

from talekeeper.doors.web.page import page_files

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage",
)  # fmt: skip
MOST_SCRIPT = 60
MOST_SECONDS = 1.0

HELLO = """
import sys
from nicegui import ui
@ui.page("/")
def page():
    said = ui.label("nothing yet")
    ui.input("What do you do?")
    ui.button("Send", on_click=lambda: said.set_text("told"))
ui.run(port=int(sys.argv[1]), show=False, reload=False)
"""


class Load:
    """One cold load: seconds to a usable page and to its first answer, bytes by kind."""

    def __init__(self) -> None:
        self.usable = self.answered = 0.0
        self.script = self.all = self.requests = 0


async def load(browser: Browser, url: str, ready: str, act: Callable[[Page], Awaitable[None]], answer: str) -> Load:
    found = Load()
    context = await browser.new_context(viewport={"width": 1440, "height": 900})
    page = await context.new_page()
    responses: list[Response] = []
    page.on("response", lambda response: responses.append(response))
    start = time.perf_counter()
    await page.goto(url, wait_until="commit")
    await page.wait_for_selector(ready)
    found.usable = time.perf_counter() - start
    await act(page)
    await page.wait_for_selector(answer)
    found.answered = time.perf_counter() - start
    for response in responses:
        sizes = await response.request.sizes()
        found.requests += 1
        found.all += sizes["responseBodySize"]
        if response.request.resource_type == "script":
            found.script += sizes["responseBodySize"]
    await context.close()
    return found


@contextmanager
def running(command: list[str], url: str, **environment: str) -> Iterator[None]:
    given = {k: v for k, v in os.environ.items() if not k.startswith(("TALEKEEPER_", "LLM_", "OPENAI_"))}
    process = subprocess.Popen(
        command, env=given | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )  # fmt: skip
    try:
        for _ in range(600):
            try:
                if httpx.get(url).status_code == 200:
                    break
            except httpx.TransportError:
                time.sleep(0.1)
        else:
            raise RuntimeError(f"{command[0]} does not answer at {url}")
        yield
    finally:
        process.terminate()
        process.wait(timeout=20)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


async def ours(browser: Browser, loads: int) -> list[tuple[str, list[Load]]]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory() as home:
        command = [sys.executable, "-m", "talekeeper.cli.main", "serve", "--port", str(port)]
        with running(command, f"{url}/ready", TALEKEEPER_HOME=home, TALEKEEPER_LIMITS_REQUESTS="0"):
            shelf, table = [], []
            for n in range(loads):
                shelf.append(await load(browser, url, ".story .button", _begin, ".opens"))
                world = f"w{n}"
                async with httpx.AsyncClient() as client:
                    (await client.post(f"{url}/api/v1/worlds", json={"name": world, "seed": 7})).raise_for_status()
                table.append(await load(browser, f"{url}/w/{world}", ".chips .button", _act, ".turn .narration .caret"))
            return [("talekeeper: the shelf, then a story", shelf), ("talekeeper: a table, then a word", table)]


async def _begin(page: Page) -> None:
    await page.click(".story .button")


async def _act(page: Page) -> None:
    await page.click(".chips .button")


async def nicegui(browser: Browser, loads: int) -> list[tuple[str, list[Load]]]:
    python = os.environ.get("NICEGUI_PYTHON", sys.executable)
    if python == sys.executable and find_spec("nicegui") is None:
        print("!! NiceGUI is not installed: no reference in this run. pip install nicegui, or set NICEGUI_PYTHON.")
        return []
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "hello.py"
        script.write_text(HELLO, encoding="utf-8")
        with running([python, str(script), str(port)], f"http://127.0.0.1:{port}/"):
            url = f"http://127.0.0.1:{port}/"
            found = [await load(browser, url, "button:has-text('Send')", _send, "text=told") for _ in range(loads)]
            return [("nicegui: hello, then an answer", found)]


async def _send(page: Page) -> None:
    await page.click("button:has-text('Send')")


async def main() -> int:
    loads = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    names = ("chromium", "chromium-browser", "google-chrome")
    chromium = os.environ.get("CHROMIUM") or next((f for name in names if (f := shutil.which(name))), None)
    if chromium is None:
        print("!! no Chromium on this machine: nothing measured. Set CHROMIUM.")
        return 0
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        rows = await ours(browser, loads) + await nicegui(browser, loads)
        await browser.close()
    print(f"{loads} cold loads each, median; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"{'':<38}{'usable s':>9}{'answer s':>9}{'script KiB':>11}{'all KiB':>9}{'requests':>9}")
    for name, found in rows:
        usable, answered = (statistics.median(getattr(f, of) for f in found) for of in ("usable", "answered"))
        last = found[-1]
        print(
            f"{name:<38}{usable:9.2f}{answered:9.2f}{last.script / 1024:11.1f}{last.all / 1024:9.1f}{last.requests:9d}"
        )
    scripts = [content for name, content in page_files().items() if name.endswith(".js")]
    script = sum(len(gzip.compress(content, 9)) for content in scripts) / 1024
    usable = statistics.median(f.usable for f in rows[1][1])
    print(
        f"all script there is, compressed: {script:.1f} KiB of at most {MOST_SCRIPT}: {_verdict(script <= MOST_SCRIPT)}"
    )
    print(f"usable: {usable:.2f} s of at most {MOST_SECONDS:.1f}: {_verdict(usable <= MOST_SECONDS)}")
    return 0


def _verdict(met: bool) -> str:
    return "met" if met else "MISSED"


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
