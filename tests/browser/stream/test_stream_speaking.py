"""Speaking through the console: preview, approval, words of the operator's own, and hush."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

from talekeeper.doors.stream.transport.port import Dropped

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_preview_edit_and_approve(evening: Any, console: Any) -> None:
    page = await console(evening)
    await page.click("#preview")
    await expect(page.locator("#approve-preview")).to_be_focused()
    words = page.locator("#previewed textarea")
    await expect(words).not_to_have_value("")
    assert evening.said == [], "a preview posts nothing"
    await page.click("text=Something else")
    await expect(page.locator("#approve-preview")).to_be_focused()
    await words.fill("FOLLOW THE CHANNEL NOW!!!")
    await page.click("#approve-preview")
    await expect(page.locator(".toast").last).to_contain_text("It would not sound like the companion.")
    await words.fill("A lamp is a promise kept to strangers.")
    await page.click("#approve-preview")
    await expect(page.locator(".line.own")).to_contain_text("A lamp is a promise kept to strangers.")
    await expect(page.locator("#previewed")).to_have_count(0)
    assert evening.said == ["A lamp is a promise kept to strangers."]


async def test_words_stay_when_the_stream_is_not_live(evening: Any, console: Any) -> None:
    evening.live = False
    page = await console(evening)
    await expect(page.locator("#live")).to_have_text("not live")
    await page.fill("#words", "The harbour is quiet tonight.")
    await page.keyboard.press("Enter")
    await expect(page.locator(".toast")).to_contain_text("The stream is not live, so nothing was sent.")
    await expect(page.locator("#words")).to_have_value("The harbour is quiet tonight.")
    evening.live = True
    await page.click("#check-live")
    await expect(page.locator("#live")).to_have_text("live")
    await page.locator("#words").focus()
    await page.keyboard.press("Enter")
    await expect(page.locator("#words")).to_have_value("")
    assert evening.said == ["The harbour is quiet tonight."]


async def test_it_can_be_tried_while_the_stream_is_not_live(evening: Any, console: Any) -> None:
    evening.live = False
    page = await console(evening)
    await page.click("[aria-label=Menu]")
    await page.click("text=Try it offline")
    await expect(page.locator("#left .warned")).to_contain_text("Test mode")
    await page.fill("#words", "The harbour is quiet tonight.")
    await page.keyboard.press("Enter")
    await expect(page.locator(".line.own .mark.good")).to_have_text("said")
    await page.click("[aria-label=Menu]")
    await page.click("text=End the test mode")
    await expect(page.locator("#left .warned")).to_have_count(0)


async def test_a_held_line_waits_for_approval(begin: Any, console: Any) -> None:
    evening = begin(stream_approval=True)
    page = await console(evening)
    evening.silence(60)
    offer = page.locator(".offer")
    await expect(offer.locator("textarea")).not_to_have_value("")
    assert evening.said == []
    await offer.locator("textarea").fill("The tide keeps a ledger of its own.")
    await offer.locator("text=Approve").click()
    await expect(offer).to_have_count(0)
    assert evening.said == ["The tide keeps a ledger of its own."]


async def test_a_held_line_may_be_left_unsaid(begin: Any, console: Any) -> None:
    evening = begin(stream_approval=True)
    page = await console(evening)
    evening.silence(60)
    await page.get_by_role("button", name="Leave it unsaid").click()
    await expect(page.locator(".offer")).to_have_count(0)
    assert evening.said == []


async def test_words_being_mended_are_not_taken_away(begin: Any, console: Any) -> None:
    evening = begin(stream_approval=True)
    evening.silence(60)
    page = await console(evening)
    words = page.locator(".offer textarea")
    await words.fill("The tide keeps")
    evening.spam()
    await expect(page.locator("#tab-flags .count")).to_have_text("1")
    await expect(words).to_be_focused()
    await page.keyboard.type(" a ledger.")
    await expect(words).to_have_value("The tide keeps a ledger.")


async def test_a_line_the_chat_did_not_take_says_so(evening: Any, console: Any) -> None:
    evening.chat.will(Dropped("channel_settings"))
    page = await console(evening)
    await page.fill("#words", "The harbour is quiet tonight.")
    await page.keyboard.press("Enter")
    await expect(page.locator(".toast")).to_contain_text("The chat did not take it.")
    await expect(page.locator(".line.own .mark.bad")).to_have_text("not sent")
    await expect(page.locator(".line.own small")).to_contain_text("channel settings")
    await expect(page.locator("#words")).to_have_value("The harbour is quiet tonight.")


async def test_hush_and_let_it_speak_again(evening: Any, console: Any) -> None:
    page = await console(evening)
    await page.click("#hush-15")
    await expect(page.locator(".mind b")).to_have_text("Hushed")
    await page.reload()
    await expect(page.locator(".mind b")).to_have_text("Hushed")
    await page.fill("#words", "The harbour is quiet tonight.")
    await page.keyboard.press("Enter")
    await expect(page.locator(".toast")).to_contain_text("It is hushed, so nothing was sent.")
    await page.click("#hush-lift")
    await expect(page.locator("#hush-15")).to_be_visible()
    assert not evening.companion.current().hushed
