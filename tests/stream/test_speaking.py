"""When it speaks by itself: after a long quiet, rarely, on the record, and never over people."""

from __future__ import annotations

import asyncio

import pytest

from talekeeper.app.models import Models
from talekeeper.doors.stream import hearth
from talekeeper.doors.stream.transport.port import Dropped, SendUnknown
from talekeeper.errors import ModelDown
from talekeeper.testing.scripted_model import Reply, ScriptedModel

MINUTE = 60.0


@pytest.fixture
async def live_door(door):
    """The channel has just gone live."""
    door.status["hearth"].live = True
    await door.look()
    return door


async def reasons(door) -> list[tuple[bool, str]]:
    found = (await door.get("companion/decisions")).json()["decisions"]
    return [(one["speak"], one["reason"]) for one in found]


async def test_a_long_quiet_is_answered_once(live_door, clock):
    clock.advance(16 * MINUTE)
    (look,) = await live_door.look()
    assert look.actions_taken == ["HEARTHKEEPER_PROMPT"]
    assert live_door.transport.sent == [(look.agent_response, "")]
    status = (await live_door.get("stream/status")).json()["hearthkeeper"]
    assert status["last_posted_message"] == look.agent_response
    assert status["seconds_until_next_prompt"] == 15 * MINUTE

    clock.advance(MINUTE)
    (look,) = await live_door.look()
    assert (look.reason, look.agent_response) == ("cooldown", None)
    assert await reasons(live_door) == [(False, "active_chat"), (True, "inactive_chat"), (False, "cooldown")]


async def test_every_line_is_on_the_record(live_door, clock):
    clock.advance(16 * MINUTE)
    await live_door.look()
    (action,) = (await live_door.get("companion/actions")).json()["actions"]
    assert action["type"] == "response"
    assert (action["mode"], action["reason"], action["state"]) == ("hearthkeeper", "inactive_chat", "sent")
    assert (action["approved_by"], len(action["context_hash"]) > 8) == ("policy", True)


async def test_a_decision_is_recorded_when_it_changes_and_not_at_every_look(live_door, clock):
    for _ in range(5):
        clock.advance(MINUTE)
        await live_door.look()
    assert await reasons(live_door) == [(False, "active_chat")]


async def test_it_does_not_talk_to_an_empty_room(live_door, clock):
    for _ in range(8):
        clock.advance(16 * MINUTE)
        await live_door.look()
    assert len(live_door.transport.sent) == 2
    session = await live_door.begin()
    await live_door.say(session, "oh, I was just reading")
    clock.advance(40 * MINUTE)
    await live_door.look()
    assert len(live_door.transport.sent) == 3
    assert len({text for text, _ in live_door.transport.sent}) == 3


async def test_people_come_first(live_door, clock):
    session = await live_door.begin()
    clock.advance(16 * MINUTE)
    for name in ("mara", "ivo", "sal"):
        await live_door.say(session, f"a word from {name}", name)
    (look,) = await live_door.look()
    assert (look.reason, live_door.transport.tried) == ("active_chat", [])


async def test_a_line_that_was_dropped_was_not_said(live_door, clock):
    live_door.transport.will(Dropped("msg_followersonly"))
    clock.advance(16 * MINUTE)
    (look,) = await live_door.look()
    assert (look.delivery.state, look.actions_taken) == ("dropped", [])
    status = (await live_door.get("stream/status")).json()["hearthkeeper"]
    assert (status["last_hearthkeeper_prompt_at"], status["last_posted_message"]) == (None, None)

    clock.advance(MINUTE)
    (look,) = await live_door.look()
    assert look.reason == "not_delivered", "it is not tried every minute"
    clock.advance(5 * MINUTE)
    (look,) = await live_door.look()
    assert look.delivery.sent


