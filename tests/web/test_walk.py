"""Every route and every socket event, met by a stranger, a spectator, a player, and a player of another world."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
import socketio
from websockets.exceptions import InvalidStatus

W = "/worlds/{world}"
NEEDS = {
    # Open to strangers: how one gets in, and what an invitation is for.
    "open": [
        "GET /auth/me", "POST /auth/login", "POST /auth/register", "POST /auth/logout", "GET /invites/{code}",
        "POST /invites/{code}/accept",
    ],
    # For anybody who has logged in.
    "known": [
        "GET /presets", "GET /worlds", "POST /worlds", "POST /worlds/import",
        "GET /auth/tokens", "POST /auth/tokens", "DELETE /auth/tokens/{token}", "POST /auth/password",
    ],
    "admin": [
        "GET /settings", "POST /settings/model-test", "GET /admin/users", "PATCH /admin/users/{name}",
        "DELETE /admin/users/{name}", "GET /admin/effects", "POST /admin/effects/retry",
    ],
    "watch": [
        f"GET {W}", f"GET {W}/turns", f"GET {W}/timelines", f"GET {W}/compare", f"GET {W}/people", f"GET {W}/clocks",
        f"GET {W}/threads", f"GET {W}/recap", f"GET {W}/calendar", f"GET {W}/entities", f"GET {W}/entities/{{kind}}/{{slug}}",
        f"GET {W}/entities/{{kind}}/{{slug}}/why", f"GET {W}/stream", f"GET {W}/seats",
        f"GET {W}/order", f"GET {W}/pictures/relations.svg", f"GET {W}/pictures/timelines.svg",
        f"GET {W}/whispers", f"POST {W}/line", f"GET {W}/directives", f"GET {W}/chronicle", f"GET {W}/chronicle.{{form}}",
    ],
    "play": [
        f"POST {W}/act", f"POST {W}/stop", f"POST {W}/roll", f"POST {W}/x-card", f"POST {W}/boundaries",
        f"POST {W}/whispers",
        f"GET {W}/turns/{{number}}/why", f"GET {W}/memories/{{kind}}/{{slug}}", f"GET {W}/knowledge/{{kind}}/{{slug}}",
    ],
    "run": [
        f"POST {W}/retry", f"POST {W}/edit", f"POST {W}/scene/end", f"POST {W}/directives", f"POST {W}/fork",
        f"POST {W}/backtrack", f"POST {W}/switch", f"GET {W}/proposals", f"POST {W}/proposals/{{proposal}}/decide",
        f"GET {W}/export", f"GET {W}/audit", f"DELETE {W}/directives/{{event}}", f"PATCH {W}/seats/{{id}}", f"PUT {W}/order",
    ],
    "own": [
        f"DELETE {W}", f"POST {W}/seats", f"POST {W}/invites", f"GET {W}/invites", f"DELETE {W}/invites/{{id}}",
        f"DELETE {W}/seats/{{id}}",
    ],
}  # fmt: skip
FILLED = {
    "kind": "person", "slug": "merrit", "number": "1", "proposal": "t1@1", "id": "nobody", "token": "x", "code": "x",
    "name": "nobody", "form": "md", "event": "t1@1",
}  # fmt: skip
QUERY = {"a": "t1", "b": "t1", "pred": "name"}


@pytest.fixture(scope="module")
def logins(accounts_server: Any) -> dict[str, Any]:
    """An owner with a world; a player, a spectator, and somebody with a world of their own: their cookies and proofs."""
    people: dict[str, Any] = {}
    for name in ("owner", "player", "spectator", "other"):
        with httpx.Client(base_url=f"{accounts_server.api}/", timeout=30) as http:
            entered = http.post("auth/register", json={"name": f"the-{name}", "password": "correct horse battery"})
            http.headers["X-CSRF-Token"] = entered.json()["csrf"]
            people[name] = (dict(http.cookies), entered.json()["csrf"])
            if name == "owner":
                assert http.post("worlds", json={"name": "ours", "seed": 7}).status_code == 201
            elif name == "other":
                assert http.post("worlds", json={"name": "theirs"}).status_code == 201
    cookies, proof = people["owner"]
    with httpx.Client(base_url=f"{accounts_server.api}/", cookies=cookies, headers={"X-CSRF-Token": proof}) as owner:
        for name in ("player", "spectator"):
            given = owner.post("worlds/ours/seats", json={"account": f"the-{name}", "role": name})
            assert given.status_code == 201, given.text
    return people


@pytest.fixture
def server(accounts_server: Any) -> Any:
    return accounts_server


@pytest.fixture
def people(server: Any, logins: dict[str, Any], browsers: Any) -> dict[str, Any]:
    """Their browsers, and a stranger's."""
    opened = {name: browsers(server) for name in (*logins, "stranger")}
    for name, (cookies, proof) in logins.items():
        opened[name].http.cookies.update(cookies)
        opened[name].http.headers["X-CSRF-Token"] = proof
    return opened


def filled(path: str) -> str:
    return re.sub(r"\{(\w+)\}", lambda m: FILLED[m[1]], path.replace("{world}", "ours")).lstrip("/")


