"""The pictures of the README, from a played scene. README_PICTURES=1 puts them into docs/pictures."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ACTIONS = ("Look around the Otter", "Read the subscription board", "Ask Nan about the graves")
LAST = "I persuade Nan to tell me whose stone it is"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(__file__).parents[2] / "docs" / "pictures" if os.environ.get("README_PICTURES") else tmp_path


async def play(page: Page, player: Any) -> None:
    reader = player(page)
    for action in (*ACTIONS, "Go out to the Row"):
        await reader.act(action)
    await page.evaluate(
        """() => fetch("/api/v1/worlds/low-water/backtrack", {method: "POST",
        headers: {"Content-Type": "application/json"}, body: '{"to": 3}'})"""
    )
    await expect(page.locator(".turn .action")).to_have_count(3)
    await reader.act(LAST)
    await expect(page.locator(".turn.last .dice .tier")).to_contain_text("Success")
    await expect(page.locator(".turn.last .speaker").first).to_have_text("Nan Orchard")
    await page.evaluate("document.activeElement.blur()")
    await page.mouse.move(5, 5)


async def test_desktop(serve: Any, open_page: Any, player: Any, folder: Path) -> None:
    server = serve()
    page = await open_page(f"{server.url}/w/low-water", ready=".chips .button", reduced_motion="reduce")
    await play(page, player)
    await expect(page.locator("#right .picture svg")).to_be_visible()
    await page.screenshot(path=folder / "web-desktop.png")
    assert (folder / "web-desktop.png").stat().st_size > 50_000


async def test_on_a_phone(serve: Any, open_page: Any, player: Any, phone: Any, folder: Path) -> None:
    server = serve()
    page = await open_page(f"{server.url}/w/low-water", ready=".chips .button", reduced_motion="reduce", **phone)
    await play(page, player)
    await page.screenshot(path=folder / "web-phone.png")
    assert (folder / "web-phone.png").stat().st_size > 50_000
