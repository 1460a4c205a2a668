"""While a turn is being told: words as they come, stopping, failing, a server that dies, a line that is lost."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from talekeeper.errors import ModelDown
from talekeeper.testing.chat_service import Answer, ChatService, chunk, said, sse

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_stop_in_mid_stream(serve: Any, open_page: Any, player: Any, waiting: Any) -> None:
    page = await open_page(f"{serve(teller=waiting).url}/w/low-water", ready=".chips .button")
    await page.fill("#words", "look around")
    await page.keyboard.press("Enter")
    await expect(page.locator(".telling .narration")).to_contain_text("Three words first.")
    await expect(page.get_by_role("button", name="Stop", exact=True)).to_be_visible()
    await page.keyboard.press("Escape")
    await player(page).settled()
    await expect(page.locator(".turn.last .told")).to_contain_text("Three words first.")
    await expect(page.locator(".turn.last")).to_contain_text("Stopped here.")
    assert "the rest" not in await page.locator(".turn.last").inner_text()
    await expect(page.get_by_role("button", name="Stop", exact=True)).to_be_hidden()
    waiting.go_on.set()
    await player(page).act("wait")
    await expect(page.locator(".turn.last .told")).to_contain_text("And then the rest of it.")


async def test_a_turn_that_fails_can_be_tried_again(serve: Any, open_page: Any, player: Any, saying: Any) -> None:
    down = ModelDown("The model does not answer.", "Try again in a moment.")
    teller = saying(down, "<narration>It went well after all.</narration>")
    page = await open_page(f"{serve(teller=teller).url}/w/low-water", ready=".chips .button")
    await page.fill("#words", "look around")
    await page.keyboard.press("Enter")
    alert = page.locator(".turn .ended")
    await expect(alert).to_contain_text("The model does not answer.")
    await alert.get_by_role("button", name="Try again").click()
    await expect(page.locator(".turn.last .told")).to_have_text("It went well after all.")
    assert await player(page).actions() == ["look around"]


async def test_a_server_killed_in_mid_stream(spawn: Any, open_page: Any, player: Any, lost_line: Any) -> None:
    async with ChatService() as model:
        model.will(Answer(pieces=(sse(chunk("<narration>Half a sentence, and "), done=False),), then="hang"))
        given = {"TALEKEEPER_MODEL_BASE_URL": model.base_url, "TALEKEEPER_MODEL_NAME": "tiny"}
        first = await spawn(**given).ready()
        page = await open_page(f"{first.url}/w/low-water", ready=".chips .button", forgive=lost_line)
        await page.fill("#words", "look around")
        await page.keyboard.press("Enter")
        await expect(page.locator(".telling .narration")).to_contain_text("Half a sentence, and")
        await page.fill("#words", "what I was about to do")
        first.kill()
        await expect(page.locator(".line-state")).to_contain_text("Trying again")
        model.will(said("<narration>A whole sentence, ", "and the end.</narration>"))
        await spawn(**given).ready()
        await expect(page.locator(".line-state")).to_have_count(0)
        await player(page).settled()
        await expect(page.locator(".turn.last .told")).to_have_text("A whole sentence, and the end.")
        assert await player(page).actions() == ["look around"]
        await expect(page.locator("#words")).to_have_value("what I was about to do")
        await page.reload()
        await expect(page.locator("#words")).to_have_value("what I was about to do")


async def test_offline_is_said_and_words_are_kept(serve: Any, open_page: Any, player: Any, lost_line: Any) -> None:
    page = await open_page(f"{serve().url}/w/low-water", ready=".chips .button", forgive=lost_line)
    await page.context.set_offline(True)
    await expect(page.locator(".line-state")).to_contain_text("offline")
    await page.fill("#words", "look around")
    await page.keyboard.press("Enter")
    await expect(page.locator(".toast.bad")).to_contain_text("Your words are kept")
    await expect(page.locator("#words")).to_have_value("look around")
    await expect(page.locator(".turn .action")).to_have_count(0)
    await page.context.set_offline(False)
    await expect(page.locator(".line-state")).to_have_count(0)
    await page.keyboard.press("Enter")
    await player(page).settled(more_than=1)
    assert await player(page).actions() == ["look around"], "once, though it was sent twice"


async def test_the_reader_is_not_moved_while_reading_above(
    serve: Any, open_page: Any, player: Any, waiting: Any
) -> None:
    waiting.rest = "A long way down. " * 400
    page = await open_page(f"{serve(teller=waiting).url}/w/low-water", ready=".chips .button")
    await page.fill("#words", "look around")
    await page.keyboard.press("Enter")
    await expect(page.locator(".telling .narration")).to_contain_text("Three words first.")
    await page.evaluate("document.querySelector('#scroll').scrollTop = 0")
    await expect(page.locator(".telling")).to_have_count(1)
    waiting.go_on.set()
    await player(page).settled()
    assert await page.evaluate("document.querySelector('#scroll').scrollTop") == 0
    await page.get_by_role("button", name="New words below").click()
    await page.wait_for_function("() => document.querySelector('#scroll').scrollTop > 100")


async def test_a_listener_hears_the_finished_turn(serve: Any, open_page: Any, player: Any, waiting: Any) -> None:
    page = await open_page(f"{serve(teller=waiting).url}/w/low-water", ready=".chips .button")
    await page.fill("#words", "look around")
    await page.keyboard.press("Enter")
    await expect(page.locator(".telling .narration")).to_contain_text("Three words first.")
    heard = page.get_by_role("log")
    await expect(heard).to_have_text("")
    assert await page.locator(".telling").get_attribute("aria-busy") == "true"
    waiting.go_on.set()
    await player(page).settled()
    await expect(heard).to_have_text("Turn 1. Three words first. And then the rest of it.")
    await expect(page.get_by_role("heading", name="Turn 1")).to_have_count(1)
    await expect(page.get_by_role("main")).to_have_count(1)


async def test_less_motion_shows_words_at_once(serve: Any, open_page: Any, player: Any, saying: Any) -> None:
    long = "One sentence after another. " * 60
    server = serve(teller=saying(f"<narration>{long}</narration>"))
    page = await open_page(f"{server.url}/w/low-water", ready=".chips .button", reduced_motion="reduce")
    painted = await page.evaluate_handle(
        """() => { const seen = new Set(); new MutationObserver(() => {
            const p = document.querySelector(".telling .narration"); if (p) seen.add(p.textContent.length);
        }).observe(document.querySelector("#scroll"), {subtree: true, childList: true, characterData: true}); return seen; }"""
    )
    await player(page).act("look around")
    assert await painted.evaluate("seen => seen.size") <= 2
