"""A forge at the front door of the whole house: signed deliveries come in, also large ones; nothing else does."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import httpx

from talekeeper.cli.fleet import house_key
from talekeeper.doors.fleet.hooks import Hook, new_hook, secret_of
from talekeeper.loops.creation import create_empty
from talekeeper.timeline.feed import follow

WORLD = "tower"


def issue(words: str) -> bytes:
    opened = {"number": 7, "title": words, "created_at": "2026-11-04T08:00:00Z"}
    return json.dumps({"action": "opened", "issue": opened, "sender": {"login": "odo"}}).encode()


async def test_deliveries_through_the_whole_server(serve: Any) -> None:
    server = serve()
    engine = server.engine
    await engine.store.write(lambda conn: create_empty(conn, engine.services, WORLD, 1))
    hook: Hook = await engine.store.write(lambda conn: new_hook(conn, "github", WORLD, 1.0))
    secret = secret_of(hook, house_key(engine.settings)).encode()

    async with httpx.AsyncClient(base_url=server.url) as forge:

        async def deliver(body: bytes, mark: str | None = None) -> httpx.Response:
            signed = mark or f"sha256={hmac.new(secret, body, hashlib.sha256).hexdigest()}"
            headers = {"X-GitHub-Event": "issues", "X-Hub-Signature-256": signed}
            return await forge.post(hook.path, content=body, headers=headers)

        assert (await deliver(issue("The lamp is out"))).status_code == 202
        assert (await deliver(issue("The lamp is out"))).json()["duplicate"] is True
        assert (await deliver(issue("forged"), "sha256=" + "0" * 64)).status_code == 401
        assert (await deliver(issue("x" * (6 << 20)))).status_code == 202, "a large push is no flood"
        assert (await deliver(issue("x" * (33 << 20)))).status_code == 413
    told = engine.store.read_now(lambda conn: follow(conn, WORLD, "t1", 0))
    assert [event.kind for event in told].count("fleet.dispatch") == 2
