"""The outgoing queue: at most once, not too fast, not too late, and every step on record before it is taken."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.doors.stream.outgoing import EXPIRY, REPEAT, WINDOW
from talekeeper.doors.stream.transport.port import Dropped, SendFailed, SendUnknown


async def test_a_line_is_said(desk: Any) -> None:
    delivery = await desk.out.say("The fire is low.", "hearthkeeper", "inactive_chat", reply_to="m0", action_id="a1")
    assert desk.transport.sent == [("The fire is low.", "m0")]
    assert (delivery.sent, delivery.channel, delivery.message_id, delivery.action_id) == (True, "hearth", "m1", "a1")
    assert desk.states("a1") == ["queued", "sending", "sent"]


async def test_a_dropped_line_says_why(desk: Any) -> None:
    desk.transport.will(Dropped("msg_rejected"))
    delivery = await desk.out.say("Well.", "steward", "asked", action_id="a1")
    assert (delivery.sent, delivery.state, delivery.reason) == (False, "dropped", "msg_rejected")
    again = await desk.out.say("Well.", "steward", "asked")
    assert again.sent, "what was never shown may be said"


async def test_what_did_not_leave_is_tried_again(desk: Any) -> None:
    desk.transport.will(SendFailed("not connected"), SendFailed("too often", retry_after=7.0))
    delivery = await desk.out.say("Still here.", "steward", "asked", action_id="a1")
    assert delivery.sent
    assert desk.time() == 1.0 + 7.0
    assert desk.states("a1") == ["queued", "sending", "queued", "sending", "queued", "sending", "sent"]


async def test_what_may_have_left_is_never_sent_again(desk: Any) -> None:
    desk.transport.will(SendUnknown("the connection broke"), RuntimeError("a bug"))
    first = await desk.out.say("Once.", "steward", "asked", action_id="a1")
    second = await desk.out.say("Twice.", "steward", "asked")
    third = await desk.out.say("once.", "steward", "asked")
    assert [first.state, second.state, third.state] == ["unknown", "unknown", "dropped"]
    assert third.reason == "repeated"
    assert desk.transport.tried == ["Once.", "Twice."]


async def test_a_line_too_old_is_not_said(desk: Any) -> None:
    desk.transport.will(*[SendFailed("not connected")] * 20)
    delivery = await desk.out.say("Late.", "hearthkeeper", "inactive_chat")
    assert delivery.state == "dropped"
    assert delivery.reason == "send_failed: not connected"
    assert desk.time() < EXPIRY


async def test_the_twenty_first_waits_and_a_moderator_does_not(new_desk: Any) -> None:
    viewer, moderator = new_desk(), new_desk(moderator=True)
    for desk in (viewer, moderator):
        await asyncio.gather(*(desk.out.say(f"Line {n}.", "steward", "asked") for n in range(25)))
        assert [text for text, _ in desk.transport.sent] == [f"Line {n}." for n in range(25)], "in order"
    assert viewer.left[:20] == [0.0] * 20
    assert viewer.left[20:] == [WINDOW] * 5
    assert moderator.left == [0.0] * 25


async def test_the_same_words_rest_for_half_a_minute(desk: Any) -> None:
    assert (await desk.out.say("Ember.", "hearthkeeper", "inactive_chat")).sent
    assert (await desk.out.say("  EMBER. ", "hearthkeeper", "inactive_chat")).reason == "repeated"
    desk.time.advance(REPEAT)
    assert (await desk.out.say("Ember.", "hearthkeeper", "inactive_chat")).sent


async def test_the_clock_may_jump(desk: Any) -> None:
    await desk.out.say("Before.", "steward", "asked")
    desk.clock.advance(-7200)
    assert (await desk.out.say("Back.", "steward", "asked")).sent
    desk.clock.advance(1e9)
    assert (await desk.out.say("Forward.", "steward", "asked")).sent
    assert desk.time() == 0.0, "nobody waited"


async def test_nothing_to_say_is_dropped_on_record(desk: Any) -> None:
    delivery = await desk.out.say("\r\n / . \x00", "operator", "approved", action_id="a1")
    assert (delivery.state, delivery.reason) == ("dropped", "empty")
    assert desk.states("a1") == ["queued", "dropped"]
    assert desk.transport.tried == []


async def test_a_half_shown_answer_counts_as_said(desk: Any) -> None:
    desk.transport.will(None, Dropped("msg_ratelimit"))
    delivery = await desk.out.say("A long answer goes on. " * 40, "steward", "asked", action_id="a1")
    assert delivery.sent
    assert delivery.reason == "only in part: msg_ratelimit"
    assert desk.states("a1") == ["queued", "sending", "sent"]


async def test_a_step_that_cannot_be_kept_is_not_taken(new_desk: Any) -> None:
    desk = new_desk()

    async def full(_line: Any, state: str, _reason: str) -> None:
        if state == "sending":
            raise OSError("disk full")

    desk.out._mark = full
    with pytest.raises(OSError, match="disk full"):
        await desk.out.say("Quiet.", "steward", "asked")
    assert desk.transport.tried == []


async def test_stopped_while_sending_is_in_doubt_and_while_waiting_is_dropped(desk: Any) -> None:
    leaving = asyncio.Event()

    async def hang(_text: str, _reply_to: str = "") -> Any:
        leaving.set()
        await asyncio.Event().wait()

    desk.transport.send = hang
    first = asyncio.create_task(desk.out.say("One.", "steward", "asked", action_id="a1"))
    second = asyncio.create_task(desk.out.say("Two.", "steward", "asked", action_id="a2"))
    await leaving.wait()
    second.cancel()
    first.cancel()
    await asyncio.gather(first, second, return_exceptions=True)
    assert desk.states("a1") == ["queued", "sending", "unknown"]
    assert desk.states("a2") == ["queued", "dropped"]


ENDINGS = st.sampled_from(["sent", "sent", "sent", "dropped", "failed", "unknown"])


@given(
    st.lists(st.tuples(st.integers(0, 30), st.sampled_from([0.0, 0.0, 0.1, 5.0, 40.0])), max_size=60),
    st.lists(ENDINGS, max_size=60),
    st.booleans(),
)
async def test_whatever_happens_the_promises_hold(
    new_desk: Any, said: list[tuple[int, float]], endings: list[str], moderator: bool
) -> None:
    desk = new_desk(moderator=moderator)
    tried: list[tuple[float, str, str]] = []
    errors = {"dropped": Dropped("no"), "failed": SendFailed("no"), "unknown": SendUnknown("no"), "sent": None}
    desk.transport.will(*(errors[ending] for ending in endings))
    plain = desk.transport.send

    async def timed(text: str, reply_to: str = "") -> Any:
        tried.append((desk.time(), reply_to, text))
        return await plain(text, reply_to)

    desk.transport.send = timed
    saying, begun = [], {}
    for n, (words, pause) in enumerate(said):
        action = f"a{n}"
        begun[action] = desk.time()
        say = desk.out.say(f"Words {words}.", "steward", "asked", action_id=action, reply_to=action)
        saying.append(asyncio.create_task(say))
        if pause:
            await asyncio.gather(*saying)
            desk.time.advance(pause)
    deliveries = await asyncio.gather(*saying)

    for first, _action, _text in tried:
        in_window = sum(first <= at < first + WINDOW for at, _a, _t in tried)
        assert in_window <= (100 if moderator else 20), "the rate"
    assert all(at < begun[action] + EXPIRY for at, action, _text in tried), "nothing late"
    for delivery in deliveries:
        states = desk.states(delivery.action_id)
        assert states[0] == "queued"
        assert states[-1] == delivery.state
        assert sum(state in {"sent", "dropped", "unknown"} for state in states) == 1, "one ending, and it is the last"
        attempts = sum(action == delivery.action_id for _at, action, _text in tried)
        assert states.count("sending") == attempts, "each attempt on record before it was made"
        if delivery.sent or delivery.state == "unknown":
            assert states[-2] == "sending"
    shown = [reply_to for _text, reply_to in desk.transport.sent]
    assert shown == [delivery.action_id for delivery in deliveries if delivery.sent], "in order, each once, all of them"
    left = {action: at for at, action, _text in tried}
    last: dict[str, float] = {}
    for text, action in desk.transport.sent:
        assert left[action] - last.get(text, -REPEAT) >= REPEAT, "no words again within half a minute"
        last[text] = left[action]
