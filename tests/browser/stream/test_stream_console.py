"""The console: in by the key, the chat as it comes, what the companion thinks of it, and the keys."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.async_api import expect

from talekeeper.agents.companion.line import ChatLine
from talekeeper.doors.stream.transport.port import LineHeard, LineRemoved

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_wrong_key_is_refused_and_the_right_one_opens(evening: Any, door: Any, enter: Any) -> None:
    page = await door(evening)
    await expect(page.locator("input[name=key]")).to_be_focused()
    await page.keyboard.type("not the key")
    await page.keyboard.press("Enter")
    await expect(page.locator("[role=alert]")).to_have_text(
        "That is not the admin key. It is the setting ADMIN_API_KEY."
    )
    await enter(page)
    await expect(page.locator("#title")).to_have_text("emberhall")
    await page.reload()
    await expect(page.locator("#words")).to_be_visible()
    await page.click("[aria-label=Menu]")
    await page.click("text=Log out")
    await expect(page.locator("input[name=key]")).to_be_visible()


async def test_on_the_shelf_a_channel_is_no_story(evening: Any, open_page: Any) -> None:
    page = await open_page(evening.url, ready=".shelf .world-row")
    await expect(page.get_by_role("heading", name="Also kept here")).to_be_visible()
    await page.get_by_role("link", name="The channel emberhall A live").click()
    await expect(page.get_by_role("link", name="Open the console")).to_have_attribute("href", "/stream")
    await expect(page.locator("#words")).to_have_count(0)
    await page.get_by_role("button", name="Read the chronicle").click()
    await expect(page.get_by_role("dialog")).to_contain_text("Take it along")


async def test_a_session_is_ended_and_another_opened(evening: Any, console: Any) -> None:
    page = await console(evening)
    await page.click("[aria-label=Menu]")
    await page.click("text=End the session")
    await page.click("text=End it and write the ledger")
    await expect(page.locator(".trouble h2")).to_have_text("No session is open")
    assert list(evening.companion.settings.ledgers.glob("ledger_*.md"))
    await page.fill("input[name=channel_name]", "#Emberhall")
    await page.keyboard.press("Enter")
    await expect(page.locator("#words")).to_be_visible()
    await expect(page.locator("#title")).to_have_text("emberhall")


async def test_the_chat_comes_in_with_flags_and_its_words_are_only_words(evening: Any, console: Any) -> None:
    page = await console(evening)
    await expect(page.locator("#quiet-chat")).to_be_visible()
    evening.talk()
    evil = "<img src=x onerror=\"document.title='caught'\"><script>document.title='caught'</script> **hello**"
    evening.say("<i>eve</i>", evil, "evil")
    evening.spam()
    await expect(page.locator(".line[data-id=evil] p")).to_have_text(evil)
    await expect(page.locator(".line[data-id=evil] .who")).to_have_text("<i>eve</i>")
    assert await page.locator(".line img, .line script, .line i").count() == 0
    await expect(page.locator(".line").first).to_contain_text("mod")
    flagged = page.locator(".line.flagged")
    await expect(flagged).to_have_count(1)
    await expect(flagged.locator(".flag b")).to_have_text(re.compile("medium|high"))
    await expect(page.locator("#announcer")).to_contain_text("b1g_deals")
    await expect(page.locator("#tab-flags .count")).to_have_text("1")
    await page.click("#tab-flags")
    await expect(page.locator("#panel-flags li")).to_contain_text("Wanna become famous?")
    assert "caught" not in await page.title()


async def test_words_that_were_taken_back_leave_the_page(evening: Any, console: Any) -> None:
    evening.say("Mara_K", "my address is 7 Harbour Row", "secret")
    page = await console(evening)
    evening.talk()
    await expect(page.locator(".line")).to_have_count(5)
    evening.hear(LineRemoved(message="secret"))
    await expect(page.locator(".line[data-id=secret] p")).to_have_text("taken back")
    evening.hear(LineRemoved(name="odo"))
    await expect(page.locator(".line.gone")).to_have_count(3)
    await expect(page.locator("#chat")).not_to_contain_text("painted the door")
    await page.reload()
    await expect(page.locator(".line")).to_have_count(2)


async def test_it_says_what_it_thinks_why_and_when_it_may_speak(evening: Any, console: Any) -> None:
    page = await console(evening)
    evening.talk()
    evening.silence(0)
    await expect(page.locator(".mind b")).to_have_text("Keeps silent")
    await expect(page.locator(".mind p")).to_have_text("People are talking.")
    await expect(page.locator("#in-short")).to_have_text("Keeps silent: People are talking.")
    evening.silence(60)
    (said,) = evening.said
    await expect(page.locator(".line.own p")).to_have_text(said)
    await expect(page.locator(".line.own .mark.good")).to_have_text("said")
    evening.silence(1)
    await expect(page.locator(".mind p")).to_have_text("It spoke not long ago.")
    await expect(page.locator(".turns li")).to_have_count(3)
    await page.reload()
    await expect(page.locator(".last-words")).to_contain_text(said)
    await expect(page.locator(".line")).to_have_count(5)
    await expect(page.locator(".line").last).to_contain_text(said)
    await expect(page.locator("#next-time")).to_contain_text(re.compile(r"\d\d:\d\d, in 1 h \d+ min"))


async def test_a_flood_of_chat_is_cut_to_what_can_be_read(evening: Any, console: Any) -> None:
    page = await console(evening)
    lines = (
        ChatLine(f"f{n}", f"viewer{n % 50}", f"line {n} of the flood", evening.now(), channel="emberhall")
        for n in range(1500)
    )
    evening.hear(*map(LineHeard, lines))
    await expect(page.locator(".line[data-id=f1499]")).to_be_in_viewport()
    assert await page.locator(".line").count() <= 400


async def test_everything_by_keyboard(evening: Any, console: Any) -> None:
    page = await console(evening)
    await page.locator("#scroll").focus()
    await page.keyboard.press("?")
    await expect(page.locator("dialog")).to_contain_text("hush for 15 minutes")
    await page.keyboard.press("Escape")
    await page.keyboard.press("h")
    await expect(page.locator("#hush-lift")).to_be_visible()
    await page.keyboard.press("p")
    await expect(page.locator("#approve-preview")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.locator("#previewed")).to_have_count(0)
    await page.locator("#tab-stream").focus()
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("#tab-flags")).to_be_focused()
    await page.keyboard.press("/")
    await page.keyboard.type("p is a letter here. ?")
    await expect(page.locator("#words")).to_have_value("p is a letter here. ?")
    assert evening.said == []


async def test_a_lost_line_is_said_and_taken_up_again(evening: Any, console: Any) -> None:
    page = await console(evening)
    evening.say("odo", "here", "before")
    await expect(page.locator(".line[data-id=before]")).to_be_visible()

    async def cut() -> None:
        evening.companion.feed.close()

    evening.do(cut())
    await expect(page.locator("#line-state")).to_be_visible()
    evening.say("odo", "said while the line was lost", "between")
    await expect(page.locator(".line[data-id=between]")).to_be_visible()
    await expect(page.locator(".line")).to_have_count(2)
    await expect(page.locator("#line-state")).to_have_count(0)
