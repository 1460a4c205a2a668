"""Socket.IO with the stock Python client; the JavaScript client is in test_socketio_npm.py."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
import pytest
import socketio

WORLD = "low-water"


class Client:
    """A stock client that writes down what it receives."""

    def __init__(self) -> None:
        self.io = socketio.AsyncClient(reconnection=False)
        self.got: list[tuple[str, Any]] = []
        self._news = asyncio.Event()
        self.io.on("*", self._take)

    async def _take(self, event: str, data: Any) -> None:
        self.got.append((event, data))
        self._news.set()

    async def until(self, wanted: Callable[[str, Any], bool]) -> Any:
        async with asyncio.timeout(20):
            while True:
                for event, data in self.got:
                    if wanted(event, data):
                        return data
                self._news.clear()
                await self._news.wait()


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    made = Client()
    yield made
    await made.io.disconnect()


def connect(server: Any, client: Client, auth: Any, **more: Any) -> Awaitable[None]:
    return client.io.connect(server.url, auth=auth, **more)


@pytest.mark.parametrize("transport", ["websocket", "polling"])
async def test_a_storybeat_is_acknowledged_with_its_turn_and_told_in_frames(
    server: Any, client: Client, transport: str
) -> None:
    await connect(server, client, {"user_id": "ada"}, transports=[transport])
    told = await client.io.call("storybeat", {"world": WORLD, "text": "look around", "idem": "one"})
    assert told["turn"] == "t1#1"
    turn = await client.until(lambda event, _: event == "turn")
    assert turn["number"] == 1
    frames = [data for event, data in client.got if event == "frame"]
    seqs = [frame["seq"] for frame in frames]
    assert seqs == sorted(set(seqs)), "in order, each once"
    assert frames[-1]["type"] == "turn_ended"
    assert any(event == "snapshot" for event, _ in client.got)
    again = await client.io.call("storybeat", {"world": WORLD, "text": "look around", "idem": "one"})
    assert again["turn"] == "t1#1", "the same key gives the first answer"


async def test_joining_late_replays_the_turn_from_where_one_was(server: Any, client: Client) -> None:
    await connect(server, client, {"user_id": "ada"})
    told = await client.io.call("storybeat", {"world": WORLD, "text": "wait"})
    await client.until(lambda event, _: event == "turn")
    late = Client()
    await connect(server, late, {"user_id": "bo"})
    stands = await late.io.call("join", {"world": WORLD, "turn": told["turn"], "attempt": 1, "from_seq": 2})
    assert stands["turn_number"] == 1
    first = await late.until(lambda event, _: event == "frame")
    assert first["seq"] >= 2
    await late.io.disconnect()


@pytest.mark.parametrize("auth", [None, {}, {"user_id": ""}, {"user_id": "  "}, {"token": "tk_wrong"}, {"user_id": []}])
async def test_nobody_in_particular_is_refused(shared: Any, client: Client, auth: Any) -> None:
    with pytest.raises(socketio.exceptions.ConnectionError):
        await connect(shared, client, auth)


@pytest.mark.parametrize(
    ("event", "data", "code"),
    [
        ("storybeat", None, "bad_input"),
        ("storybeat", {"world": WORLD}, "bad_input"),
        ("storybeat", {"world": WORLD, "text": ["look"]}, "bad_input"),
        ("storybeat", {"world": "nowhere", "text": "look"}, "not_found"),
        ("storybeat", {"world": WORLD, "text": ""}, "bad_input"),
        ("storybeat", {"world": WORLD, "text": "x" * 5000}, "too_large"),
        ("storybeat", {"world": WORLD, "text": "look", "scene": "t9/s9"}, "bad_input"),
        ("join", {"world": 7}, "bad_input"),
        ("stop", {"world": "nowhere"}, "not_found"),
        ("dance", {"world": WORLD}, "bad_input"),
    ],
)
async def test_bad_messages_get_an_error_and_the_connection_lives(
    shared: Any, client: Client, event: str, data: Any, code: str
) -> None:
    await connect(shared, client, {"user_id": "ada"})
    answer = await client.io.call(event, data)
    assert answer["error"]["code"] == code
    assert (await client.until(lambda event, _: event == "error"))["code"] == code
    assert "error" not in await client.io.call("join", {"world": WORLD})


async def test_a_foreign_page_is_refused(shared: Any, client: Client) -> None:
    foreign = {"Origin": "https://evil.example"}
    with pytest.raises(socketio.exceptions.ConnectionError):
        await connect(shared, client, {"user_id": "ada"}, headers=foreign, transports=["websocket"])
    async with httpx.AsyncClient() as http:
        polled = await http.get(f"{shared.url}/socket.io/", params={"EIO": 4, "transport": "polling"}, headers=foreign)
    assert polled.status_code == 403
    assert polled.json()["error"]["code"] == "not_allowed"


async def test_a_flood_is_cut_off(shared: Any, client: Client) -> None:
    await connect(shared, client, {"user_id": "ada"})
    for _ in range(1000):
        await client.io.emit("leave", {"world": WORLD})
    async with asyncio.timeout(20):
        await client.io.wait()
    assert not client.io.connected
    assert ("error", "too_much") in [(event, data["code"]) for event, data in client.got]
