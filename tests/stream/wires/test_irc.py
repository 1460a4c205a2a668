"""The IRC adapter on the fake Twitch."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from talekeeper.doors.stream.transport.irc import IrcPatience, IrcServer, IrcTransport
from talekeeper.doors.stream.transport.irc_login import IrcLogin
from talekeeper.doors.stream.transport.irc_message import parse
from talekeeper.doors.stream.transport.port import BadCredentials, Dropped, SendFailed, SendUnknown
from talekeeper.testing.twitch.fake import FakeTwitch
from talekeeper.testing.twitch.room import DROPS


async def test_hears_what_people_say(twitch: Any, irc: Any, start: Any, listener: Any) -> None:
    await start(irc()).connected()
    said = await twitch.says("ada", "is the kettle on?", badges=("moderator", "subscriber"), display="Ada L; \\s")
    line = await listener.line("is the kettle on?")
    assert (line.id, line.name, line.display, line.channel) == (said, "ada", "Ada L; \\s", "hearth")
    assert line.badges == ("moderator", "subscriber")
    assert line.moderator
    assert not line.foreign
    assert not line.bot


async def test_hears_who_acts_replies_visits_or_is_no_person(twitch: Any, irc: Any, start: Any, listener: Any) -> None:
    await start(irc()).connected()
    await twitch.says("ada", "waves", action=True)
    await twitch.says("bo", "yes", reply_to="m-7")
    await twitch.says("cy", "hello over there", source="elsewhere")
    await twitch.says("nightbot", "rules")
    await twitch.says("anybot", "tick", badges=("bot-badge",))
    assert (await listener.line("waves")).action
    assert (await listener.line("yes")).reply_to == "m-7"
    assert (await listener.line("hello over there")).foreign
    assert (await listener.line("rules")).bot
    assert (await listener.line("tick")).bot


async def test_says_and_learns_the_id(twitch: Any, irc: Any, start: Any) -> None:
    running = start(irc())
    await running.connected()
    sent = await running.transport.send(":) a quiet line", reply_to="m-1")
    (shown,) = twitch.room.shown
    assert (shown.id, shown.name, shown.text, shown.reply_to) == (sent.message_id, "keeper", ":) a quiet line", "m-1")


async def test_nothing_is_smuggled_into_the_wire(twitch: Any, irc: Any, start: Any) -> None:
    running = start(irc())
    await running.connected()
    await running.transport.send("one\r\nPRIVMSG #hearth :two\0", reply_to="a\r\nQUIT")
    assert [said.text for said in twitch.room.shown] == ["one  PRIVMSG #hearth :two "]


@pytest.mark.parametrize("reason", sorted(DROPS))
async def test_every_reason_for_a_drop_is_told(twitch: Any, irc: Any, start: Any, reason: str) -> None:
    running = start(irc())
    await running.connected()
    twitch.room.drops.append(reason)
    with pytest.raises(Dropped) as dropped:
        await running.transport.send("hello")
    assert dropped.value.reason == reason
    assert (await running.transport.send("hello again")).message_id, "the next one is not blamed"


async def test_no_answer_is_in_doubt(twitch: Any, irc: Any, start: Any) -> None:
    running = start(irc(patience=IrcPatience(answer=0.05)))
    await running.connected()
    twitch.room.drops.append("lost")
    with pytest.raises(SendUnknown):
        await running.transport.send("hello?")


async def test_a_late_answer_is_not_taken_for_the_next(twitch: Any, irc: Any, start: Any) -> None:
    running = start(irc(patience=IrcPatience(answer=0.05)))
    await running.connected()
    twitch.room.drops.extend(["lost", "lost"])
    with pytest.raises(SendUnknown):
        await running.transport.send("hello?")
    (session,) = twitch.irc.sessions
    late = parse(session.received[-1]).tags
    second = asyncio.create_task(running.transport.send("hello again?"))
    await asyncio.sleep(0)
    session.tell("USERSTATE", "#hearth", tags={"client-nonce": late["client-nonce"], "id": "late"})
    with pytest.raises(SendUnknown):
        await second


def test_the_answer_to_joining_is_waited_for() -> None:
    written: list[str] = []
    login = IrcLogin("keeper", "oauth:x", "#hearth", written.append)
    login.begin()
    for line, done in (
        (":tmi CAP * LS :twitch.tv/tags twitch.tv/commands", False), (":tmi CAP * ACK :twitch.tv/tags twitch.tv/commands", False),
        (":tmi 001 keeper :Welcome", False), (":tmi 366 keeper #hearth :End", False), ("@mod=0 :tmi USERSTATE #hearth", True),
    ):  # fmt: skip
        assert login.take(parse(line)) is done, line
    assert written[:2] == ["CAP LS :302", "PASS oauth:x"]
    assert written[-1] == "JOIN #hearth"


async def test_a_connection_that_breaks_while_sending_leaves_doubt(twitch: Any, irc: Any, start: Any) -> None:
    running = start(irc())
    await running.connected()
    twitch.room.drops.append("lost")
    sending = asyncio.create_task(running.transport.send("hello?"))
    await asyncio.sleep(0)
    twitch.irc.hang_up()
    with pytest.raises(SendUnknown):
        await sending


async def test_not_connected_is_no_doubt(irc: Any) -> None:
    with pytest.raises(SendFailed):
        await irc().send("hello?")


async def test_comes_back_when_asked_to(twitch: Any, irc: Any, start: Any, listener: Any, until: Any) -> None:
    running = start(irc())
    for times in range(1, 4):
        await until(
            lambda times=times: twitch.irc.ever == times and twitch.irc.sessions and twitch.irc.sessions[0].joined
        )
        await running.connected()
        await twitch.says("ada", f"hello {times}")
        await listener.line(f"hello {times}")
        twitch.irc.tell_all("RECONNECT")
    await until(lambda: twitch.irc.ever == 4)


async def test_outlives_the_server(twitch: Any, irc: Any, start: Any, listener: Any, until: Any) -> None:
    running = start(irc())
    await running.connected()
    port = twitch.irc.port
    await twitch.irc.stop()
    await until(lambda: not running.transport.state.connected and running.transport.state.last_error)
    await twitch.irc.start(port)
    await until(lambda: twitch.irc.sessions and twitch.irc.sessions[0].joined)
    await twitch.says("ada", "you are back")
    await listener.line("you are back")
    assert running.transport.state.last_error == ""


@pytest.mark.parametrize("token", ["oauth:wrong", "no-prefix"])
async def test_a_bad_token_ends_it_and_says_so(twitch: Any, irc: Any, listener: Any, token: str) -> None:
    transport = irc(token)
    with pytest.raises(BadCredentials, match="TWITCH_ACCESS_TOKEN"):
        await transport.run(listener)
    assert "refused" in transport.state.last_error
    assert token not in transport.state.last_error
    assert not transport.state.running
    assert twitch.irc.ever == 1, "nobody tries a bad token twice"


async def test_a_silent_server_is_left(twitch: Any, irc: Any, start: Any, until: Any) -> None:
    running = start(irc(patience=IrcPatience(login=5.0, idle=0.02, answer=0.05)))
    await running.connected()
    (session,) = twitch.irc.sessions
    await until(lambda: sum(line.startswith("PING") for line in session.received) > 2)
    assert running.transport.state.connected, "answers count as life"
    session._write = lambda _line: None
    await until(lambda: twitch.irc.ever > 1)


async def test_a_server_that_lets_nobody_in_is_left(twitch: Any, irc: Any, start: Any, until: Any) -> None:
    twitch.irc.mute = True
    running = start(irc(patience=IrcPatience(login=0.05)))
    await until(lambda: twitch.irc.ever > 2)
    assert not running.transport.state.connected
    assert running.transport.state.last_error == "The server took too long to let us in. It said no welcome."


async def test_garbage_does_not_end_the_conversation(twitch: Any, irc: Any, start: Any, listener: Any) -> None:
    await start(irc()).connected()
    (session,) = twitch.irc.sessions
    for line in (
        "@;;;=x;a=\\ :", "PRIVMSG", ":x PRIVMSG", "PRIVMSG #hearth :from nobody", "@target-msg-id= CLEARMSG #hearth :x", "CLEARMSG",
        ":a!b@c PRIVMSG #other :elsewhere", ":a!b@c PRIVMSG #hearth :\x01VERSION\x01", "x" * 100_000, "353 a = #hearth :",
        "NOTICE", "USERSTATE", "KICK #hearth", "MODE #hearth +o", "366",
    ):  # fmt: skip
        session.raw(line)
    await twitch.says("ada", "x" * 10_000)
    await listener.line("x" * 10_000)
    assert len(listener.heard) == 1


async def test_control_characters_do_not_reach_the_companion(twitch: Any, irc: Any, start: Any, listener: Any) -> None:
    await start(irc()).connected()
    (session,) = twitch.irc.sessions
    session.raw("@display-name=A\\r\\nB;id=1 :ada!a@b PRIVMSG #hearth :a\x02b\x1fc\x7fd\u2028e")
    line = await listener.line("a b c d e")
    assert line.display == "A  B"


async def test_a_listener_may_answer_while_it_listens(twitch: Any, irc: Any, start: Any, until: Any) -> None:
    transport = irc()

    async def answer(heard: Any) -> None:
        if heard.line.text == "!theme":
            await transport.send("The theme is rain.")
        else:
            raise RuntimeError("a bug in the listener")

    task = asyncio.create_task(transport.run(answer))
    await until(lambda: transport.state.connected)
    await twitch.says("ada", "something else")
    await twitch.says("ada", "!theme")
    await until(lambda: twitch.spoken == ["The theme is rain."])
    await transport.stop()
    await task


async def test_a_moderator_is_told_so(twitch: Any, irc: Any, start: Any, until: Any) -> None:
    running = start(irc())
    await running.connected()
    twitch.irc.tell_all("USERSTATE", "#hearth", tags={"mod": "1", "badges": "moderator/1"})
    await until(lambda: running.transport.state.moderator)


async def test_a_closed_door_is_tried_again(twitch: Any, irc: Any, start: Any, until: Any) -> None:
    twitch.room.channel, known = "nowhere", twitch.room.channel
    running = start(irc(patience=IrcPatience(login=0.05)))
    await until(lambda: twitch.irc.ever > 1)
    assert "#hearth: is there such a channel?" in running.transport.state.last_error
    twitch.room.channel = known
    await running.connected()


async def test_two_channels_at_once_stay_apart(twitch: Any, irc: Any, start: Any, listener: Any, until: Any) -> None:
    async with FakeTwitch("harbour", "keeper") as elsewhere:
        other = IrcTransport(
            "harbour", "keeper", f"oauth:{elsewhere.token()}",
            server=IrcServer("127.0.0.1", elsewhere.irc.port, tls=False),
        )  # fmt: skip
        here, there = start(irc()), start(other)
        await here.connected()
        await there.connected()
        await asyncio.gather(here.transport.send("Here."), there.transport.send("There."))
        assert (twitch.spoken, elsewhere.spoken) == (["Here."], ["There."])
        await twitch.says("ada", "by the fire")
        await elsewhere.says("ada", "by the sea")
        assert (await listener.line("by the fire")).channel == "hearth"
        assert (await listener.line("by the sea")).channel == "harbour"
        await there.end()
