"""Beside the chat: the dashboard, moments, the ledger; and the overlay that shows the theme."""

from __future__ import annotations

import base64
import re
from typing import Any

import pytest
from playwright.async_api import expect

TRANSPARENT = """async (base64) => {
  const image = new Image();
  image.src = `data:image/png;base64,${base64}`;
  await image.decode();
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.drawImage(image, 0, 0);
  return canvas.getImageData(0, 0, 8, 8).data.every((value) => value === 0);
}"""

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_the_dashboard_is_drafted_written_and_saved(evening: Any, console: Any) -> None:
    page = await console(evening)
    await page.click("text=Draft one for me")
    await page.fill(".sheet input[name=game]", "Dredge")
    await page.click("text=Draft it")
    await expect(page.locator("#right input[name=stream_title]")).to_have_value(re.compile("Dredge"))
    await page.fill("#right textarea[name=content_angle]", "What the sea keeps")
    await page.click("#tab-flags")
    await page.click("#tab-stream")
    await expect(page.locator("#right textarea[name=content_angle]")).to_have_value("What the sea keeps")
    await page.get_by_role("button", name="Check", exact=True).click()
    await expect(page.locator(".toast")).to_have_text("Nothing to mend.")
    await page.click("#save-board")
    await expect(page.locator("#saved-at")).to_have_text(re.compile("^saved "))
    await expect(page.locator("#where")).to_have_text("What the sea keeps")
    saved = evening.companion.current().dashboard
    assert saved is not None
    assert (saved.content_angle, saved.game) == ("What the sea keeps", "Dredge")
    assert len(saved.session_goals) >= 3
    await page.fill("#right input[name=mood]", "slow")
    await page.click("#save-board")
    await expect(page.locator(".toast")).to_have_count(3)
    again = evening.companion.current().dashboard
    assert again is not None
    assert (again.mood, again.content_angle) == ("slow", "What the sea keeps"), "the rest stays as it was"


async def test_pasted_notes_fill_the_fields(evening: Any, console: Any) -> None:
    page = await console(evening)
    await page.click("text=Notes as Markdown")
    await page.fill("#right textarea[name=raw_markdown]", "## Title\nNight watch\n\n## Goals\n- Read one letter\n")
    await page.click("#save-board")
    await expect(page.locator("#right input[name=stream_title]")).to_have_value("Night watch")
    await expect(page.locator("#right textarea[name=session_goals]")).to_have_value("Read one letter")


async def test_moments_are_marked_only_by_the_operator(evening: Any, console: Any) -> None:
    for minute in range(40):
        evening.say("odo", f"a slow thought, number {minute}")
        evening.ahead += 60
    for number in range(30):
        evening.say(f"voice{number % 10}", f"did you see that, {number}? the door opened by itself")
    evening.silence(2)
    page = await console(evening)
    await page.click("#tab-moments")
    assert evening.markers == []
    await page.click("text=Set a marker")
    await expect(page.locator("#panel-moments .mark.good")).to_have_text("marked on the stream")
    assert len(evening.markers) == 1


async def test_the_ledger_is_read_as_words(evening: Any, console: Any) -> None:
    evening.say("odo", "<b>bold</b> claims about *stars* & lighthouses, and what they owe the sea at night")
    page = await console(evening)
    await page.keyboard.press("l")
    await expect(page.locator(".leaf h3")).to_have_text(re.compile("^Sanctum Ledger — "))
    await expect(page.locator(".leaf li", has_text="odo").first).to_contain_text(
        "odo: <b>bold</b> claims about *stars* & light"
    )
    await page.wait_for_function("() => document.querySelector('.pulse').naturalWidth > 0")
    async with page.expect_download() as saved:
        await page.click("#panel-ledger a[download]")
    session = evening.companion.current().session
    assert re.fullmatch(rf"ledger_\d{{4}}-\d\d-\d\d_{session.id[:8]}\.md", (await saved.value).suggested_filename)


async def test_the_overlay_shows_the_theme_on_nothing(evening: Any, console: Any, open_page: Any) -> None:
    theme = "<b>What</b> a lighthouse owes the sea"
    evening.do(evening.companion.current().save_dashboard({"raw_markdown": "notes", "content_angle": theme}))
    operator = await console(evening)
    await operator.click("[aria-label=Menu]")
    await operator.click("text=Overlay for OBS")
    address = await operator.locator("dialog input").input_value()
    page = await open_page(address, ready="#theme:not([hidden])", viewport={"width": 1280, "height": 720})
    await expect(page.locator("#theme")).to_have_text(theme)
    assert await page.locator("button, a, input, textarea, select, form, iframe").count() == 0
    grounds = await page.evaluate(
        "[document.documentElement, document.body].map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert grounds == ["rgba(0, 0, 0, 0)"] * 2
    picture = await page.screenshot(omit_background=True, clip={"x": 600, "y": 0, "width": 8, "height": 8})
    assert await page.evaluate(TRANSPARENT, base64.b64encode(picture).decode())
    evening.do(evening.companion.current().save_dashboard({"content_angle": "Maps with nothing on them"}))
    await expect(page.locator("#theme")).to_have_text("Maps with nothing on them")
    evening.do(evening.companion.current().save_dashboard({"content_angle": None}))
    await expect(page.locator("#theme")).to_be_hidden()
    refused = await page.context.request.get(f"{evening.url}/stream/overlay?token=guessed")
    assert refused.status == 401
