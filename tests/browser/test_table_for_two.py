"""Two browsers at one table: an invitation, one stream for both, whispers that stay private; and a house with accounts."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_two_browsers_at_one_table(serve: Any, open_page: Any, player: Any, waiting: Any) -> None:
    server = serve(teller=waiting)
    host = await open_page(f"{server.url}/w/low-water", ready=".chips .button")
    await host.get_by_role("button", name="Menu").click()
    await host.locator(".menu").get_by_text("Who is at the table").click()
    await host.get_by_role("button", name="Make a link").click()
    link = await host.get_by_role("textbox", name="Link").input_value()
    await host.keyboard.press("Escape")

    guest = await open_page(link, ready=".entry")
    await guest.get_by_label("What shall the others call you?").fill("Ada")
    await guest.get_by_label("Your character’s name").fill("Perpetua Finch")
    await guest.get_by_role("button", name="Take the seat").click()
    await expect(guest.locator("#words")).to_be_enabled()
    await expect(host.locator(".seats")).to_have_text("2 at the table")

    frames: list[str] = []
    third = await open_page(f"{server.url}/w/low-water", ready=".chips .button")
    third.on("websocket", lambda socket: socket.on("framereceived", lambda data: frames.append(str(data))))
    await third.reload()
    await expect(third.locator(".seats")).to_be_visible()

    await guest.fill("#words", "look around")
    await guest.keyboard.press("Enter")
    for page in (host, guest):
        await expect(page.locator(".telling .narration")).to_contain_text("Three words first.")
    await expect(host.locator(".telling .action .by")).to_have_text("Perpetua Finch")
    waiting.go_on.set()
    for page in (host, guest):
        await player(page).settled()
    assert await player(host).told() == await player(guest).told()

    await guest.get_by_role("button", name="Menu").click()
    await guest.locator(".menu").get_by_text("Who is at the table").click()
    await guest.get_by_label("Whisper").fill("meet me at the weir")
    await guest.get_by_role("button", name="Whisper", exact=True).click()
    await expect(host.locator(".toast")).to_contain_text("Ada whispers: meet me at the weir")
    await guest.keyboard.press("Escape")
    await expect(guest.locator(".toast")).to_have_count(0)


async def test_a_house_with_accounts(serve: Any, open_page: Any) -> None:
    server = serve(auth="accounts", world=False)
    page = await open_page(server.url, ready=".entry", forgive=("status of 401",))
    await page.get_by_label("Name").fill("ada")
    await page.get_by_label("Password").fill("a long enough password")
    await page.get_by_role("button", name="Make it").click()
    await page.get_by_role("button", name="Begin").click()
    await expect(page.locator(".opens")).to_be_visible()

    stranger = await open_page(f"{server.url}/w/low-water", ready=".entry", forgive=("status of 401",))
    await stranger.get_by_label("Name").fill("ada")
    await stranger.get_by_label("Password").fill("not the password at all")
    await stranger.get_by_role("button", name="Log in").click()
    await expect(stranger.get_by_role("alert")).to_contain_text("password")
    assert "The carrier" not in await stranger.content()

    await page.get_by_role("button", name="Menu").click()
    await page.locator(".menu").get_by_text("Log out").click()
    await expect(page.locator(".entry")).to_be_visible()
