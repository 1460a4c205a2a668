"""The operator's console and the overlay in Chromium, on the real server with a chat the test writes."""

from __future__ import annotations

import asyncio
import base64
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from talekeeper.agents.companion.line import ChatLine
from talekeeper.app.engine import Engine
from talekeeper.app.server import build_server
from talekeeper.app.serving import HouseServer
from talekeeper.app.stream_door import stream_companion
from talekeeper.doors.stream.live_status import Live
from talekeeper.doors.stream.mouth import Reach
from talekeeper.doors.stream.transport.port import Dropped, Heard, LineHeard, LineRemoved
from talekeeper.testing.house import House
from talekeeper.testing.twitch.scripted_transport import ScriptedTransport

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

KEY = "a long admin key, für immer"
REFUSED = ("net::ERR_", "status of 401", "status of 404", "status of 409", "status of 422", "status of 502")
SPAM = "Wanna become famous? Buy followers, primes and viewers on bigfollows . com"
TALK = (
    ("Mara_K", ("moderator",), "evening all. is that the same lighthouse as last week?"),
    ("odo", (), "it is, but somebody painted the door"),
    ("zoe", ("subscriber",), "I like that he never answers the letters. It makes you want to write one."),
    ("odo", (), "you'd need to know what he's afraid of first"),
)
TRANSPARENT = """async (base64) => {
  const image = new Image();
  image.src = `data:image/png;base64,${base64}`;
  await image.decode();
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.drawImage(image, 0, 0);
  return canvas.getImageData(0, 0, 8, 8).data.every((value) => value === 0);
}"""


class Evening:
    """A server in a thread with an event loop of its own, and a hand on its chat, its clock and its being live."""

    def __init__(self, house: House, ahead: float = 0.0, **settings: Any) -> None:
        self.live = True
        self.ahead = ahead
        self.markers: list[str] = []
        self.chat = ScriptedTransport()
        given = {"stream_admin_key": KEY, "stream_channel": "emberhall", "limits_requests": 0, **settings}
        self.engine = Engine.open(house.settings(world=False, **given), clock=self.now)
        self.companion = stream_companion(self.engine, lambda channel: Reach(self.chat, self, self._mark))
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._server = HouseServer(build_server(self.engine, companion=self.companion))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            threading.Event().wait(0.005)
        assert self._thread.is_alive(), "the server did not start"

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._server.serve(sockets=[self._socket]))

    def now(self) -> float:
        return time.time() + self.ahead

    async def get(self, force: bool = False) -> Live:
        return Live("emberhall", self.live, self.now(), viewer_count=14, reason=None if self.live else "stream_offline")

    async def _mark(self, note: str) -> None:
        self.markers.append(note)

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(20)

    def hear(self, *heard: Heard) -> None:
        self.do(self.chat.hear(*heard))

    def say(self, name: str, text: str, id_: str = "", badges: tuple[str, ...] = ()) -> None:
        number = id_ or f"line{time.monotonic_ns()}"
        self.hear(LineHeard(ChatLine(number, name.lower(), text, self.now(), name, badges, channel="emberhall")))

    def talk(self) -> None:
        for name, badges, text in TALK:
            self.say(name, text, badges=badges)

    def silence(self, minutes: float) -> None:
        """Time passes, and the companion looks at the chat."""
        self.ahead += minutes * 60
        self.do(self.companion.tick_all())

    @property
    def said(self) -> list[str]:
        return [text for text, _ in self.chat.sent]

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(timeout=20)
        assert not self._thread.is_alive(), "the server did not stop"
        self._socket.close()


Begin = Callable[..., Evening]


@pytest.fixture
def begin(sqlite_house: House) -> Iterator[Begin]:
    begun: list[Evening] = []

    def begin_(**settings: Any) -> Evening:
        begun.append(Evening(sqlite_house, **settings))
        begun[-1].silence(0)  # the first look finds the channel live, and opens its session
        return begun[-1]

    yield begin_
    for evening in begun:
        evening.stop()


@pytest.fixture
def evening(begin: Begin) -> Evening:
    """In the channel `emberhall`, live, connected, and nobody has said anything."""
    return begin()


async def come_in(page: Page) -> None:
    await page.fill("input[name=key]", KEY)
    await page.keyboard.press("Enter")
    await expect(page.locator("#words")).to_be_visible()


