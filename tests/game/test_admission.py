"""Who may come in: tokens, this machine without one, and pages of other sites not at all."""

from __future__ import annotations

import json
import logging

import pytest

from talekeeper.doors.game.admission import keep_tokens_out_of_logs
from talekeeper.doors.game.tokens import list_tokens, new_token, open_with, revoke_token
from talekeeper.errors import BadInput, NotFound, Unauthorized
from talekeeper.timeline.worlds import list_worlds


def make_token(tavern, world="old-harbour"):
    return tavern.engine.store.write_now(lambda conn: new_token(conn, world, "my game", 1.0))


async def refused(tavern, **options):
    async with tavern.game(**options) as game:
        told = await game.receive()
        await game.line.wait_closed()
        assert (told["type"], told["code"], told["fatal"]) == ("error", "unauthorized", True)
        return game.line.close_code


async def test_a_token_opens_its_own_world(tavern, speaker):
    _, secret = make_token(tavern)
    async with tavern.game(additional_headers={"Authorization": f"Bearer {secret}"}) as game:
        speaker.next("<say>Ahoy.</say>")
        await game.say("Hello")
        await game.turn()
    worlds = [world.slug for world in tavern.engine.store.read_now(list_worlds)]
    assert worlds == ["old-harbour"]


async def test_without_a_token_this_machine_plays_in_the_default_world(tavern, game, speaker):
    speaker.next("<say>Hello.</say>")
    await game.say("Hello")
    await game.turn()
    assert [world.slug for world in tavern.engine.store.read_now(list_worlds)] == ["game"]


async def test_the_token_may_stand_in_the_address_and_is_not_logged(tavern, speaker, caplog):
    token, secret = make_token(tavern)
    caplog.set_level(logging.DEBUG)
    async with tavern.game(query=f"?token={secret}") as game:
        speaker.next("<say>Hello.</say>")
        await game.say("Hello")
        await game.turn()
    async with tavern.game(additional_headers={"Authorization": f"Bearer {secret}"}) as game:
        await game.settle()
    assert "[accepted]" in caplog.text
    ours = [r.getMessage() for r in caplog.records if not r.name.startswith("websockets.client")]
    assert not [line for line in ours if secret in line]
    written = "".join(f.read_text() for f in tavern.settings.home.rglob("*.jsonl"))
    assert secret not in written
    assert token.id not in written


@pytest.mark.parametrize("wrong", ["nonsense", "tkg_00000000_x", "tkg__", "tkg", "", "🗝️"])
async def test_a_wrong_token_is_refused_even_from_here(tavern, wrong):
    if wrong:
        assert await refused(tavern, query=f"?token={wrong}") == 4401
    else:
        async with tavern.game(query="?token=") as game:
            await game.settle()


async def test_a_revoked_token_opens_nothing_and_ends_what_is_open(tavern):
    token, secret = make_token(tavern)
    headers = {"Authorization": f"Bearer {secret}"}
    async with tavern.game(additional_headers=headers) as game:
        await game.settle()
        tavern.engine.store.write_now(lambda conn: revoke_token(conn, token.id, 2.0))
        await tavern.hub.end_revoked()
        await game.line.wait_closed()
        assert game.line.close_code == 4401
    assert await refused(tavern, additional_headers=headers) == 4401


async def test_a_page_of_another_site_is_not_this_machine(tavern):
    assert await refused(tavern, origin="https://evil.example") == 4401
    async with tavern.game(origin="http://localhost:3000") as game:
        await game.settle()


async def test_the_setting_asks_everybody_for_a_token(open_tavern, speaker):
    async with open_tavern(speaker, token_needed=True) as tavern:
        assert await refused(tavern) == 4401


async def test_from_another_machine_a_token_is_needed(open_tavern, speaker, monkeypatch):
    async with open_tavern(speaker) as tavern:
        monkeypatch.setattr("talekeeper.doors.game.admission._is_loopback", lambda host: False)
        assert await refused(tavern) == 4401


def test_only_a_hash_of_the_secret_is_kept(store):
    token, secret = store.write_now(lambda conn: new_token(conn, "w", "n", 1.0))
    assert store.read_now(lambda conn: open_with(conn, secret)).world == "w"
    rows = store.read_now(lambda conn: str(conn.exec_driver_sql("select * from game_token").all()))
    assert secret.rpartition("_")[2] not in rows
    assert [t.id for t in store.read_now(list_tokens)] == [token.id]
    store.write_now(lambda conn: revoke_token(conn, secret, 2.0))
    with pytest.raises(Unauthorized):
        store.read_now(lambda conn: open_with(conn, secret))
    with pytest.raises(NotFound):
        store.write_now(lambda conn: revoke_token(conn, "nope", 2.0))
    with pytest.raises(BadInput):
        store.write_now(lambda conn: new_token(conn, "No World!", "n", 1.0))


def test_tokens_are_hidden_from_the_servers_own_log(caplog):
    keep_tokens_out_of_logs()
    caplog.set_level(logging.INFO, "uvicorn.error")
    logging.getLogger("uvicorn.error").info('%s - "WebSocket %s" [accepted]', "1.2.3.4", "/ws?token=tkg_a_b&x=1")
    assert "tkg_a_b" not in caplog.text
    assert "/ws?token=***&x=1" in caplog.text
    json.dumps(caplog.text)
