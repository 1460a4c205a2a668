"""What the chat brings: lines told once, words taken back, commands, going live and ending, two channels at once."""

from __future__ import annotations

import pytest

from talekeeper.agents.companion.line import ChatLine
from talekeeper.doors.stream.transport.port import LineHeard, LineRemoved, TitleChanged, WentLive, WentOffline
from talekeeper.loops.companion.hearing import lines_of
from talekeeper.loops.companion.memories import memories_of

MINUTE = 60.0


@pytest.fixture
def line(clock):
    """A line of the channel `hearth`, said now."""
    made = iter(range(1, 10_000))

    def make(text: str, name: str = "mara", **more) -> LineHeard:
        more.setdefault("id", f"chat-{next(made)}")
        return LineHeard(ChatLine(name=name, text=text, at=clock(), channel="hearth", **more))

    return make


async def kept(door, session: str) -> list[str]:
    keeper = door.companion.get(session)
    await keeper.intake.flushed()
    lines = await door.engine.store.read(lambda conn: lines_of(conn, keeper.session))
    return [one.text for one in lines]


async def test_lines_are_kept_in_order_and_once(door, line):
    session = await door.begin()
    first = line("the first")
    await door.transport.hear(first, line("the second"), first, line("the third"))
    assert await kept(door, session) == ["the first", "the second", "the third"]
    assert (await door.get("session/status", session_id=session)).json()["message_count"] == 3


async def test_what_is_not_people(door, line):
    await door.begin()
    await door.transport.hear(
        line("Thanks for the follow!", "nightbot"), line("an echo", "sanctum_chronicler"),
        line("from next door", source_channel="elsewhere"), line("beep", "new_machine", bot=True),
    )  # fmt: skip
    assert (await door.get("stream/status")).json()["hearthkeeper"]["last_human_chat_at"] is None
    await door.transport.hear(line("a person"))
    assert (await door.get("stream/status")).json()["hearthkeeper"]["last_human_chat_at"] is not None


class TestTakingBack:
    async def test_one_line_leaves_the_store_the_ledger_and_every_prompt(self, door, line):
        session = await door.begin()
        await door.transport.hear(line("a long regrettable sentence about somebody's private address, alas", id="m7"))
        await door.transport.hear(line("a long and harmless sentence about the weather over the harbour today"))
        await door.transport.hear(LineRemoved(message="m7"))
        assert await kept(door, session) == ["a long and harmless sentence about the weather over the harbour today"]
        keeper = door.companion.get(session)
        assert "regrettable" not in (await door.get("ledger", session_id=session)).text
        assert "regrettable" not in str(await keeper.context())
        assert "regrettable" not in (await door.get("companion/actions")).text
        assert "regrettable" not in (await door.form("hearthkeeper/preview")).text

    async def test_all_of_one_name_and_the_whole_chat(self, door, line):
        session = await door.begin()
        for name in ("mara", "troll", "ivo", "troll"):
            await door.transport.hear(line(f"said by {name}", name))
        await door.transport.hear(LineRemoved(name="Troll"))
        assert await kept(door, session) == ["said by mara", "said by ivo"]
        await door.transport.hear(LineRemoved())
        assert await kept(door, session) == []

    async def test_it_is_remembered_by_no_later_stream(self, door, line):
        session = await door.begin()
        await door.transport.hear(
            line("the lighthouse keeper of Skerry kept bees in the lamp room for forty years", id="m1")
        )
        await door.transport.hear(
            line("the lighthouse keeper of Skerry had a terrible secret worth fifty characters", id="m2")
        )
        await door.transport.hear(LineRemoved(message="m2"))
        await door.form("session/end", session_id=session)
        later = door.companion.get(await door.begin())
        found = await door.engine.store.read(lambda conn: memories_of(conn, later.session, "lighthouse keeper Skerry"))
        assert found == ("mara: the lighthouse keeper of Skerry kept bees in the lamp room for forty years",)


class TestAddressed:
    @pytest.fixture
    async def live(self, door):
        await door.begin()
        door.status["hearth"].live = True
        return door

    async def test_it_answers_in_the_chat(self, live, line, until):
        await live.json("stream/dashboard", {"raw_markdown": "x", "content_angle": "What tides leave behind"})
        asked = line("!theme", id="m1")
        await live.transport.hear(asked)
        await until(lambda: live.transport.sent)
        assert live.transport.sent == [("The theme here: What tides leave behind.", "m1")]

    async def test_but_only_a_live_one(self, door, line):
        await door.begin()
        await door.transport.hear(line("!chronicler"), line("a line after it"))
        await door.companion.current().intake.flushed()
        assert door.transport.tried == []

    async def test_not_as_often_as_somebody_likes(self, live, line, clock, until):
        await live.transport.hear(*(line("!chronicler") for _ in range(5)))
        await until(lambda: live.transport.sent)
        clock.advance(10)
        await live.transport.hear(line("!theme", "ivo"))
        await until(lambda: len(live.transport.sent) == 2)
        assert [reply for _, reply in live.transport.sent] == ["chat-1", "chat-6"]

    async def test_a_moderator_hushes_everything(self, live, line, clock):
        await live.look()
        await live.transport.hear(line("!hush 20", "mod", badges=("moderator",)))
        await live.transport.hear(line("!chronicler"))
        clock.advance(19 * MINUTE)
        (look,) = await live.look()
        assert (look.reason, live.transport.tried) == ("hushed", [])
        clock.advance(MINUTE + 1)
        (look,) = await live.look()
        assert look.agent_response

    async def test_anybody_else_does_not(self, live, line):
        await live.transport.hear(line("!hush 20", "mara"))
        assert not live.companion.current().hushed

    async def test_spam_is_not_answered(self, live, line):
        await live.transport.hear(line("@sanctum_chronicler buy cheap viewers and followers at viewers4u .com ?", "ad"))
        await live.companion.current().intake.flushed()
        assert live.transport.tried == []
        (flag,) = (await live.get("companion/flags")).json()["flags"]
        assert set(flag) == {"id", "at", "name", "text", "severity", "reason"}