@pytest.fixture
def console(open_page: Any) -> Any:
    async def open_(evening: Evening, **options: Any) -> Page:
        page: Page = await open_page(f"{evening.url}/stream", ready="input[name=key]", forgive=REFUSED, **options)
        await come_in(page)
        await expect(page.locator("#panel-stream #save-board")).to_be_attached()
        return page

    return open_


async def test_a_wrong_key_is_refused_and_the_right_one_opens(evening: Evening, open_page: Any) -> None:
    page = await open_page(f"{evening.url}/stream", ready="input[name=key]", forgive=REFUSED)
    await expect(page.locator("input[name=key]")).to_be_focused()
    await page.keyboard.type("not the key")
    await page.keyboard.press("Enter")
    await expect(page.locator("[role=alert]")).to_have_text(
        "That is not the admin key. It is the setting ADMIN_API_KEY."
    )
    await come_in(page)
    await expect(page.locator("#title")).to_have_text("emberhall")
    await page.reload()
    await expect(page.locator("#words")).to_be_visible()
    await page.click("[aria-label=Menu]")
    await page.click("text=Log out")
    await expect(page.locator("input[name=key]")).to_be_visible()


async def test_a_session_is_ended_and_another_opened(evening: Evening, console: Any) -> None:
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


async def test_the_chat_comes_in_with_flags_and_its_words_are_only_words(evening: Evening, console: Any) -> None:
    page = await console(evening)
    await expect(page.locator("#quiet-chat")).to_be_visible()
    evening.talk()
    evil = "<img src=x onerror=\"document.title='caught'\"><script>document.title='caught'</script> **hello**"
    evening.say("<i>eve</i>", evil, "evil")
    evening.say("b1g_deals", SPAM)
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


async def test_words_that_were_taken_back_leave_the_page(evening: Evening, console: Any) -> None:
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


async def test_it_says_what_it_thinks_why_and_when_it_may_speak(evening: Evening, console: Any) -> None:
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


async def test_preview_edit_and_approve(evening: Evening, console: Any) -> None:
    page = await console(evening)
    await page.click("#preview")
    await expect(page.locator("#approve-preview")).to_be_focused()
    words = page.locator("#previewed textarea")
    await expect(words).not_to_have_value("")
    assert evening.said == [], "a preview posts nothing"
    await words.fill("FOLLOW THE CHANNEL NOW!!!")
    await page.click("#approve-preview")
    await expect(page.locator(".toast")).to_contain_text("It would not sound like the companion.")
    await words.fill("A lamp is a promise kept to strangers.")
    await page.click("#approve-preview")
    await expect(page.locator(".line.own")).to_contain_text("A lamp is a promise kept to strangers.")
    await expect(page.locator("#previewed")).to_have_count(0)
    assert evening.said == ["A lamp is a promise kept to strangers."]


async def test_words_stay_when_the_stream_is_not_live(evening: Evening, console: Any) -> None:
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


async def test_it_can_be_tried_while_the_stream_is_not_live(evening: Evening, console: Any) -> None:
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


async def test_a_held_line_waits_for_approval(begin: Begin, console: Any) -> None:
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


async def test_words_being_mended_are_not_taken_away(begin: Begin, console: Any) -> None:
    evening = begin(stream_approval=True)
    evening.silence(60)
    page = await console(evening)
    words = page.locator(".offer textarea")
    await words.fill("The tide keeps")
    evening.say("b1g_deals", SPAM)
    await expect(page.locator("#tab-flags .count")).to_have_text("1")
    await expect(words).to_be_focused()
    await page.keyboard.type(" a ledger.")
    await expect(words).to_have_value("The tide keeps a ledger.")


async def test_a_line_the_chat_did_not_take_says_so(evening: Evening, console: Any) -> None:
    evening.chat.will(Dropped("channel_settings"))
    page = await console(evening)
    await page.fill("#words", "The harbour is quiet tonight.")
    await page.keyboard.press("Enter")
    await expect(page.locator(".toast")).to_contain_text("The chat did not take it.")
    await expect(page.locator(".line.own .mark.bad")).to_have_text("not sent")
    await expect(page.locator(".line.own small")).to_contain_text("channel settings")
    await expect(page.locator("#words")).to_have_value("The harbour is quiet tonight.")


