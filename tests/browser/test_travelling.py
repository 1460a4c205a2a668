"""Along the tree of timelines: back to here, forks, other tellings, corrections, two ways side by side."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_back_to_here_and_on_another_way(serve: Any, open_page: Any, player: Any) -> None:
    page = await open_page(f"{serve().url}/w/low-water", ready=".chips .button")
    reader = player(page)
    for action in ("Look around the Otter", "Go out to the Row", "wait"):
        await reader.act(action)
    await expect(page.locator("#where")).to_contain_text("The Row")
    timeline = page.get_by_role("complementary", name="Timeline")
    await timeline.get_by_role("button", name="Back to here: Turn 1").click()
    await expect(page.locator(".turn .action")).to_have_text(["Look around the Otter"])
    await expect(page.locator("#where")).to_contain_text("The Otter")
    await reader.act("Ask Nan about the graves")
    assert await reader.actions() == ["Look around the Otter", "Ask Nan about the graves"]

    await timeline.get_by_role("button", name="1 other way").click()
    sheet = page.get_by_role("dialog")
    await sheet.get_by_role("button", name="Compare").click()
    await expect(sheet).to_contain_text("They share everything up to turn 1.")
    await expect(sheet.locator(".two .action")).to_have_text(["Ask Nan about the graves", "Go out to the Row", "wait"])
    await expect(sheet.locator("table")).to_contain_text("The Row")
    await page.keyboard.press("Escape")

    await timeline.get_by_role("button", name="Tree", exact=True).click()
    tree = timeline.get_by_role("button", name="t1")
    await tree.click()
    await expect(page.locator(".turn .action")).to_have_text(["Look around the Otter", "Go out to the Row", "wait"])


async def test_undo_of_a_journey(serve: Any, open_page: Any, player: Any) -> None:
    page = await open_page(f"{serve().url}/w/low-water", ready=".chips .button")
    reader = player(page)
    await reader.act("look around")
    await page.locator(".turn.opening").hover()
    await page.locator(".turn.opening").get_by_role("button", name="Back to here").click()
    await expect(page.locator(".turn .action")).to_have_count(0)
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator(".turn .action")).to_have_text(["look around"])


async def test_another_telling_and_back_to_the_first(serve: Any, open_page: Any, player: Any, saying: Any) -> None:
    teller = saying("<narration>The first telling.</narration>", "<narration>The second telling.</narration>")
    page = await open_page(f"{serve(teller=teller).url}/w/low-water", ready=".chips .button")
    reader = player(page)
    await reader.act("look around")
    await page.focus("#words")
    await page.keyboard.press("Control+Enter")
    await expect(page.locator(".turn.last .told")).to_have_text("The second telling.")
    await expect(page.locator(".turn.last .ways")).to_have_text("telling 2 of 2")
    await page.focus("#words")
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator(".turn.last .told")).to_have_text("The first telling.")
    await page.keyboard.press("ArrowRight")
    await expect(page.locator(".turn.last .told")).to_have_text("The second telling.")
    await page.get_by_role("button", name="The telling before").click()
    await expect(page.locator(".turn.last .told")).to_have_text("The first telling.")
    assert await reader.actions() == ["look around"]


async def test_the_last_action_done_otherwise(serve: Any, open_page: Any, player: Any) -> None:
    page = await open_page(f"{serve().url}/w/low-water", ready=".chips .button")
    reader = player(page)
    await reader.act("look around")
    await reader.act("wait")
    await page.focus("#words")
    await page.keyboard.press("ArrowUp")
    await expect(page.locator("#words")).to_have_value("wait")
    await expect(page.locator(".editing")).to_contain_text("Instead of turn 2")
    await page.fill("#words", "Ask Dorcas about my father")
    await page.keyboard.press("Enter")
    await expect(page.locator(".turn .action")).to_have_text(["look around", "Ask Dorcas about my father"])
    await reader.settled()


async def test_correcting_what_was_told(serve: Any, open_page: Any, player: Any) -> None:
    page = await open_page(f"{serve().url}/w/low-water", ready=".chips .button")
    reader = player(page)
    await reader.act("look around")
    last = page.locator(".turn.last")
    await last.get_by_role("button", name="Edit what was told").click()
    await last.locator("textarea").first.fill("It was *quiet*, and nobody minded.")
    await last.get_by_role("button", name="Save").click()
    await expect(last.locator(".told")).to_contain_text("It was quiet, and nobody minded.")
    await expect(last.locator("em")).to_have_text("quiet")
    await page.reload()
    await expect(page.locator(".turn.last .told")).to_contain_text("It was quiet, and nobody minded.")


async def test_a_scene_ends_and_a_chapter_opens(serve: Any, open_page: Any, player: Any) -> None:
    page = await open_page(f"{serve().url}/w/low-water", ready=".chips .button")
    await player(page).act("look around")
    await page.get_by_role("button", name="Menu").click()
    await page.locator(".menu").get_by_text("End the scene").click()
    await page.get_by_role("dialog").get_by_role("button", name="End the scene").click()
    await expect(page.locator(".chapter")).to_have_count(2)


async def test_the_x_card_takes_one_press(serve: Any, open_page: Any, player: Any) -> None:
    page = await open_page(f"{serve().url}/w/low-water", ready=".chips .button")
    await player(page).act("look around")
    await page.get_by_role("button", name="X-card").click()
    await expect(page.get_by_role("button", name="Leave this alone")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator(".toast")).to_contain_text("X-card")
    await page.get_by_role("button", name="X-card").click()
    await page.get_by_role("button", name="A line: never").click()
    await expect(page.get_by_label("What to leave alone")).to_be_focused()
    await page.keyboard.type("stuffed otters")
    await page.get_by_role("button", name="A line: never").click()
    await expect(page.locator(".toast").last).to_contain_text("It is drawn.")


async def test_a_world_goes_out_and_is_dropped_in_again(serve: Any, open_page: Any, player: Any) -> None:
    page = await open_page(f"{serve().url}/w/low-water", ready=".chips .button")
    await player(page).act("look around")
    await page.get_by_role("button", name="Menu").click()
    await page.locator(".menu").get_by_text("Export").click()
    async with page.expect_download() as waiting:
        await page.get_by_role("dialog").get_by_role("link", name="World file").click()
    file = await (await waiting.value).path()
    await page.keyboard.press("Escape")
    await page.get_by_role("link", name="All worlds").click()
    await page.get_by_role("button", name="Delete Low Water at Corrow").click()
    await page.get_by_role("button", name="Delete it").click()
    await expect(page.get_by_role("heading", name="Every world remembers")).to_be_visible()
    given = await page.evaluate_handle(
        """text => { const data = new DataTransfer(); data.items.add(new File([text], "low-water.jsonl")); return data; }""",
        file.read_text(encoding="utf-8"),
    )
    await page.dispatch_event("body", "dragover", {"dataTransfer": given})
    await expect(page.locator(".drop")).to_be_visible()
    await page.dispatch_event("body", "drop", {"dataTransfer": given})
    await expect(page.locator(".turn .action")).to_have_text(["look around"])
