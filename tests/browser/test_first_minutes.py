"""The first ten minutes of somebody who has never seen it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_three_clicks_to_the_first_streamed_word(serve: Any, open_page: Any, waiting: Any) -> None:
    server = serve(world=False, teller=waiting)
    page = await open_page(server.url, ready=".story")
    await page.get_by_role("button", name="Begin").click()
    await expect(page.locator(".opens")).to_contain_text("The carrier put you down")
    await page.locator(".chips .button").first.click()
    await expect(page.locator(".telling .narration")).to_contain_text("Three words first.")
    assert page.url.endswith("/w/low-water")
    waiting.go_on.set()
    await expect(page.locator(".turn.last .narration")).to_contain_text("And then the rest of it.")


async def test_playing_looking_and_deciding(serve: Any, open_page: Any, player: Any) -> None:
    page = await open_page(f"{serve().url}/w/low-water", ready=".chips .button")
    reader = player(page)
    people = page.get_by_role("complementary", name="People and world")
    await expect(people.locator(".person .name").first).to_have_text("Dorcas Thrupp")

    await reader.act("Ask Dorcas about my father")
    await expect(page.locator(".turn.last .said .speaker")).to_have_text("Dorcas Thrupp")
    await reader.act("I try to sneak behind the bar and steal the register")
    dice = page.locator(".turn.last .dice")
    await expect(dice).to_contain_text("against")
    await expect(dice.locator(".tier")).to_have_text(re.compile("Triumph|Success|Success, at a cost|Failure|Disaster"))
    await expect(people.locator(".person .last").first).to_contain_text("steal the register")

    timeline = page.get_by_role("complementary", name="Timeline")
    await expect(timeline.locator("li.here")).to_contain_text("Turn 2")

    await page.locator(".turn.last").get_by_role("button", name="Why").click()
    why = page.get_by_role("dialog")
    await expect(why).to_contain_text("tokens")
    await expect(why.locator("h3").first).to_have_text("World")
    await page.keyboard.press("Escape")
    await expect(why).to_have_count(0)

    await people.get_by_role("tab", name="Canon").click()
    proposal = people.locator(".proposal").first
    await expect(proposal).to_contain_text("Source:")
    waiting_claims = await people.locator(".proposal").count()
    await proposal.get_by_role("button", name="Accept").click()
    await expect(people.locator(".proposal")).to_have_count(waiting_claims - 1)

    await people.get_by_role("tab", name="World").click()
    await expect(people.locator(".clock").first).to_contain_text("of")
    await people.get_by_role("tab", name="People").click()
    await people.locator(".person").first.click()
    await expect(page.get_by_role("dialog").locator(".list li").first).to_be_visible()
    await page.keyboard.press("Escape")

    await page.fill("#words", "/re")
    await expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(2)
    await page.fill("#words", "/recap")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("dialog")).to_contain_text("Ask Dorcas about my father")
    await page.keyboard.press("Escape")
    await page.fill("#words", "/roll 2d6+1")
    await page.keyboard.press("Enter")
    await expect(page.locator(".table-roll")).to_contain_text("2d6")


async def test_the_chronicle_is_read_and_taken_along(serve: Any, open_page: Any, player: Any) -> None:
    page = await open_page(f"{serve().url}/w/low-water", ready=".chips .button")
    await player(page).act("Read the subscription board")
    await page.get_by_role("button", name="Menu").click()
    await page.locator(".menu").get_by_text("Chronicle").click()
    book = page.get_by_role("dialog", name="Low Water at Corrow")
    await expect(book.locator(".book p").first).to_be_visible()
    async with page.expect_download() as waiting:
        await book.get_by_role("link", name="Markdown").click()
    written = await (await waiting.value).path()
    assert "Low Water at Corrow" in written.read_text(encoding="utf-8")


async def test_a_word_to_the_narrator_holds_until_it_is_taken_back(serve: Any, open_page: Any) -> None:
    page = await open_page(f"{serve().url}/w/low-water", ready=".chips .button")

    async def aside() -> None:
        await page.get_by_role("button", name="Menu").click()
        await page.locator(".menu").get_by_text("Tell the narrator").click()

    await aside()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_label("What should the narrator do?").fill("more weather")
    await sheet.get_by_role("button", name="Tell the narrator").click()
    await expect(sheet).to_have_count(0)
    await aside()
    await expect(sheet.locator("li")).to_contain_text("more weather")
    await sheet.get_by_role("button", name="Take back").click()
    await expect(sheet.locator("li")).to_have_count(0)


async def test_settings_theme_and_the_model_test(serve: Any, open_page: Any) -> None:
    page = await open_page(serve().url, ready=".world-row")
    await page.get_by_role("button", name="Menu").click()
    await page.locator(".menu").get_by_text("Settings").click()
    sheet = page.get_by_role("dialog")
    await expect(sheet).to_contain_text("built-in storyteller")
    await sheet.get_by_role("button", name="Test it").click()
    await expect(sheet.get_by_text("It answers", exact=True)).to_be_visible()
    await sheet.get_by_role("button", name="Light").click()
    assert await page.evaluate("document.documentElement.dataset.theme") == "light"
    await page.reload()
    assert await page.evaluate("document.documentElement.dataset.theme") == "light"


async def test_previously_on_return(serve: Any, open_page: Any, player: Any) -> None:
    server = serve()
    page = await open_page(f"{server.url}/w/low-water", ready=".chips .button")
    reader = player(page)
    for action in ("look around", "wait", "listen"):
        await reader.act(action)
    await page.clock.install()
    await page.clock.fast_forward("26:00:00")
    await page.reload()
    recap = page.get_by_role("region", name="Previously")
    await expect(recap).to_contain_text("look around")
    await recap.get_by_role("button", name="Put away").click()
    await expect(recap).to_have_count(0)


async def test_a_world_that_is_not_there_says_so(serve: Any, open_page: Any) -> None:
    page = await open_page(f"{serve().url}/w/nowhere", ready=".trouble", forgive=("status of 404",))
    await expect(page.get_by_role("alert")).to_contain_text("nowhere")
    await page.get_by_role("link", name="All worlds", exact=True).last.click()
    await expect(page.locator(".world-row")).to_have_count(1)