async def test_a_line_in_doubt_counts_as_said(live_door, clock):
    live_door.transport.will(SendUnknown("the connection broke"))
    clock.advance(16 * MINUTE)
    (look,) = await live_door.look()
    assert look.delivery.state == "unknown"
    clock.advance(6 * MINUTE)
    (look,) = await live_door.look()
    assert (look.reason, len(live_door.transport.tried)) == ("cooldown", 1)
    session = await live_door.begin()
    ledger = (await live_door.get("ledger", session_id=session)).json()["ledger"]
    assert "not known whether it arrived" in ledger


async def test_a_session_that_ends_while_it_writes_hears_nothing_of_it(live_door, clock, monkeypatch):
    begun, go_on = asyncio.Event(), asyncio.Event()
    observe = hearth.observe

    async def slowly(*args):
        begun.set()
        await go_on.wait()
        return await observe(*args)

    monkeypatch.setattr(hearth, "observe", slowly)
    session = await live_door.begin()
    clock.advance(16 * MINUTE)
    looking = asyncio.create_task(live_door.look())
    async with asyncio.timeout(20):
        await begun.wait()
    ended = await live_door.form("session/end", session_id=session)
    assert ended.status_code == 200
    go_on.set()
    (look,) = await looking
    assert (look.reason, live_door.transport.tried) == ("session_ended", [])


async def test_somebody_who_speaks_while_it_writes_is_not_spoken_over(live_door, clock, monkeypatch):
    session = await live_door.begin()
    observe = hearth.observe

    async def interrupted(*args):
        for name in ("mara", "ivo", "sal"):
            await live_door.say(session, f"{name} is here after all", name)
        return await observe(*args)

    monkeypatch.setattr(hearth, "observe", interrupted)
    clock.advance(16 * MINUTE)
    (look,) = await live_door.look()
    assert (look.reason, live_door.transport.tried) == ("active_chat", [])


async def test_a_writer_that_breaks_is_a_silence(live_door, clock, monkeypatch):
    async def broken(*_args):
        raise RuntimeError("no words")

    monkeypatch.setattr(hearth, "observe", broken)
    clock.advance(16 * MINUTE)
    (look,) = await live_door.look()
    assert (look.reason, look.agent_response) == ("hearthkeeper_error", None)
    assert (await reasons(live_door))[-1] == (False, "hearthkeeper_error")


@pytest.mark.parametrize(
    "line", ["LET'S GOOO CHAT!!! Smash that follow!!!", "x " * 1000, "Please follow and subscribe."]
)
async def test_whatever_writes_the_gate_reads_it(live_door, clock, monkeypatch, line):
    async def hype(*_args):
        return hearth.Observation(line, "general", "hash", "model")

    monkeypatch.setattr(hearth, "observe", hype)
    clock.advance(16 * MINUTE)
    (look,) = await live_door.look()
    assert (look.reason, live_door.transport.tried) == ("hearthkeeper_error", [])


async def test_nothing_is_written_for_a_chat_that_is_not_there(open_door, clock):
    door = await open_door(stream_channel="hearth", stream_require_live=False, silent=True)
    clock.advance(16 * MINUTE)
    (look,) = await door.look()
    assert look.reason == "not_connected"


