"""Which transport a configuration means, and that an old one just works."""

from __future__ import annotations

from typing import Any

import pytest

from talekeeper.doors.stream.transport import choose
from talekeeper.doors.stream.transport.choose import (
    EventSubElseIrc,
    NoTransport,
    Wires,
    channel_name,
    choose_helix,
    choose_transport,
    wires_token,
)
from talekeeper.doors.stream.transport.credentials import TwitchAddresses, TwitchKeys
from talekeeper.doors.stream.transport.eventsub import EventSubTransport
from talekeeper.doors.stream.transport.irc import IrcServer, IrcTransport
from talekeeper.doors.stream.transport.port import Dropped
from talekeeper.errors import NotConfigured

ALL = TwitchKeys("id", "secret", "token")


@pytest.mark.parametrize(
    ("kind", "keys", "chosen"),
    [
        ("auto", ALL, EventSubElseIrc),
        ("auto", TwitchKeys(access_token="token"), IrcTransport),
        ("auto", TwitchKeys("id", "secret"), NoTransport),
        ("auto", TwitchKeys(), NoTransport),
        ("eventsub", ALL, EventSubTransport),
        ("irc", ALL, IrcTransport),
    ],
)
def test_the_keys_decide(kind: Any, keys: TwitchKeys, chosen: type) -> None:
    assert type(choose_transport(Wires("hearth", kind=kind, keys=keys))) is chosen


def test_eventsub_without_keys_says_what_is_missing() -> None:
    with pytest.raises(NotConfigured, match="TWITCH_CLIENT_SECRET"):
        choose_transport(Wires("hearth", kind="eventsub", keys=TwitchKeys(access_token="token")))


def test_without_the_extra_there_is_irc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "extra_installed", lambda: False)
    assert type(choose_transport(Wires("hearth", keys=ALL))) is IrcTransport
    assert choose_helix(Wires("hearth", keys=ALL)) is None
    with pytest.raises(NotConfigured, match=r"talekeeper\[stream\]"):
        choose_transport(Wires("hearth", kind="eventsub", keys=ALL))


def test_helix_needs_an_id_and_something_to_show() -> None:
    assert choose_helix(Wires("hearth", keys=TwitchKeys("id", "secret"))) is not None
    assert choose_helix(Wires("hearth", keys=TwitchKeys("id", access_token="token"))) is not None
    assert choose_helix(Wires("hearth", keys=TwitchKeys(access_token="token"))) is None


def test_names_and_tokens_are_taken_as_people_write_them() -> None:
    assert channel_name("  #Hearth ") == "hearth"
    assert wires_token(" oauth:abc ") == wires_token("abc") == "abc"


async def test_nothing_configured_ends_at_once(listener: Any) -> None:
    nothing = choose_transport(Wires(""))
    await nothing.run(listener)
    assert not nothing.state.configured
    with pytest.raises(Dropped):
        await nothing.send("Hello?")
    await nothing.stop()


@pytest.mark.parametrize(
    "made",
    [{"scopes": ("chat:read", "chat:edit")}, {"client_id": "some-token-generator"}],
    ids=["for irc", "by another app"],
)
async def test_an_old_token_goes_on_working_over_irc(
    twitch: Any, start: Any, listener: Any, until: Any, made: dict[str, Any]
) -> None:
    keys = TwitchKeys(twitch.client_id, twitch.client_secret, twitch.token(**made))
    wires = Wires(
        "hearth", "keeper", keys=keys, irc=IrcServer("127.0.0.1", twitch.irc.port, tls=False),
        addresses=TwitchAddresses(twitch.helix_url, twitch.auth_url, twitch.eventsub_url),
    )  # fmt: skip
    running = start(choose_transport(wires))
    await until(lambda: running.transport.state.connected)
    assert twitch.irc.ever == 1
    await twitch.says("ada", "just as before")
    await listener.line("just as before")
    assert (await running.transport.send("Good evening.")).message_id
    await twitch.goes_live()
    helix = choose_helix(wires)
    assert helix is not None
    assert await helix.on_air("hearth") is not None, "with the app's own token"
