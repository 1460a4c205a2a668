"""For everyone: a phone, a keyboard and nothing else, axe's opinion, and text that would like to be script."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

HOSTILE = '<img src=x onerror="window.owned=1"><script>window.owned=1</script><b onclick="window.owned=1">hi</b>'


async def test_axe_finds_nothing_serious(serve: Any, open_page: Any, player: Any, judged: Any) -> None:
    server = serve()
    # axe makes markup from strings, which our policy forbids; it is let past the policy, the page is not.
    still = {"reduced_motion": "reduce", "bypass_csp": True}
    page = await open_page(server.url, ready=".story", **still)
    assert await judged(page) == []
    await page.goto(f"{server.url}/w/low-water")
    await page.wait_for_selector(".chips .button")
    reader = player(page)
    await reader.act("I try to sneak behind the bar and steal the register")
    await reader.act("Ask Dorcas about my father")
    await page.locator(".turn").nth(1).hover()
    assert await judged(page) == []
    for tab in ("World", "Canon"):
        await page.get_by_role("tab", name=tab).click()
        await expect(page.get_by_role("tabpanel", name=tab)).to_be_visible()
        assert await judged(page) == []
    await page.fill("#words", "/")
    await expect(page.get_by_role("listbox")).to_be_visible()
    assert await judged(page) == []
    await page.fill("#words", "")
    await page.get_by_role("button", name="Menu").click()
    assert await judged(page) == []
    await page.locator(".menu").get_by_text("Light theme").click()
    assert await judged(page) == []


async def test_axe_on_sheets(serve: Any, open_page: Any, player: Any, judged: Any) -> None:
    page = await open_page(
        f"{serve().url}/w/low-water", ready=".chips .button", reduced_motion="reduce", bypass_csp=True
    )
    await player(page).act("look around")
    for sheet in ("Why", "X-card", "Settings", "Keys", "Who is at the table", "Timelines", "Export"):
        if sheet in ("Why", "X-card"):
            await page.get_by_role("button", name=sheet).last.click()
        else:
            await page.get_by_role("button", name="Menu").click()
            await page.locator(".menu").get_by_text(sheet, exact=True).click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        assert await judged(page) == [], sheet
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_a_phone(serve: Any, open_page: Any, player: Any, phone: Any, judged: Any) -> None:
    still = {"reduced_motion": "reduce", "bypass_csp": True}
    page = await open_page(f"{serve().url}/w/low-water", ready=".chips .button", **phone, **still)
    await page.locator(".chips .button").first.tap()
    await player(page).settled(more_than=1)
    assert await page.evaluate("document.documentElement.scrollWidth") <= 390, "nothing sticks out"
    await page.get_by_role("button", name="People and world").tap()
    await expect(page.locator("#right .person").first).to_be_in_viewport()
    assert await judged(page) == []
    await page.locator("#close-right").tap()
    await page.get_by_role("button", name="Timeline", exact=True).tap()
    await page.get_by_role("button", name="Back to here: The opening").tap()
    await expect(page.locator(".turn .action")).to_have_count(0)
    small = await page.evaluate(
        """() => [...document.querySelectorAll("button, a.button, a.icon, input, textarea")]
        .filter(e => e.checkVisibility({visibilityProperty: true}) && !e.matches(".link, .veil, .go, .mark"))
        .filter(e => e.getBoundingClientRect().height < 39.5).map(e => e.outerHTML.slice(0, 90))"""
    )
    assert small == [], "targets are at least 40 pixels"
    assert await judged(page) == []


async def test_a_keyboard_and_nothing_else(serve: Any, open_page: Any, player: Any) -> None:
    page = await open_page(serve(world=False).url, ready=".story")

    async def tab_to(name: str, *, back: bool = False) -> None:
        for _ in range(60):
            await page.keyboard.press("Shift+Tab" if back else "Tab")
            label = await page.evaluate(
                "(document.activeElement.ariaLabel || document.activeElement.innerText || '').trim()"
            )
            if label.startswith(name):
                return
        raise AssertionError(f"the keyboard does not reach {name!r}")

    await tab_to("Begin")
    await page.keyboard.press("Enter")
    await page.wait_for_selector(".chips .button")
    await expect(page.locator("#words")).to_be_focused()
    await page.keyboard.type("look around")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("and listen")
    await page.keyboard.press("Enter")
    await player(page).settled(more_than=1)
    assert await player(page).actions() == ["look around\nand listen"]

    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog")).to_contain_text("tell the last turn again")
    await page.keyboard.press("Escape")
    await expect(page.locator("#words")).to_be_focused()
    await page.keyboard.press("Alt+Enter")
    await player(page).settled(more_than=2)
    await page.focus("#words")
    await tab_to("Why", back=True)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_contain_text("Why: turn 2")
    await page.keyboard.press("Escape")
    assert await page.evaluate("document.activeElement.ariaLabel") == "Why", "back where one was"
    await tab_to("Back to here: Turn 1", back=True)
    await page.keyboard.press("Enter")
    await expect(page.locator(".turn .action")).to_have_count(1)
    await tab_to("People")
    await page.keyboard.press("ArrowRight")
    await expect(page.get_by_role("tab", name="World")).to_be_focused()
    await expect(page.get_by_role("tabpanel", name="World")).to_be_visible()


async def test_hostile_text_stays_text(serve: Any, open_page: Any, player: Any, saying: Any) -> None:
    teller = saying(
        f'<narration>{HOSTILE} and *{HOSTILE}*</narration><cue who="person/dorcas" about="x"/>',
        f'<narration>"{HOSTILE}"</narration>',
    )
    server = serve(teller=teller)
    page = await open_page(server.url, ready=".story")
    made = await page.evaluate(
        """title => fetch("/api/v1/worlds", {method: "POST", headers: {"Content-Type": "application/json"},
        body: JSON.stringify({title, name: "hostile"})}).then(r => r.status)""",
        HOSTILE,
    )
    assert made == 201
    await page.reload()
    await expect(page.locator(".world-row b", has_text="<script>")).to_be_visible()
    await page.goto(f"{server.url}/w/hostile")
    await page.wait_for_selector(".chips .button")
    reader = player(page)
    await reader.act(HOSTILE)
    await page.fill("#words", f"/fork {HOSTILE[:60]}")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Tree", exact=True)).to_be_visible()
    await page.get_by_role("button", name="Tree", exact=True).click()
    await expect(page.locator("#left .picture svg")).to_be_visible()
    await reader.act(f"say {HOSTILE}")
    await page.get_by_role("button", name="Why").last.click()
    await expect(page.get_by_role("dialog")).to_contain_text("onerror")
    assert await page.evaluate("window.owned") is None
    foreign = "#scroll img, #scroll script, #scroll [onclick], .picture script, dialog img, aside img"
    assert await page.locator(foreign).count() == 0
    await expect(page.locator(".turn .action").first).to_contain_text("<script>")
