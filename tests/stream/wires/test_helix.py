"""Helix on the fake Twitch: reading, sending, and every way in which it can go wrong."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from talekeeper.doors.stream.transport.credentials import TwitchAddresses, TwitchKeys
from talekeeper.doors.stream.transport.helix import Helix
from talekeeper.doors.stream.transport.helix_sending import HelixSending
from talekeeper.doors.stream.transport.port import BadCredentials, Dropped, SendFailed, SendUnknown
from talekeeper.errors import NotAllowed, NotConfigured, NotFound, Unavailable
from talekeeper.testing.twitch.helix_side import Failure
from talekeeper.testing.twitch.room import DROPS

GARBAGE = (
    Failure(200, b"<html>busy</html>", {"Content-Type": "text/html"}),
    Failure(200, b"{", {"Content-Type": "application/json"}),
    Failure(200, b"[1]", {"Content-Type": "application/json"}),
    Failure(200, b'{"data": 7}', {"Content-Type": "application/json"}),
    Failure(200, b'{"data": [{"id": null}]}', {"Content-Type": "application/json"}),
    Failure(200, b"\xff\xfe\x00", {"Content-Type": "application/json"}),
)


def sending(helix: Helix, twitch: Any) -> Any:
    async def send(text: str, reply_to: str = "") -> Any:
        ids = twitch.room.id_of(twitch.channel), twitch.room.id_of(twitch.bot)
        return await HelixSending(helix, twitch.room.clock).send(*ids, text, reply_to)

    return send


async def test_reads_who_and_what(twitch: Any, helix: Any) -> None:
    api = helix()
    holder = await api.holder()
    assert (holder.login, holder.user_id) == ("keeper", twitch.room.id_of("keeper"))
    assert "user:read:chat" in holder.scopes
    assert await api.user_id("hearth") == twitch.room.id_of("hearth")
    assert await api.on_air("hearth") is None
    await twitch.goes_live("Rain on glass", "Myst")
    seen = await api.on_air("hearth")
    assert (seen.title, seen.game, seen.viewers) == ("Rain on glass", "Myst", 7)
    assert seen.started_at == pytest.approx(twitch.room.on_air.since, abs=0.001)
    assert await api.title_and_game(twitch.room.id_of("hearth")) == ("Rain on glass", "Myst")


async def test_addresses_need_no_slash_at_the_end(twitch: Any) -> None:
    addresses = TwitchAddresses(twitch.helix_url.rstrip("/"), twitch.auth_url.rstrip("/"))
    api = Helix(TwitchKeys(twitch.client_id, twitch.client_secret), addresses)
    assert await api.user_id("hearth") == twitch.room.id_of("hearth")


async def test_names_what_is_not_there(helix: Any) -> None:
    with pytest.raises(NotFound, match="TWITCH_CHANNEL_NAME"):
        await helix().user_id("nobody")


async def test_a_refused_token_gives_way_to_the_apps(twitch: Any, helix: Any) -> None:
    await twitch.goes_live()
    api = helix(token="worn-out")
    assert await api.on_air("hearth") is not None
    assert ("POST", "token") in twitch.helix.asked
    twitch.helix.revoke_app_tokens()
    assert await api.on_air("hearth") is not None, "and that one is renewed"


async def test_a_refused_token_without_an_app_is_said(helix: Any) -> None:
    with pytest.raises(BadCredentials):
        await helix(secret="", token="worn-out").on_air("hearth")
    with pytest.raises(BadCredentials):
        await helix(secret="wrong", token="").on_air("hearth")
    with pytest.raises(BadCredentials):
        await helix(token="worn-out").holder()
    with pytest.raises(NotConfigured):
        await helix(token="").holder()


@pytest.mark.parametrize("failure", [Failure(429), Failure(500), Failure(503), Failure(hang=True), *GARBAGE])
async def test_whatever_goes_wrong_while_reading_is_one_error(twitch: Any, helix: Any, failure: Failure) -> None:
    await twitch.goes_live()
    api = helix(timeout=0.3)
    await api.app_token()
    twitch.helix.will("streams", failure, failure)
    with pytest.raises(Unavailable):
        await api.on_air("hearth")


@pytest.mark.parametrize("failure", [Failure(500), Failure(hang=True), *GARBAGE[:4]])
async def test_whatever_goes_wrong_with_tokens_is_one_error(twitch: Any, helix: Any, failure: Failure) -> None:
    twitch.helix.will("token", failure)
    twitch.helix.will("validate", failure)
    api = helix(timeout=0.3)
    with pytest.raises(Unavailable):
        await api.app_token()
    with pytest.raises(Unavailable):
        await api.holder()


async def test_says_with_the_apps_token(twitch: Any, helix: Any) -> None:
    sent = await sending(helix(), twitch)("A quiet line.", "m-1")
    (shown,) = twitch.room.shown
    assert (shown.id, shown.name, shown.text, shown.reply_to) == (sent.message_id, "keeper", "A quiet line.", "m-1")
    assert twitch.helix.sent_with[0].login == "", "so that the bot badge is shown"


async def test_says_with_its_own_token_when_the_app_may_not(twitch: Any, helix: Any) -> None:
    token = twitch.token(scopes=("user:write:chat",))
    await sending(helix(token=token), twitch)("One.")
    await sending(helix(secret="", token=token), twitch)("Two.")
    await sending(helix(secret="wrong", token=token), twitch)("Three.")
    assert twitch.spoken == ["One.", "Two.", "Three."]
    assert {grant.login for grant in twitch.helix.sent_with} == {"keeper"}


async def test_an_old_app_token_is_renewed_before_anything_is_shown(twitch: Any, helix: Any) -> None:
    send = sending(helix(), twitch)
    await send("One.")
    twitch.helix.revoke_app_tokens()
    await send("Two.")
    assert twitch.spoken == ["One.", "Two."]


async def test_no_token_at_all_is_a_drop(twitch: Any, helix: Any) -> None:
    with pytest.raises(Dropped) as dropped:
        await sending(helix(secret="wrong", token="worn-out"), twitch)("Hello?")
    assert dropped.value.reason == "unauthorized"


@pytest.mark.parametrize("reason", sorted(DROPS))
async def test_every_drop_reason_is_told(twitch: Any, helix: Any, reason: str) -> None:
    twitch.room.drops.append(reason)
    with pytest.raises(Dropped) as dropped:
        await sending(helix(), twitch)("Hello.")
    assert dropped.value.reason == reason


@pytest.mark.parametrize(
    "failure", [Failure(500), Failure(502), Failure(503), Failure(hang=True), Failure(hang=True, after=True), *GARBAGE]
)
async def test_in_doubt_it_is_asked_once_and_doubt_is_said(twitch: Any, helix: Any, failure: Failure) -> None:
    twitch.helix.will("chat/messages", failure)
    with pytest.raises(SendUnknown):
        await sending(helix(timeout=0.3), twitch)("Hello?")
    assert twitch.helix.asked.count(("POST", "chat/messages")) == 1


async def test_too_often_is_told_with_a_pause(twitch: Any, helix: Any) -> None:
    soon = str(int(twitch.room.clock()) + 12)
    for reset, pause in ((soon, 12.0), ("99999999999", 30.0), ("1", 1.0), ("never", 1.0)):
        twitch.helix.will("chat/messages", Failure(429, headers={"Ratelimit-Reset": reset}))
        with pytest.raises(SendFailed) as failed:
            await sending(helix(), twitch)("Hello?")
        assert failed.value.retry_after == pytest.approx(pause, abs=2.0)
    assert twitch.spoken == []


async def test_nobody_there_is_no_doubt(twitch: Any) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{free.getsockname()[1]}/"
        api = Helix(TwitchKeys("id", "", "token"), TwitchAddresses(nowhere, nowhere, nowhere))
        with pytest.raises(SendFailed):
            await sending(api, twitch)("Hello?")
        with pytest.raises(Unavailable):
            await api.on_air("hearth")


async def test_places_markers_when_it_may(twitch: Any, helix: Any) -> None:
    api = helix()
    with pytest.raises(NotFound):
        await api.place_marker(twitch.room.id_of("hearth"), "too early")
    await twitch.goes_live()
    await api.place_marker(twitch.room.id_of("hearth"), "everybody laughed " * 20)
    assert twitch.room.markers == [("everybody laughed " * 20)[:140]]
    with pytest.raises(NotAllowed, match="channel:manage:broadcast"):
        await helix(token=twitch.token(scopes=("user:read:chat",))).place_marker("1", "no")


def test_keys_do_not_show_themselves() -> None:
    assert "hush" not in repr(TwitchKeys("hush", "hush", "hush"))
