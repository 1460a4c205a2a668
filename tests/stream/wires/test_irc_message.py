"""IRC lines: every escape once, whatever the bytes, however long."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.doors.stream.transport.irc_login import IrcLogin
from talekeeper.doors.stream.transport.irc_message import (
    LONGEST,
    IrcMessage,
    LineBuffer,
    compose,
    escape_tag,
    parse,
    unescape_tag,
)
from talekeeper.doors.stream.transport.irc_reading import IrcReading
from talekeeper.doors.stream.transport.irc_refusals import drop_reason
from talekeeper.doors.stream.transport.lost import Lost
from talekeeper.doors.stream.transport.port import BadCredentials, LineHeard

LINE = (
    r"@badges=moderator/1,vip/1;display-name=Ada\sL\:;id=b-1;empty=;bare :ada!ada@ada.example PRIVMSG #hearth "
    ":hello : there"
)


def test_a_line_as_twitch_sends_it() -> None:
    message = parse(LINE)
    assert message is not None
    assert message.command == "PRIVMSG"
    assert message.params == ("#hearth", "hello : there")
    assert message.nick == "ada"
    assert message.tags == {
        "badges": "moderator/1,vip/1", "display-name": "Ada L;", "id": "b-1", "empty": "", "bare": ""
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("PING", IrcMessage("PING")),
        ("PING :tmi.example", IrcMessage("PING", ("tmi.example",))),
        ("ping a  b :", IrcMessage("PING", ("a", "b", ""))),
        (":server 001 me ::)", IrcMessage("001", ("me", ":)"), "server")),
        ("@a=1  :x  JOIN #y", IrcMessage("JOIN", ("#y",), "x", {"a": "1"})),
        ("", None),
        ("   ", None),
        ("@only=tags", None),
        (":only.prefix", None),
        ("\0\0", None),
    ],
)
def test_odd_lines(line: str, message: IrcMessage | None) -> None:
    assert parse(line) == message


@pytest.mark.parametrize(
    ("escaped", "value"),
    [
        (r"\:", ";"), (r"\s", " "), (r"\\", "\\"), (r"\r", "\r"), (r"\n", "\n"),
        (r"\b", "b"), ("lone\\", "lone"), (r"\\s", r"\s"), (r"\\\s", "\\ "), (r"\\:", r"\:"), (r"\\\\n", r"\\n"),
    ],
)  # fmt: skip
def test_each_escape_is_read_once(escaped: str, value: str) -> None:
    assert unescape_tag(escaped) == value


@given(st.text())
def test_what_is_escaped_comes_back(value: str) -> None:
    escaped = escape_tag(value)
    assert unescape_tag(escaped) == value
    assert not set(escaped) & set("; \r\n")


WORD = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"], exclude_characters=":"), min_size=1)
NAME = st.text("abcdefghijklmnopqrstuvwxyz-/.", min_size=1)
FREE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"))


@given(NAME, st.lists(WORD, max_size=3), FREE, st.dictionaries(NAME, FREE | st.just("\r\n; \\s"), max_size=4))
def test_what_is_composed_is_parsed(name: str, words: list[str], last: str, tags: dict[str, str]) -> None:
    command = f"X{name.upper()}"
    assert parse(compose(command, *words, last, tags=tags)) == IrcMessage(command, (*words, last), "", tags)


@given(st.text())
def test_nothing_smuggles_a_second_line(text: str) -> None:
    line = compose("PRIVMSG", "#hearth", f"a{text}", tags={"reply-parent-msg-id": text})
    assert not set(line) & set("\r\n\0")
    assert len(list(LineBuffer().feed(f"{line}\r\n".encode("utf-8", "replace")))) == 1


def test_free_text_has_one_place() -> None:
    with pytest.raises(ValueError, match="only the last"):
        compose("JOIN", "#a #b", "key")


@given(st.binary(max_size=300), st.lists(st.integers(0, 300)))
def test_any_bytes_in_any_pieces_give_the_same_lines(wire: bytes, cuts: list[int]) -> None:
    places = sorted({0, *(cut for cut in cuts if cut <= len(wire)), len(wire)})
    whole, pieces = LineBuffer(), LineBuffer()
    expected = list(whole.feed(wire))
    got = [line for at, to in itertools.pairwise(places) for line in pieces.feed(wire[at:to])]
    assert got == expected
    for line in got:
        parse(line)


@pytest.mark.parametrize("size", [10_000, LONGEST - 50])
def test_long_lines_arrive_whole(size: int) -> None:
    (line,) = LineBuffer().feed(b"PRIVMSG #hearth :" + b"x" * size + b"\r\n")
    message = parse(line)
    assert message is not None
    assert len(message.last) == size


COMMANDS = st.sampled_from(
    "PRIVMSG USERNOTICE NOTICE CLEARCHAT CLEARMSG USERSTATE MODE KICK JOIN PING PONG ERROR CAP 001 353 366 404 433 464 475".split()
)
PIECES = st.sampled_from(
    ["#hearth", "#other", "keeper", "ada", "*", "LS", "ACK", "+o-v", "ada bo", "@ada +bo", "\x01ACTION waves\x01", "\x01", "", ":"]
) | st.text(max_size=10)  # fmt: skip
KEYS = st.sampled_from(
    ["id", "badges", "display-name", "msg-id", "target-msg-id", "room-id", "source-room-id", "login", "mod"]
)
MESSAGES = st.builds(
    IrcMessage, COMMANDS, st.lists(PIECES, max_size=5).map(tuple), st.sampled_from(["", "ada!a@b", "server", "!", "@"]),
    st.dictionaries(KEYS, st.text(max_size=10), max_size=4),
)  # fmt: skip


@given(st.lists(MESSAGES, max_size=20))
def test_no_message_upsets_anybody(messages: list[IrcMessage]) -> None:
    written: list[str] = []
    reading = IrcReading("hearth", "keeper", lambda: 0.0, lambda: "new")
    login = IrcLogin("keeper", "secret", "#hearth", written.append)
    for message in messages:
        heard = reading.read(message)
        if isinstance(heard, LineHeard):
            assert heard.line.name
            assert heard.line.id
            assert heard.line.channel == "hearth"
            assert not set(heard.line.text + heard.line.display) & set("\r\n\0\x01")
        drop_reason(message)
        if not login.done:
            with contextlib.suppress(Lost, BadCredentials):
                login.take(message)
    assert not any(set(line) & set("\r\n\0") for line in written)


def test_endless_lines_are_passed_over() -> None:
    buffer = LineBuffer()
    got = [line for _ in range(40) for line in buffer.feed(b"y" * 8192)]
    got += buffer.feed(b"the end of it\r\nPING :after\r\n")
    assert got == ["PING :after"]
