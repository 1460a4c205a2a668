"""Two browsers at one table: an invitation, one stream for both, whispers that stay private; and a house with accounts."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def invite(host: Page, role: str = "player") -> str:
    await host.get_by_role("button", name="Menu").click()
    await host.locator(".menu").get_by_text("Who is at the table").click()
    await host.get_by_label("As", exact=True).select_option(role)
    await host.get_by_role("button", name="Make a link").click()
    link = await host.get_by_role("textbox", name="Link").input_value()
    await host.keyboard.press("Escape")
    return link


async def take_seat(guest: Page, name: str, character: str = "") -> None:
    await guest.get_by_label("What shall the others call you?").fill(name)
    if character:
        await guest.get_by_label("Your character’s name").fill(character)
    await guest.get_by_role("button", name="Take the seat").click()
    await expect(guest.locator("#words")).to_be_visible()


async def test_two_browsers_at_one_table(serve: Any, open_page: Any, player: Any, waiting: Any) -> None:
    server = serve(teller=waiting)
    host = await open_page(f"{server.url}/w/low-water", ready=".chips .button")
    guest = await open_page(await invite(host), ready=".entry")
    await take_seat(guest, "Ada", "Perpetua Finch")
    onlooker = await open_page(await invite(host, "spectator"), ready=".entry")
    heard: list[str] = []
    onlooker.on("websocket", lambda socket: socket.on("framereceived", lambda data: heard.append(str(data))))
    await take_seat(onlooker, "Bel")
    await expect(onlooker.locator("#words")).to_be_disabled()
    await expect(host.locator(".seats")).to_have_text("3 at the table")

    await guest.fill("#words", "look around")
    await guest.keyboard.press("Enter")
    for page in (host, guest, onlooker):
        await expect(page.locator(".telling .narration")).to_contain_text("Three words first.")
    await expect(host.locator(".telling .action .by")).to_have_text("Perpetua Finch")
    waiting.go_on.set()
    for page in (host, guest, onlooker):
        await player(page).settled()
    assert await player(host).told() == await player(guest).told() == await player(onlooker).told()

    await guest.get_by_role("button", name="Menu").click()
    await guest.locator(".menu").get_by_text("Who is at the table").click()
    await guest.get_by_label("Whisper").fill("meet me at the weir")
    await guest.get_by_role("button", name="Whisper", exact=True).click()
    await expect(host.locator(".toast")).to_contain_text("Ada whispers: meet me at the weir")
    await guest.keyboard.press("Escape")
    await guest.fill("#words", "wait")
    await guest.keyboard.press("Enter")
    await player(onlooker).settled(more_than=2)
    assert any("turn_ended" in message for message in heard)
    assert not any("weir" in message for message in heard), "a whisper never reaches another seat's wire"


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
