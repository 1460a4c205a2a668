"""Accounts mode: registering, logging in, cookies, CSRF, tokens with scopes, throttling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

PASSWORD = "correct horse battery"


@pytest.fixture
def browser(server: Any, browsers: Any) -> Callable[[], Any]:
    return lambda: browsers(server)


@pytest.fixture
def server(serve: Any) -> Any:
    return serve(auth="accounts", world=False, limits_requests=0)


async def test_the_first_to_come_is_the_admin_and_the_next_need_an_invitation(browser: Any) -> None:
    ada, bo = browser(), browser()
    before = (await ada.ask("GET", "auth/me")).json()
    assert (before["mode"], before["signed_in"], before["registration"]) == ("accounts", False, "first")
    made = await ada.enter("register", "ada")
    assert made.status_code == 201, made.text
    assert made.json()["admin"]
    refused = await bo.enter("register", "bo-li")
    assert refused.status_code == 403
    world = (await ada.ask("POST", "worlds", json={"preset": "low-water"})).json()
    assert world["seat"] == {
        "id": "ada", "role": "owner", "name": "ada", "actor": world["player"], "actor_name": world["player_name"],
    }  # fmt: skip
    invite = (await ada.ask("POST", f"worlds/{world['slug']}/invites", json={"role": "player"})).json()
    assert (await bo.enter("register", "bo-li", invite=invite["code"])).status_code == 201
    assert (await bo.ask("GET", "worlds")).json() == [], "an account alone is no seat"
    joined = await bo.ask("POST", f"invites/{invite['code']}/accept", json={"character": "Bo Li"})
    assert joined.status_code == 200, joined.text
    assert joined.json()["seat"]["actor_name"] == "Bo Li"
    assert [w["slug"] for w in (await bo.ask("GET", "worlds")).json()] == [world["slug"]]
    used = await bo.ask("GET", f"invites/{invite['code']}")
    assert used.status_code == 404, "it was for one"


async def test_the_cookie_is_signed_and_kept_from_scripts_and_other_sites(browser: Any) -> None:
    ada = browser()
    made = await ada.enter("register", "ada")
    cookie = made.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    name, _, value = made.headers["set-cookie"].partition(";")[0].partition("=")
    forged = browser()
    text, _, mark = value.rpartition(".")
    for wrong in (f"{text}x.{mark}", f"{text}.{mark[:-1]}", text, "", "a.b", "é.é", value * 2):
        forged.http.cookies.set(name, wrong.encode("ascii", "ignore").decode())
        assert (await forged.ask("GET", "worlds")).status_code == 401
        forged.http.cookies.clear()
    assert (await ada.ask("GET", "worlds")).status_code == 200
    assert (await ada.ask("POST", "auth/logout")).status_code == 204
    forged.http.cookies.set(name, value)
    assert (await forged.ask("GET", "worlds")).status_code == 401, "logged out is logged out, whoever has the cookie"


async def test_what_changes_something_needs_the_proof_of_our_page(browser: Any, server: Any) -> None:
    ada = browser()
    await ada.enter("register", "ada")
    proof = ada.http.headers.pop("X-CSRF-Token")
    refused = await ada.ask("POST", "worlds", json={"preset": "low-water"})
    assert refused.status_code == 403
    assert "page" in refused.json()["error"]["message"]
    for wrong in ("", "x", proof[:-1], proof.upper() + "x"):
        answer = await ada.ask("POST", "worlds", json={}, headers={"X-CSRF-Token": wrong})
        assert answer.status_code == 403
    right = {"X-CSRF-Token": proof}
    foreign = await ada.ask("POST", "worlds", json={}, headers=right | {"Origin": "https://evil.example"})
    assert foreign.status_code == 403
    assert (await ada.ask("POST", "worlds", json={}, headers=right)).status_code == 201


async def test_a_token_does_no_more_than_it_was_made_for(browser: Any, server: Any) -> None:
    ada = browser()
    await ada.enter("register", "ada")
    slug = (await ada.ask("POST", "worlds", json={})).json()["slug"]
    made = await ada.ask("POST", "auth/tokens", json={"label": "a script", "scopes": ["watch", "play"]})
    assert made.status_code == 201, made.text
    token = made.json()["token"]
    assert token not in (await ada.ask("GET", "auth/tokens")).text, "shown once"
    async with httpx.AsyncClient(base_url=f"{server.api}/", headers={"Authorization": f"Bearer {token}"}) as script:
        assert (await script.get(f"worlds/{slug}")).status_code == 200
        assert (await script.post(f"worlds/{slug}/act", json={"text": "wait"})).status_code == 202
        for method, path in (
            ("GET", f"worlds/{slug}/export"),
            ("DELETE", f"worlds/{slug}"),
            ("POST", "worlds"),
            ("GET", "settings"),
            ("POST", "auth/tokens"),
        ):
            body = {"json": {"label": "x", "scopes": ["own"]}} if method == "POST" else {}
            refused = await script.request(method, path, **body)
            assert refused.status_code == 403, (path, refused.text)
        assert (await ada.ask("DELETE", f"auth/tokens/{made.json()['id']}")).status_code == 204
        assert (await script.get(f"worlds/{slug}")).status_code == 401
        for wrong in ("tk_", "tk_nonsense", "Bearer", "x" * 5000):
            answer = await script.get("worlds", headers={"Authorization": f"Bearer {wrong}"})
            assert answer.status_code == 401


async def test_guessing_passwords_is_slowed_down(browser: Any) -> None:
    ada, thief = browser(), browser()
    await ada.enter("register", "ada")
    answers = [await thief.http.post("auth/login", json={"name": "ada", "password": f"guess {n}"}) for n in range(10)]
    assert [a.status_code for a in answers[:8]] == [401] * 8
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["Retry-After"]) > 0
    unknown = await thief.http.post("auth/login", json={"name": "nobody", "password": "guess"})
    assert unknown.json()["error"]["message"] == answers[0].json()["error"]["message"], "no hint which was wrong"


async def test_a_new_password_ends_every_login(browser: Any) -> None:
    here, there = browser(), browser()
    await here.enter("register", "ada")
    assert (await there.enter("login", "ada")).status_code == 200
    wrong = await here.ask("POST", "auth/password", json={"old": "not it at all", "new": "a new long one"})
    assert wrong.status_code == 401
    changed = await here.ask("POST", "auth/password", json={"old": PASSWORD, "new": "a new long one"})
    assert changed.status_code == 204, changed.text
    assert (await there.ask("GET", "worlds")).status_code == 401
    assert (await there.enter("login", "ada")).status_code == 401


@pytest.mark.parametrize(
    ("name", "password"),
    [
        ("ad", PASSWORD),
        ("Ada", PASSWORD),
        ("owner", PASSWORD),
        ("narrator", PASSWORD),
        ("a" * 33, PASSWORD),
        ("<script>", PASSWORD),
        ("ada", "short"),
        ("ada", "x" * 201),
        ("ada", ""),
    ],
)
async def test_names_and_passwords_that_will_not_do(browser: Any, name: str, password: str) -> None:
    refused = await browser().http.post("auth/register", json={"name": name, "password": password})
    assert refused.status_code == 422, refused.text


async def test_without_accounts_there_is_nothing_to_log_into(serve: Any) -> None:
    server = serve()
    async with httpx.AsyncClient(base_url=f"{server.api}/") as http:
        assert (await http.get("auth/me")).json()["mode"] == "single"
        assert (await http.post("auth/login", json={"name": "ada", "password": PASSWORD})).status_code == 404
        assert (await http.get("worlds", headers={"Authorization": "Bearer tk_x"})).status_code == 401


async def test_the_admin_keeps_the_accounts(browser: Any) -> None:
    ada, bo = browser(), browser()
    await ada.enter("register", "ada")
    slug = (await ada.ask("POST", "worlds", json={})).json()["slug"]
    code = (await ada.ask("POST", f"worlds/{slug}/invites", json={})).json()["code"]
    await bo.enter("register", "bo-li", invite=code)
    await bo.accept(code, character="Bo")
    assert [user["name"] for user in (await ada.ask("GET", "admin/users")).json()] == ["ada", "bo-li"]
    assert (await bo.ask("GET", "admin/users")).status_code == 403
    last = await ada.ask("PATCH", "admin/users/ada", json={"admin": False})
    assert last.status_code == 409, "somebody has to be"
    given = await ada.ask("PATCH", "admin/users/bo-li", json={"password": "another long one"})
    assert given.status_code == 200, given.text
    assert (await bo.ask("GET", "worlds")).status_code == 401
    assert (await ada.ask("DELETE", "admin/users/bo-li")).status_code == 204
    assert [seat["id"] for seat in (await ada.ask("GET", f"worlds/{slug}/seats")).json()] == ["ada"]
    assert (await ada.ask("GET", "admin/effects")).status_code == 200
    assert (await ada.ask("POST", "admin/effects/retry", json={})).json() == {"retried": 0}