async def test_a_flood_of_chat_is_cut_to_what_can_be_read(evening: Evening, console: Any) -> None:
    page = await console(evening)
    lines = (
        ChatLine(f"f{n}", f"viewer{n % 50}", f"line {n} of the flood", evening.now(), channel="emberhall")
        for n in range(1500)
    )
    evening.hear(*map(LineHeard, lines))
    await expect(page.locator(".line[data-id=f1499]")).to_be_in_viewport()
    assert await page.locator(".line").count() <= 400


async def test_hush_and_let_it_speak_again(evening: Evening, console: Any) -> None:
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


async def test_the_dashboard_is_drafted_written_and_saved(evening: Evening, console: Any) -> None:
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


async def test_pasted_notes_fill_the_fields(evening: Evening, console: Any) -> None:
    page = await console(evening)
    await page.click("text=Notes as Markdown")
    await page.fill("#right textarea[name=raw_markdown]", "## Title\nNight watch\n\n## Goals\n- Read one letter\n")
    await page.click("#save-board")
    await expect(page.locator("#right input[name=stream_title]")).to_have_value("Night watch")
    await expect(page.locator("#right textarea[name=session_goals]")).to_have_value("Read one letter")


async def test_moments_are_marked_only_by_the_operator(evening: Evening, console: Any) -> None:
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


async def test_the_ledger_is_read_as_words(evening: Evening, console: Any) -> None:
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


async def test_everything_by_keyboard(evening: Evening, console: Any) -> None:
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


async def test_a_lost_line_is_said_and_taken_up_again(evening: Evening, console: Any) -> None:
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


async def test_on_a_phone_both_sides_are_drawers(evening: Evening, console: Any, phone: Any) -> None:
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


@pytest.fixture(scope="session")
def axe() -> str:
    """axe-core, as the play table's tests install it."""
    script = Path(__file__).parents[2] / "node_modules/.talekeeper-tests/node_modules/axe-core/axe.min.js"
    if not script.exists():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("no npm on this machine: axe-core cannot be installed")
        script.parents[2].mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [npm, "install", "--prefix", str(script.parents[2]), "--no-save", "axe-core@4"], check=True, timeout=120
        )
    return script.read_text(encoding="utf-8")


async def judged(page: Page, axe: str) -> list[str]:
    await page.evaluate(axe)
    await page.evaluate("Promise.all(document.getAnimations().map(a => a.finished.catch(() => null)))")
    found = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{v['id']}: {node['html'][:120]} {node['failureSummary'][:200]}"
        for v in found["violations"]
        for node in v["nodes"]
        if v["impact"] in ("serious", "critical")
    ]


async def test_axe_finds_nothing_serious(evening: Evening, console: Any, open_page: Any, axe: str) -> None:
    still = {"reduced_motion": "reduce", "bypass_csp": True}
    door = await open_page(f"{evening.url}/stream", ready="input[name=key]", forgive=REFUSED, **still)
    assert await judged(door, axe) == []
    evening.talk()
    evening.say("b1g_deals", SPAM)
    evening.silence(60)
    evening.silence(1)
    page = await console(evening, **still)
    await expect(page.locator(".line.own")).to_have_count(1)
    for theme in ("dark", "light"):
        await page.evaluate("name => { document.documentElement.dataset.theme = name; }", theme)
        for tab in ("stream", "flags", "moments", "ledger"):
            await page.click(f"#tab-{tab}")
            await expect(page.locator(f"#panel-{tab} .busy")).to_have_count(0)
            assert await judged(page, axe) == [], (theme, tab)
        await page.click("#preview")
        await expect(page.locator("#approve-preview")).to_be_focused()
        assert await judged(page, axe) == [], theme
    for sheet in ("Overlay for OBS", "Keys", "End the session"):
        await page.click("[aria-label=Menu]")
        await page.locator(".menu").get_by_text(sheet).click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        assert await judged(page, axe) == [], sheet
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)


async def test_the_overlay_shows_the_theme_on_nothing(evening: Evening, console: Any, open_page: Any) -> None:
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
    return Path(__file__).parents[2] / "docs" / "pictures" if os.environ.get("README_PICTURES") else tmp_path


async def test_pictures(begin: Begin, console: Any, open_page: Any, phone: Any, folder: Path) -> None:
    evening = begin(ahead=-3040.0)
    evening.do(evening.companion.current().save_dashboard(BOARD))
    for name, badges, text in TALK:
        evening.say(name, text, badges=badges)
        evening.ahead += 40
    evening.silence(0)
    evening.say("b1g_deals", SPAM)
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