class TestSecondReader:
    """With the setting, the companion's model reads what is sent as the companion, after the rules."""

    @pytest.fixture
    async def read_twice(self, open_door, monkeypatch):
        async def open_(*replies):
            model = ScriptedModel(*replies)
            monkeypatch.setattr(Models, "of", lambda _self, role: model if role == "companion" else None)
            door = await open_door(stream_channel="hearth", stream_second_reader=True)
            door.status["hearth"].live = True
            return door, await door.begin()

        return open_

    async def send(self, door, session, text):
        return await door.form("test-agent-response", session_id=session, message=text)

    async def test_what_it_is_against_is_not_sent(self, read_twice):
        door, session = await read_twice('{"fits": false, "reason": "It flatters."}')
        answer = await self.send(door, session, "Such wonderful company tonight.")
        assert (answer.status_code, answer.json()["detail"]["reasons"]) == (422, ["It flatters."])
        assert door.transport.tried == []

    @pytest.mark.parametrize("reply", ['{"fits": true, "reason": ""}', Reply(error=ModelDown("gone"))])
    async def test_what_it_is_for_or_cannot_read_is_sent(self, read_twice, reply):
        door, session = await read_twice(reply)
        answer = await self.send(door, session, "The lamp turns once a minute.")
        assert (answer.status_code, door.transport.sent) == (200, [("The lamp turns once a minute.", "")])

    async def test_a_companion_without_the_setting_is_read_once(self, open_door, monkeypatch):
        monkeypatch.setattr(Models, "of", lambda _self, _role: ScriptedModel())
        door = await open_door(stream_channel="hearth")
        door.status["hearth"].live = True
        answer = await self.send(door, await door.begin(), "The lamp turns once a minute.")
        assert answer.status_code == 200


class TestApproval:
    @pytest.fixture
    async def careful(self, open_door):
        door = await open_door(stream_channel="hearth", stream_approval=True)
        door.status["hearth"].live = True
        await door.look()
        return door

    async def held(self, door):
        return (await door.get("companion/held")).json()["held"]

    async def test_its_lines_wait_for_the_operator(self, careful, clock):
        clock.advance(16 * MINUTE)
        (look,) = await careful.look()
        assert (look.agent_response, careful.transport.tried) == (None, [])
        (line,) = await self.held(careful)
        assert set(line) == {"id", "text", "reason", "at"}
        answer = (await careful.json("companion/approve", {"id": line["id"]})).json()
        assert (answer["sent"], careful.transport.sent) == (True, [(line["text"], "")])
        assert await self.held(careful) == []
        (action,) = (await careful.get("companion/actions")).json()["actions"]
        assert (action["state"], action["approved_by"], action["mode"]) == ("sent", "operator", "hearthkeeper")

    async def test_in_other_words_but_through_the_same_gate(self, careful, clock):
        clock.advance(16 * MINUTE)
        await careful.look()
        (line,) = await self.held(careful)
        refused = await careful.json("companion/approve", {"id": line["id"], "text": "FOLLOW NOW!!!"})
        assert refused.status_code == 422
        await careful.json("companion/approve", {"id": line["id"], "text": "The lamp is still lit."})
        assert careful.transport.sent == [("The lamp is still lit.", "")]
        again = await careful.json("companion/approve", {"id": line["id"]})
        assert (again.status_code, again.json()["detail"]) == (404, "line_not_found")

    async def test_whoever_approves_it_it_is_said_once(self, careful, clock):
        clock.advance(16 * MINUTE)
        await careful.look()
        (line,) = await self.held(careful)
        answers = await asyncio.gather(*(careful.json("companion/approve", {"id": line["id"]}) for _ in range(5)))
        assert sorted(answer.status_code for answer in answers) == [200, 404, 404, 404, 404]
        assert careful.transport.sent == [(line["text"], "")]

    async def test_what_the_operator_refuses_stays_unsaid(self, careful, clock):
        clock.advance(16 * MINUTE)
        await careful.look()
        (line,) = await self.held(careful)
        assert (await careful.json("companion/refuse", {"id": line["id"]})).json()["status"] == "refused"
        assert (await self.held(careful), careful.transport.tried) == ([], [])
        assert (await careful.json("companion/approve", {"id": line["id"]})).status_code == 404
        (action,) = (await careful.get("companion/actions")).json()["actions"]
        assert (action["state"], action["approved_by"]) == ("dropped", "nobody: the operator refused it")

    async def test_one_waits_at_a_time(self, careful, clock):
        for _ in range(2):
            clock.advance(16 * MINUTE)
            await careful.look()
        assert len(await self.held(careful)) == 1
        states = [one["state"] for one in (await careful.get("companion/actions")).json()["actions"]]
        assert sorted(states) == ["dropped", "held"]
