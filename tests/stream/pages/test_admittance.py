"""Who is let in to the console, by which key, and for how long; and what an overlay may read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.doors.stream.admittance import Admittance
from talekeeper.testing.clock import FakeClock

Open = Callable[..., httpx.AsyncClient]


async def log_in(client: httpx.AsyncClient, key: str) -> httpx.Response:
    return await client.post("/admin/companion/login", json={"key": key})


async def test_the_header_opens_everything(client: httpx.AsyncClient, key: str) -> None:
    assert (await client.get("/admin/secret", headers={"X-Admin-Token": key})).json() == "for the operator"
    assert (await client.get("/admin/secret")).status_code == 401
    assert (await client.get("/admin/secret", headers={"X-Admin-Token": ""})).status_code == 401


@pytest.mark.parametrize("given_", [b"wrong", "schlüssel".encode(), b"\xff\xfe", b"the admin keys", b"The admin key"])
async def test_a_wrong_header_of_any_bytes_is_refused(client: httpx.AsyncClient, given_: bytes) -> None:
    answer = await client.get("/admin/secret", headers=[(b"X-Admin-Token", given_)])
    assert answer.status_code == 401


async def test_a_key_that_is_not_ascii_works_by_header_and_by_login(open_client: Open) -> None:
    client = open_client("schlüssel für 灯台")
    by_header = await client.get("/admin/secret", headers=[(b"X-Admin-Token", "schlüssel für 灯台".encode())])
    assert by_header.status_code == 200
    assert (await log_in(client, "schlüssel für 灯台")).status_code == 200
    assert (await client.get("/admin/secret")).status_code == 200


async def test_a_login_sets_a_cookie_no_script_and_no_other_site_can_use(client: httpx.AsyncClient, key: str) -> None:
    answer = await log_in(client, key)
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert key not in cookie
    assert (await client.get("/admin/secret")).status_code == 200
    await client.post("/admin/companion/logout")
    assert (await client.get("/admin/secret")).status_code == 401


async def test_a_wrong_key_sets_nothing_and_too_many_are_refused(client: httpx.AsyncClient) -> None:
    answers = [await log_in(client, f"guess {n}") for n in range(30)]
    assert {answer.status_code for answer in answers} == {401, 429}
    assert not client.cookies


async def test_a_login_ends_after_a_month(client: httpx.AsyncClient, key: str, clock: FakeClock) -> None:
    await log_in(client, key)
    clock.advance(29 * 86_400)
    assert (await client.get("/admin/secret")).status_code == 200
    clock.advance(2 * 86_400)
    assert (await client.get("/admin/secret")).status_code == 401


async def test_another_admin_key_ends_logins_and_overlays(open_client: Open, key: str) -> None:
    client = open_client()
    await log_in(client, key)
    overlay = (await client.get("/admin/companion/overlay")).json()["path"]
    changed = open_client("another key", at=client)
    assert (await changed.get("/admin/secret")).status_code == 401
    assert (await client.get(overlay)).status_code == 200
    assert (await changed.get(overlay)).status_code == 401


async def test_without_a_configured_key_nobody_is_let_in(open_client: Open) -> None:
    for nothing in (None, ""):
        client = open_client(nothing)
        assert (await client.get("/admin/secret", headers={"X-Admin-Token": ""})).status_code == 503
        assert (await log_in(client, "")).status_code == 503
        assert (await client.get("/stream/overlay?token=")).status_code == 401


async def test_an_overlay_reads_the_theme_and_nothing_else(client: httpx.AsyncClient, key: str) -> None:
    await log_in(client, key)
    path = (await client.get("/admin/companion/overlay")).json()["path"]
    client.cookies.clear()
    token = path.partition("=")[2]
    assert (await client.get(path)).status_code == 200
    theme = await client.get("/stream/overlay/theme", params={"token": token})
    assert theme.json() == {"theme": "What a <lighthouse> owes the sea"}
    assert (await client.get("/admin/secret", headers={"X-Admin-Token": token})).status_code == 401
    client.cookies.set("talekeeper_stream", token)
    assert (await client.get("/admin/secret")).status_code == 401


@pytest.mark.parametrize("token", ["", "x", "ä", "\x00", "a" * 64, "theme"])
async def test_a_wrong_overlay_token_shows_nothing(client: httpx.AsyncClient, token: str) -> None:
    for path in ("/stream/overlay", "/stream/overlay/theme"):
        assert (await client.get(path, params={"token": token})).status_code == 401


@given(st.text())
def test_no_cookie_but_a_signed_one_holds(text: str) -> None:
    class Asked:
        cookies = {"talekeeper_stream": text}  # noqa: RUF012 - stands in for a request

    asked: Any = Asked()
    assert not Admittance("key", b"k" * 16, FakeClock()).is_logged_in(asked)