async def test_every_route_is_on_the_list(server: Any, browsers: Any) -> None:
    spec = (await browsers(server).http.get(f"{server.url}/openapi.json")).json()
    routes = {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in spec["paths"].items()
        if path.startswith("/api/v1/")
        for method in methods
    }
    listed = [route for routes in NEEDS.values() for route in routes]
    assert len(listed) == len(set(listed))
    assert routes == set(listed)


@pytest.mark.parametrize("need", NEEDS)
async def test_who_may_pass(people: dict[str, Any], need: str) -> None:
    for route in NEEDS[need]:
        method, _, path = route.partition(" ")
        statuses = {}
        for who in ("stranger", "other", "spectator", "player"):
            if need == "open" and who != "stranger":
                continue
            body = {"json": {}} if method in ("POST", "PUT", "PATCH") else {}
            answer = await people[who].ask(method, filled(path), params=QUERY, **body)
            statuses[who] = answer.status_code
            assert answer.status_code < 500, (route, who, answer.text)
        if need == "open":
            assert statuses["stranger"] != 403, route
            continue
        assert statuses["stranger"] == 401, route
        if need == "known":
            continue
        if need == "admin":
            assert statuses == {"stranger": 401, "other": 403, "spectator": 403, "player": 403}, route
            continue
        assert statuses["other"] == 404, route
        assert (statuses["spectator"] == 403) == (need != "watch"), (route, statuses)
        assert (statuses["player"] == 403) == (need in ("run", "own")), (route, statuses)


@pytest.mark.parametrize(
    ("line", "who", "may"),
    [
        ("look around", "spectator", False),
        ("/roll 1d6", "spectator", False),
        ("/why", "spectator", False),
        ("/recap", "spectator", True),
        ("/timelines", "spectator", True),
        ("/roll 1d6", "player", True),
        ("/backtrack 0", "player", False),
        ("/fork", "player", False),
        ("/switch t1", "player", False),
        ("/retry", "player", False),
        ("/directive rain", "player", False),
        ("/line spiders", "player", True),
        ("/veil spiders", "spectator", False),
        ("/scene end", "player", False),
        ("/proposals", "player", False),
        ("/memories Tam", "player", False),
    ],
)
async def test_a_line_lets_nobody_do_more(people: dict[str, Any], line: str, who: str, may: bool) -> None:
    answer = await people[who].ask("POST", "worlds/ours/line", json={"text": line})
    assert (answer.status_code != 403) == may, answer.text


@pytest.mark.parametrize(("who", "status"), [("stranger", 401), ("other", 404)])
async def test_the_live_socket_opens_for_seats_only(people: dict[str, Any], who: str, status: int) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with people[who].live("ours"):
            pass
    assert refused.value.response.status_code == status
    async with people["spectator"].live("ours") as watching:
        assert '"hello"' in str(await watching.recv())


async def test_socket_io_events_as_well(server: Any, people: dict[str, Any]) -> None:

    async def call(who: str, event: str, data: Any) -> Any:
        client = socketio.AsyncClient(reconnection=False)
        headers = {"Cookie": people[who].cookie, "Origin": server.url}
        await client.connect(server.url, headers=headers, transports=["websocket"], auth={"user_id": "x"})
        try:
            return await client.call(event, data)
        finally:
            await client.disconnect()

    with pytest.raises(socketio.exceptions.ConnectionError):
        await call("stranger", "join", {"world": "ours"})
    beat = {"world": "ours", "text": "look around"}
    for event, data in (("join", {"world": "ours"}), ("storybeat", beat), ("stop", {"world": "ours"})):
        assert (await call("other", event, data))["error"]["code"] == "not_found", event
    assert (await call("spectator", "join", {"world": "ours"}))["seat"] == "the-spectator"
    for event, data in (("storybeat", beat), ("stop", {"world": "ours"})):
        assert (await call("spectator", event, data))["error"]["code"] == "not_allowed", event


async def test_nothing_hidden_is_shown_to_a_player(people: dict[str, Any]) -> None:
    owner, player = people["owner"], people["player"]
    everyone = (await owner.ask("GET", "worlds/ours/entities", params={"kind": "person"})).json()
    hidden = []
    for person in everyone:
        page = (await owner.ask("GET", f"worlds/ours/entities/{person['id']}", params={"hidden": True})).json()
        hidden += [(person["id"], fact["pred"], fact["slot"]) for fact in page["facts"] if fact["pred"] == "secret"]
        asked = await player.ask("GET", f"worlds/ours/entities/{person['id']}", params={"hidden": True})
        assert asked.status_code == 403
        plain = (await player.ask("GET", f"worlds/ours/entities/{person['id']}")).json()
        mine = plain["id"] == (await player.ask("GET", "worlds/ours")).json()["seat"]["actor"]
        assert mine or not plain["relations"], "what somebody feels is theirs"
        assert not {"secret", "secret_topic"} & {fact["pred"] for fact in plain["facts"]}
        asked = (await player.ask("POST", "worlds/ours/line", json={"text": f"/canon {person['id']}"})).json()
        preds = {row[0] for row in asked["rows"]}
        assert mine or not preds & {"goal", "trust", "affection", "respect", "fear", "debt", "schedule", "knows"}
    assert hidden, "there is something to hide"
    who, pred, slot = hidden[0]
    why = await player.ask("GET", f"worlds/ours/entities/{who}/why", params={"pred": pred, "slot": slot})
    assert why.status_code == 403
