"""POST /hooks/{source}/{world}: deliveries reach the timeline, each once, and nothing else does."""

from __future__ import annotations

import gzip
import hashlib
import hmac
import json
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import FastAPI

from talekeeper.agents.storyteller import Storyteller
from talekeeper.app.engine import Engine
from talekeeper.doors.common import problems
from talekeeper.doors.fleet.hooks import Hook, list_hooks, new_hook, revoke_hook, secret_of
from talekeeper.doors.fleet.routes import fleet_routes
from talekeeper.loops.creation import create_empty
from talekeeper.testing.house import House
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import path
from talekeeper.timeline.vocabulary import Event, FleetDeed

KEY = b"a key that signs everything here"
WORLD = "my-fleet"


def delivery(number: int = 7) -> bytes:
    return json.dumps(
        {
            "action": "opened",
            "issue": {"number": number, "title": "The lamp is out", "created_at": "2026-11-04T08:00:00Z"},
            "sender": {"login": "odo"},
            "repository": {"full_name": "harbour/tower"},
        }
    ).encode()


class Door:
    def __init__(self, engine: Engine, client: httpx.AsyncClient, hook: Hook) -> None:
        self.engine = engine
        self.client = client
        self.hook = hook

    def headers(self, body: bytes, hook: Hook | None = None, **more: str) -> dict[str, str]:
        mark = hmac.new(secret_of(hook or self.hook, KEY).encode(), body, hashlib.sha256).hexdigest()
        return {"X-GitHub-Event": "issues", "X-Hub-Signature-256": f"sha256={mark}", **more}

    async def send(
        self, body: bytes, headers: dict[str, str] | None = None, to: str = f"/hooks/github/{WORLD}"
    ) -> httpx.Response:
        return await self.client.post(to, content=body, headers=self.headers(body) if headers is None else headers)

    def fleet(self) -> list[Event]:
        return self.engine.store.read_now(
            lambda conn: [
                event for event in read_events(conn, path(conn, WORLD, "t1")) if isinstance(event.body, FleetDeed)
            ]
        )


@pytest.fixture
async def door(sqlite_house: House) -> AsyncIterator[Door]:
    engine = Engine.open(sqlite_house.settings(world=False), teller=Storyteller())
    await engine.store.write(lambda conn: create_empty(conn, engine.services, WORLD, 1))
    hook = await engine.store.write(lambda conn: new_hook(conn, "github", WORLD, 1.0))
    app = FastAPI()
    app.include_router(fleet_routes(engine, KEY))
    problems.install(app, debug=True)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        yield Door(engine, client, hook)
    await engine.close()


async def test_a_signed_delivery_is_on_the_timeline_with_its_own_time(door: Door):
    answer = await door.send(delivery())
    assert (answer.status_code, answer.json()["events"]) == (202, 1)
    (event,) = door.fleet()
    assert (event.kind, event.at, event.body.detail, event.body.task) == (
        "fleet.dispatch", 1_793_779_200.0, "issue #7: The lamp is out", "#7",
    )  # fmt: skip


async def test_a_delivery_counts_once_even_after_a_restart(door: Door):
    await door.send(delivery())
    assert (await door.send(delivery())).json()["duplicate"] is True
    app = FastAPI()
    app.include_router(fleet_routes(door.engine, KEY))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as again:
        assert (
            await again.post(f"/hooks/github/{WORLD}", content=delivery(), headers=door.headers(delivery()))
        ).status_code == 202
    assert len(door.fleet()) == 1


@pytest.mark.parametrize("signature", ["", "sha256=" + "0" * 64, None])
async def test_without_a_good_signature_nothing_happens(door: Door, signature: str | None):
    headers = {"X-GitHub-Event": "issues"} | ({} if signature is None else {"X-Hub-Signature-256": signature})
    answer = await door.send(delivery(), headers)
    assert answer.status_code == 401
    assert door.fleet() == []


async def test_a_hook_opens_only_its_own_world_and_source(door: Door):
    body = delivery()
    for to in ("/hooks/github/other-world", f"/hooks/gitlab/{WORLD}", f"/hooks/pigeon/{WORLD}"):
        assert (await door.send(body, door.headers(body), to)).status_code == 401


async def test_a_revoked_hook_is_closed_and_a_new_one_open(door: Door):
    second = await door.engine.store.write(lambda conn: new_hook(conn, "github", WORLD, 2.0))
    body = delivery(8)
    assert (await door.send(body, door.headers(body, second))).status_code == 202
    await door.engine.store.write(lambda conn: revoke_hook(conn, door.hook.id, 3.0))
    assert (await door.send(delivery(9))).status_code == 401
    assert [hook.revoked_at for hook in door.engine.store.read_now(list_hooks)] == [3.0, None]


async def test_what_tells_no_story_is_accepted_and_forgotten(door: Door):
    body = b'{"zen": "Keep it simple."}'
    answer = await door.send(body, door.headers(body, **{"X-GitHub-Event": "ping"}))
    assert (answer.status_code, answer.json()["ignored"]) == (202, "ping")
    assert door.fleet() == []


async def test_too_much_is_refused(door: Door):
    body = b"x" * (26 * 1024 * 1024)
    assert (await door.send(body)).status_code == 413
    bomb = gzip.compress(b"0" * (26 * 1024 * 1024), 1)
    assert (await door.send(bomb, door.headers(bomb, **{"Content-Encoding": "gzip"}))).status_code == 413


async def test_rubbish_is_bad_input(door: Door):
    assert (await door.send(b"{")).status_code == 422


async def test_the_secret_is_not_in_the_database(door: Door):
    secret = secret_of(door.hook, KEY)
    rows = door.engine.store.read_now(list_hooks)
    assert secret not in repr(rows)
    assert secret_of(door.hook, KEY) == secret
    assert secret_of(door.hook, b"another key, another secret") != secret
