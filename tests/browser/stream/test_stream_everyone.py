"""For everyone: a phone, axe's opinion; and the pictures of the documentation."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_on_a_phone_both_sides_are_drawers(evening: Any, console: Any, phone: Any) -> None:
    page = await console(evening, **phone)
    evening.talk()
    evening.silence(0)
    await expect(page.locator("#in-short")).to_have_text("Keeps silent: People are talking.")
    assert await page.evaluate("document.documentElement.scrollWidth") == 390
    for side, inside in (("left", ".mind"), ("right", "#save-board")):
        await page.click(f"#open-{side}")
        await expect(page.locator(inside)).to_be_visible()
        small = await page.evaluate(
            """[...document.querySelectorAll("button, a.button, input, textarea")].filter((one) => one.checkVisibility())
            .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect().height])
            .filter(([, high]) => high && high < 40)"""
        )
        assert small == [], "a finger needs 40 pixels"
        await page.keyboard.press("Escape")
        await expect(page.locator(inside)).not_to_be_visible()


async def test_axe_finds_nothing_serious(evening: Any, console: Any, door: Any, judged: Any) -> None:
    still = {"reduced_motion": "reduce", "bypass_csp": True}
    assert await judged(await door(evening, **still)) == []
    evening.talk()
    evening.spam()
    evening.silence(60)
    evening.silence(1)
    page = await console(evening, **still)
    await expect(page.locator(".line.own")).to_have_count(1)
    for theme in ("dark", "light"):
        await page.evaluate("name => { document.documentElement.dataset.theme = name; }", theme)
        for tab in ("stream", "flags", "moments", "ledger"):
            await page.click(f"#tab-{tab}")
            await expect(page.locator(f"#panel-{tab} .busy")).to_have_count(0)
            assert await judged(page) == [], (theme, tab)
        await page.click("#preview")
        await expect(page.locator("#approve-preview")).to_be_focused()
        assert await judged(page) == [], theme
    for sheet in ("Overlay for OBS", "Keys", "End the session"):
        await page.click("[aria-label=Menu]")
        await page.locator(".menu").get_by_text(sheet).click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        assert await judged(page) == [], sheet
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)


BOARD = {
    "raw_markdown": "Letters, lamps, and who is still out there.",
    "stream_title": "Night watch at the light",
    "game": "Dredge",
    "mood": "slow, curious",
    "content_angle": "What a lighthouse owes the sea",
    "session_goals": ["Reach the iron rig", "Read one letter aloud", "Leave room for silence"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """README_PICTURES=1 puts them where the documentation shows them."""
    return Path(__file__).parents[3] / "docs" / "pictures" if os.environ.get("README_PICTURES") else tmp_path


async def test_pictures(begin: Any, console: Any, open_page: Any, phone: Any, folder: Path) -> None:
    evening = begin(ahead=-3040.0)
    evening.do(evening.companion.current().save_dashboard(BOARD))
    evening.talk(apart=40)
    evening.silence(0)
    evening.spam()
    evening.silence(45)
    evening.say("zoe", "huh. ok, that one I'm keeping", badges=("subscriber",))
    evening.silence(2)
    evening.say("Mara_K", "do the letters ever say who they are from?", badges=("moderator",))
    evening.silence(0)
    quiet = {"reduced_motion": "reduce"}
    desktop, small = await console(evening, **quiet), await console(evening, **quiet, **phone)
    await desktop.click("#preview")
    await expect(desktop.locator("#approve-preview")).to_be_focused()
    await expect(desktop.locator(".line.own")).to_have_count(1)
    await desktop.screenshot(path=folder / "stream-console.png")
    await desktop.click("#tab-ledger")
    await desktop.wait_for_function("() => document.querySelector('.pulse')?.naturalWidth > 0")
    await desktop.screenshot(path=folder / "stream-ledger.png")
    await expect(small.locator(".line.own")).to_have_count(1)
    await small.screenshot(path=folder / "stream-phone.png")
    overlay = await desktop.context.request.get(f"{evening.url}/admin/companion/overlay")
    page = await open_page(
        evening.url + (await overlay.json())["path"],
        ready="#theme:not([hidden])",
        viewport={"width": 1280, "height": 720},
    )
    await page.screenshot(path=folder / "stream-overlay.png", omit_background=True)
    for name in ("console", "ledger", "phone", "overlay"):
        assert (folder / f"stream-{name}.png").stat().st_size > 10_000
