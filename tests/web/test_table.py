"""Several people at one table: presence, characters, whose turn it is, whispers and secret rolls nobody else receives."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

WORLD = "low-water"


class Screen:
    """What arrives at one browser over its live socket, all of it."""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self.got: list[dict[str, Any]] = []
        self._news = asyncio.Event()

    async def __aenter__(self) -> Screen:
        self._socket = await self._browser.live()
        self._reading = asyncio.ensure_future(self._read())
        await self.until("presence")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._socket.close()
        self._reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._reading

    async def _read(self) -> None:
        async for message in self._socket:
            self.got.append(json.loads(message))
            self._news.set()

    async def until(self, kind: str, **fields: Any) -> dict[str, Any]:
        async with asyncio.timeout(20):
            while True:
                for message in self.got:
                    if message["type"] == kind and fields.items() <= message.items():
                        return message
                self._news.clear()
                await self._news.wait()

    @property
    def text(self) -> str:
        return json.dumps(self.got)


async def invited(server: Any, browsers: Any, name: str, role: str = "player", **more: Any) -> Any:
    host, guest = browsers(server), browsers(server)
    made = await host.ask("POST", f"worlds/{WORLD}/invites", json={"role": role})
    assert made.status_code == 201, made.text
    assert made.json()["link"] == f"{server.url}/join/{made.json()['code']}"
    joined = await guest.accept(made.json()["code"], name=name, **more)
    assert joined.status_code == 200, joined.text
    return guest


async def test_a_guest_comes_by_a_link_and_plays_a_character_of_their_own(server: Any, browsers: Any) -> None:
    host = browsers(server)
    guest = await invited(server, browsers, "Bo", character="Bo the Ferrier")
    me = (await guest.ask("GET", f"worlds/{WORLD}")).json()["seat"]
    assert (me["id"], me["role"], me["actor_name"]) == ("bo", "player", "Bo the Ferrier")
    async with Screen(host) as hosts, Screen(guest) as guests:
        assert {seat["seat"] for seat in (await guests.until("presence"))["seats"]} == {"owner", "bo"}
        told = await guest.ask("POST", f"worlds/{WORLD}/act", json={"text": "look around"})
        assert told.status_code == 202, told.text
        started = await hosts.until("turn_started")
        assert started["actor"] == me["actor"]
        await hosts.until("turn_ended", state="done")
        await guests.until("turn_ended", state="done")
    turns = (await host.ask("GET", f"worlds/{WORLD}/turns")).json()
    assert turns[-1]["passages"][0]["name"] == "Bo the Ferrier"
    people = (await host.ask("GET", f"worlds/{WORLD}/people")).json()
    assert any(person["id"] == me["actor"] and person["present"] for person in people)


async def test_whispers_reach_two_screens_and_no_third(server: Any, browsers: Any) -> None:
    host = browsers(server)
    bo, cy = [await invited(server, browsers, name) for name in ("Bo", "Cy")]
    watcher = await invited(server, browsers, "Di", role="spectator")
    async with Screen(host) as hosts, Screen(bo) as bos, Screen(cy) as cys, Screen(watcher) as dis:
        said = await bo.ask("POST", f"worlds/{WORLD}/whispers", json={"to": "cy", "text": "the ferryman lies"})
        assert said.status_code == 201, said.text
        heard = await cys.until("whisper")
        assert (heard["by"], heard["name"], heard["text"]) == ("bo", "Bo", "the ferryman lies")
        await bos.until("whisper")
        await host.ask("POST", f"worlds/{WORLD}/roll", json={"notation": "1d4"})
        for screen in (hosts, dis):
            await screen.until("rolled")
            assert "ferryman" not in screen.text
    for browser in (host, watcher):
        assert (await browser.ask("GET", f"worlds/{WORLD}/whispers")).json() == []
        for part in ("turns", "recap", "line"):
            asked = ("POST", {"json": {"text": "/recap"}}) if part == "line" else ("GET", {})
            assert "ferryman" not in (await browser.ask(asked[0], f"worlds/{WORLD}/{part}", **asked[1])).text
    assert "ferryman" not in (await host.ask("GET", f"worlds/{WORLD}/export")).text
    assert [w["text"] for w in (await cy.ask("GET", f"worlds/{WORLD}/whispers")).json()] == ["the ferryman lies"]
    silent = await watcher.ask("POST", f"worlds/{WORLD}/whispers", json={"to": "bo", "text": "psst"})
    assert silent.status_code == 403


async def test_a_secret_roll_is_seen_by_whoever_rolled(server: Any, browsers: Any) -> None:
    host = browsers(server)
    bo = await invited(server, browsers, "Bo")
    async with Screen(host) as hosts, Screen(bo) as bos:
        rolled = await host.ask("POST", f"worlds/{WORLD}/roll", json={"notation": "1d20+100", "secret": True})
        mine = await hosts.until("rolled")
        assert mine["total"] == rolled.json()["total"] > 100
        await host.ask("POST", f"worlds/{WORLD}/roll", json={"notation": "1d4"})
        await bos.until("rolled", secret=False)
        assert "1d20+100" not in bos.text
        assert str(mine["total"]) not in bos.text
    for part in ("turns", "timelines", "recap"):
        assert "1d20+100" not in (await bo.ask("GET", f"worlds/{WORLD}/{part}")).text


async def test_round_the_table(server: Any, browsers: Any) -> None:
    host = browsers(server)
    bo, cy = [await invited(server, browsers, name) for name in ("Bo", "Cy")]
    async with Screen(bo) as bos:
        order = await host.ask("PUT", f"worlds/{WORLD}/order", json={"mode": "round", "current": "bo"})
        assert order.json() == {"mode": "round", "current": "bo"}
        early = await cy.ask("POST", f"worlds/{WORLD}/act", json={"text": "wait"})
        assert (early.status_code, early.json()["error"]["code"]) == (409, "not_your_turn")
        assert "Bo" in early.json()["error"]["message"]
        assert (await bo.ask("POST", f"worlds/{WORLD}/act", json={"text": "wait"})).status_code == 202
        await bos.until("order", current="cy")
        await bos.until("turn_ended")
        assert (await bo.ask("POST", f"worlds/{WORLD}/act", json={"text": "wait"})).status_code == 409
        assert (await cy.ask("POST", f"worlds/{WORLD}/act", json={"text": "wait"})).status_code == 202
        await bos.until("order", current="owner")


async def test_as_the_game_master_says(server: Any, browsers: Any) -> None:
    host = browsers(server)
    bo = await invited(server, browsers, "Bo")
    await host.ask("PUT", f"worlds/{WORLD}/order", json={"mode": "gm"})
    assert (await bo.ask("POST", f"worlds/{WORLD}/act", json={"text": "wait"})).status_code == 409
    await host.ask("PUT", f"worlds/{WORLD}/order", json={"mode": "gm", "current": "bo"})
    async with Screen(bo) as bos:
        assert (await bo.ask("POST", f"worlds/{WORLD}/act", json={"text": "wait", "idem": "k"})).status_code == 202
        await bos.until("turn_ended")
    again = await bo.ask("POST", f"worlds/{WORLD}/act", json={"text": "wait", "idem": "k"})
    assert again.status_code == 202, "a repeated request is no second turn"
    assert (await bo.ask("POST", f"worlds/{WORLD}/act", json={"text": "wait"})).status_code == 409
    assert (await bo.ask("PUT", f"worlds/{WORLD}/order", json={"mode": "free"})).status_code == 403


async def test_gone_back_to_before_they_came_a_guest_comes_again(server: Any, browsers: Any) -> None:
    host = browsers(server)
    async with Screen(host) as hosts:
        await host.ask("POST", f"worlds/{WORLD}/act", json={"text": "wait"})
        await hosts.until("turn_ended")
        bo = await invited(server, browsers, "Bo")
        await host.ask("POST", f"worlds/{WORLD}/act", json={"text": "wait"})
        await hosts.until("turn_ended", turn="t1#2")
        assert (await host.ask("POST", f"worlds/{WORLD}/backtrack", json={"to": 0})).status_code == 200
        acted = await bo.ask("POST", f"worlds/{WORLD}/act", json={"text": "look around"})
        assert acted.status_code == 202, acted.text
        assert (await hosts.until("turn_ended", turn="t2#1"))["state"] == "done"


async def test_a_seat_taken_away_is_taken_away_at_once(server: Any, browsers: Any) -> None:
    host = browsers(server)
    bo = await invited(server, browsers, "Bo")
    socket = await bo.live()
    assert (await host.ask("DELETE", f"worlds/{WORLD}/seats/bo")).status_code == 204
    with contextlib.suppress(ConnectionClosed):
        async with asyncio.timeout(10):
            async for _ in socket:
                pass
    assert socket.close_code == 1008
    assert (await bo.ask("GET", f"worlds/{WORLD}")).status_code == 404
    last = await host.ask("DELETE", f"worlds/{WORLD}/seats/owner")
    assert last.status_code == 409, "a world needs an owner"


@pytest.mark.parametrize("name", ["", "   ", "\x00", "x" * 61])
async def test_a_guest_needs_a_name(server: Any, browsers: Any, name: str) -> None:
    host, guest = browsers(server), browsers(server)
    code = (await host.ask("POST", f"worlds/{WORLD}/invites", json={})).json()["code"]
    refused = await guest.ask("POST", f"invites/{code}/accept", json={"name": name})
    assert refused.status_code == 422, refused.text
    assert (await guest.ask("GET", f"invites/{code}")).status_code == 200, "and the invitation is not used up"