class TestGoingLive:
    async def test_a_stream_is_a_session(self, door, clock):
        waiting = await door.begin()
        await door.json("stream/dashboard", {"raw_markdown": "x", "content_angle": "What tides leave behind"})
        clock.advance(30 * MINUTE)
        await door.transport.hear(WentLive(clock(), "Slow tides", "Dredge"))
        streaming = door.companion.current().session
        assert streaming.id != waiting
        assert (streaming.live_since, streaming.title, streaming.game) == (clock(), "Slow tides", "Dredge")
        assert streaming.theme == "What tides leave behind", "what was prepared before goes on"
        status = (await door.get("stream/status")).json()["hearthkeeper"]
        assert status["seconds_until_next_prompt"] == 15 * MINUTE, "silence counts from going live"

    async def test_the_one_that_was_live_before_we_came_is_not_a_new_one(self, door, clock):
        session = await door.begin()
        await door.transport.hear(WentLive(clock() - 3600))
        assert door.companion.current().session.id == session

    async def test_a_short_break_is_the_same_stream(self, door, clock):
        await door.transport.hear(WentLive(clock()))
        session = await door.begin()
        clock.advance(20 * MINUTE)
        await door.transport.hear(WentOffline(clock()))
        clock.advance(9 * MINUTE)
        await door.look()
        await door.transport.hear(WentLive(clock()))
        clock.advance(5 * MINUTE)
        door.status["hearth"].live = True
        await door.look()
        assert door.companion.current().session.id == session

    async def test_after_the_grace_it_is_over_and_told(self, door, clock, line):
        await door.transport.hear(WentLive(clock()), line("a line worth keeping"))
        session = await door.begin()
        await door.transport.hear(WentOffline(clock()))
        clock.advance(10 * MINUTE)
        await door.look()
        assert door.companion.keepers == {}
        ended = await door.companion.session(session)
        assert (ended.is_open, bool(ended.ledger)) == (False, True)
        await door.transport.hear(line("nobody is listening"), WentLive(clock()))
        assert (await door.begin()) != session

    async def test_without_events_it_is_asked_for(self, door, clock):
        session = await door.begin()
        clock.advance(5 * MINUTE)
        await door.look()
        door.status["hearth"].live, door.status["hearth"].started_at = True, clock()
        await door.look()
        streaming = await door.begin()
        assert streaming != session
        door.status["hearth"].live = False
        await door.look()
        clock.advance(10 * MINUTE)
        await door.look()
        assert (await door.get("stream/status")).status_code == 404

    async def test_a_break_too_short_to_be_noticed_is_none(self, door, clock):
        door.status["hearth"].live, door.status["hearth"].started_at = True, clock()
        await door.look()
        session = await door.begin()
        for _ in range(3):
            clock.advance(MINUTE)
            await door.look()
        door.status["hearth"].started_at = clock() + 30
        clock.advance(MINUTE)
        await door.look()
        assert await door.begin() == session

    async def test_a_stream_that_began_while_we_were_away_is_a_new_one(self, door, clock):
        door.status["hearth"].live, door.status["hearth"].started_at = True, clock()
        await door.look()
        session = await door.begin()
        door.companion.current().seen_live_at = None  # as after a restart
        clock.advance(20 * 3600)
        door.status["hearth"].started_at = clock() - MINUTE
        await door.look()
        assert await door.begin() != session

    async def test_waiting_in_silence_leaves_no_ledger(self, door, clock):
        waiting = await door.begin()
        clock.advance(30 * MINUTE)
        await door.transport.hear(WentLive(clock()))
        assert (await door.companion.session(waiting)).ledger == ""

    async def test_an_answer_that_is_none_ends_nothing(self, door, clock):
        door.status["hearth"].live = True
        await door.look()
        session = await door.begin()
        door.status["hearth"].live = door.status["hearth"].known = False
        for _ in range(3):
            clock.advance(20 * MINUTE)
            await door.look()
        assert await door.begin() == session

    async def test_a_new_title_is_heard(self, door):
        await door.transport.hear(TitleChanged("Night shift", "Dredge"))
        assert door.companion.current().session.title == "Night shift"


async def test_two_channels_do_not_mix(door, line):
    here, there = await door.begin("hearth"), await door.begin("elsewhere")
    await door.transport.hear(line("said at the hearth"))
    await door.say(there, "said elsewhere")
    await door.json("session/dashboard", {"session_id": there, "raw_markdown": "x", "content_angle": "another theme"})
    assert await kept(door, here) == ["said at the hearth"]
    assert await kept(door, there) == ["said elsewhere"]
    assert (await door.get("session/status", session_id=here)).json()["theme"] is None
    await door.form("session/end", session_id=there)
    await door.say(here, "still here")
    assert "said elsewhere" not in (await door.get("ledger", session_id=here)).text
