"""What every request meets first: names, origins, how often, how large; and the shape of every refusal."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import structlog
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from talekeeper.doors.common import audience, threshold
from talekeeper.loops.scene import narrate

WORLD = "low-water"


@pytest.fixture
async def http(shared: Any) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=shared.url, timeout=30) as client:
        yield client


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "localhost.evil.example", "", "10.0.0.7", "[::2]:80"]
)
async def test_a_name_somebody_points_here_is_not_ours(http: httpx.AsyncClient, host: str) -> None:
    refused = await http.get("/api/v1/worlds", headers={"Host": host})
    assert refused.status_code in (400, 422)
    assert WORLD not in refused.text


@pytest.mark.parametrize("host", ["localhost", "localhost:1234", "127.0.0.1:9", "[::1]:8000"])
async def test_our_own_names_are(http: httpx.AsyncClient, host: str) -> None:
    assert (await http.get("/api/v1/worlds", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "file://"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
async def test_another_sites_page_may_not_change_anything(http: httpx.AsyncClient, headers: dict[str, str]) -> None:
    for path in ("act", "stop", "x-card", "line"):
        refused = await http.post(f"/api/v1/worlds/{WORLD}/{path}", json={"text": "wait"}, headers=headers)
        assert refused.status_code == 403
        assert refused.json()["error"]["code"] == "not_allowed"
    gone = await http.delete(f"/api/v1/worlds/{WORLD}", headers=headers)
    assert gone.status_code == 403


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:1"])
async def test_nor_open_a_socket(shared: Any, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with shared.live(origin=origin):
            pass
    assert refused.value.response.status_code == 403
    assert json.loads(refused.value.response.body)["error"]["code"] == "not_allowed"


async def test_a_page_from_where_the_settings_say_may(serve: Any) -> None:
    server = serve(server_allowed_origins="https://tales.example.org, http://other.example:8080")
    asked = {"Origin": "https://tales.example.org"}
    async with httpx.AsyncClient(base_url=server.url) as http:
        answered = await http.post(f"/api/v1/worlds/{WORLD}/stop", headers=asked)
        assert answered.status_code == 200
        assert answered.headers["access-control-allow-origin"] == "https://tales.example.org"
        before = await http.options(
            f"/api/v1/worlds/{WORLD}/stop", headers=asked | {"Access-Control-Request-Method": "POST"}
        )
        assert before.status_code == 200
        by_name = await http.get("/api/v1/worlds", headers={"Host": "tales.example.org"})
        assert by_name.status_code == 200
        foreign = await http.get("/api/v1/worlds", headers={"Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in foreign.headers


async def test_the_page_stays_at_home(http: httpx.AsyncClient) -> None:
    for path in ("/api/v1/worlds", "/", "/api/v1/nowhere", "/docs"):
        headers = (await http.get(path)).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert len(headers["x-request-id"]) == 16


async def test_script_in_words_stays_words(http: httpx.AsyncClient) -> None:
    script = "<script>alert(1)</script>"
    made = await http.post("/api/v1/worlds", json={"title": script, "name": "scripted", "preset": "low-water"})
    assert made.headers["content-type"] == "application/json"
    assert made.json()["title"] == script
    for path in ("/w/<script>alert(1)</script>", f"/api/v1/worlds/{script}", f"/join/{script}"):
        answered = await http.get(path)
        assert script not in answered.text or answered.headers["content-type"] == "application/json"
    picture = await http.get("/api/v1/worlds/scripted/pictures/timelines.svg")
    assert "<script" not in picture.text


async def test_every_refusal_has_one_shape(http: httpx.AsyncClient) -> None:
    refusals = [
        await http.get("/api/v1/worlds/nowhere"),
        await http.get("/api/v1/no-such-thing"),
        await http.put("/api/v1/worlds"),
        await http.post(f"/api/v1/worlds/{WORLD}/act", json={"texts": "wait"}),
        await http.post(f"/api/v1/worlds/{WORLD}/act", content=b"{", headers={"Content-Type": "application/json"}),
        await http.post(
            f"/api/v1/worlds/{WORLD}/act", content=b"\xff\xfe", headers={"Content-Type": "application/json"}
        ),
        await http.post(f"/api/v1/worlds/{WORLD}/act", json={"text": ""}),
        await http.get(f"/api/v1/worlds/{WORLD}/turns", params={"limit": "many"}),
        await http.post("/api/v1/worlds/import", content=b"not a world"),
    ]
    for refused in refusals:
        assert 400 <= refused.status_code < 500, refused.text
        error = refused.json()["error"]
        assert set(error) == {"code", "message", "hint", "request"}
        assert error["request"] == refused.headers["x-request-id"]
        assert error["message"].endswith((".", "?"))


async def test_ten_megabytes_are_not_read(http: httpx.AsyncClient) -> None:
    large = b'{"text": "' + b"x" * (10 << 20) + b'"}'
    refused = await http.post(
        f"/api/v1/worlds/{WORLD}/act", content=large, headers={"Content-Type": "application/json"}
    )
    assert refused.status_code == 413

    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(160):
            yield b"x" * (64 << 10)

    unannounced = await http.post(
        f"/api/v1/worlds/{WORLD}/act", content=pieces(), headers={"Content-Type": "application/json"}
    )
    assert unannounced.status_code == 413


async def test_a_client_that_stops_sending_is_let_go(shared: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threshold, "BODY_SECONDS", 0.2)
    reader, writer = await asyncio.open_connection("127.0.0.1", shared.port)
    writer.write(
        b"POST /api/v1/worlds/low-water/act HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b'Content-Length: 100\r\n\r\n{"text'
    )
    async with asyncio.timeout(10):
        answer = await reader.read(200)
    assert b" 408 " in answer
    writer.close()


async def test_too_often_says_when_to_come_back(serve: Any) -> None:
    server = serve(limits_requests=5, limits_turns=2)
    async with httpx.AsyncClient(base_url=server.url) as http:
        answers = [await http.get("/api/v1/worlds") for _ in range(6)]
        assert [a.status_code for a in answers] == [200] * 5 + [429]
        assert 0 < int(answers[-1].headers["Retry-After"]) <= 60
        assert answers[-1].json()["error"]["code"] == "too_much"
        assert (await http.get("/health")).status_code == 200, "machines may always ask"


async def test_a_seat_has_so_many_turns_a_minute(serve: Any, until: Any) -> None:
    server = serve(limits_turns=2)
    async with httpx.AsyncClient(base_url=server.url) as http, server.live() as watching:
        for _ in range(2):
            assert (await http.post(f"/api/v1/worlds/{WORLD}/act", json={"text": "wait"})).status_code == 202
            await until(watching, "turn_ended")
        refused = await http.post(f"/api/v1/worlds/{WORLD}/act", json={"text": "wait"})
        assert refused.status_code == 429
        assert "turns" in refused.json()["error"]["message"]


async def test_a_socket_that_talks_and_talks_is_closed(shared: Any) -> None:
    async def flood(socket: ClientConnection, message: str) -> None:
        while True:
            await socket.send(message)

    for message in ("blah", "x" * (2 << 20)):
        async with shared.live() as chatty, asyncio.timeout(20):
            with pytest.raises(ConnectionClosed):
                await flood(chatty, message)


async def test_a_socket_that_never_reads_costs_nobody_else(
    serve: Any, endless_teller: Any, until: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience, "MOST_WAITING", 100)
    monkeypatch.setattr(narrate, "MOST_READ", 10**9)
    server = serve(teller=endless_teller)
    server.buffer_little()
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.connect(("127.0.0.1", server.port))
    deaf.sendall(
        f"GET /api/v1/worlds/{WORLD}/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    try:
        async with httpx.AsyncClient(base_url=server.api) as http, server.live(max_queue=None) as watching:
            assert (await http.post(f"/worlds/{WORLD}/act", json={"text": "wait"})).status_code == 202
            told = [m for m in await until(watching, "turn_ended") if "seq" in m]
            assert [frame["seq"] for frame in told] == list(range(len(told))), "whoever reads misses nothing"
            async with asyncio.timeout(60):
                while server.app.state.audience.size() == 2:  # noqa: ASYNC110 - it changes in the server's thread
                    await asyncio.sleep(0.01)
    finally:
        deaf.close()


async def test_what_is_counted(http: httpx.AsyncClient, shared: Any) -> None:
    async with shared.live() as watching:
        await watching.recv()
        await http.get(f"/api/v1/worlds/{WORLD}")
        counted = (await http.get("/metrics")).text
    assert 'talekeeper_sockets{door="live"} ' in counted
    assert 'talekeeper_http_requests_total{method="GET",route="/api/v1/worlds/{world}",status="200"}' in counted


async def test_a_given_request_id_is_kept_if_it_is_one(http: httpx.AsyncClient) -> None:
    kept = await http.get("/api/v1/worlds", headers={"X-Request-ID": "from-the-proxy.7"})
    assert kept.headers["x-request-id"] == "from-the-proxy.7"
    odd = await http.get("/api/v1/worlds", headers={"X-Request-ID": "no spaces <here>"})
    assert odd.headers["x-request-id"] != "no spaces <here>"


def test_connecting_to_a_path_that_is_not_there(shared: Any) -> None:
    async def go() -> None:
        with pytest.raises(InvalidStatus):
            async with connect(f"ws://127.0.0.1:{shared.port}/nowhere"):
                pass

    asyncio.run(go())


async def test_ready_when_everything_is_awake(http: httpx.AsyncClient) -> None:
    async with asyncio.timeout(30):
        while (answered := await http.get("/ready")).status_code == 503:
            assert not answered.json()["ready"]
    assert answered.json()["checks"] == dict.fromkeys(("store", "migrations", "loops", "worker", "models"), True)
    assert (await http.get("/health")).json()["status"] == "ok"


async def test_the_log_says_which_request_began_which_turn(shared: Any, http: httpx.AsyncClient) -> None:
    with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
        accepted = await http.post(f"/api/v1/worlds/{WORLD}/act", json={"text": "wait"})
        async with shared.live(query=f"turn={accepted.json()['turn'].replace('#', '%23')}") as watching:
            async for message in watching:
                if json.loads(message)["type"] == "turn_ended":
                    break
    request = accepted.headers["x-request-id"]
    mine = [line for line in lines if line.get("request") == request]
    assert [line["turn"] for line in mine if line["event"] == "turn_accepted"] == [accepted.json()["turn"]]
    assert [(line["method"], line["status"]) for line in mine if line["event"] == "request"] == [("POST", 202)]
