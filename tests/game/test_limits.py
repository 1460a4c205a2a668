"""Too much of anything: floods, clients that do not read, NPCs that will not stop talking to each other."""

from __future__ import annotations

import asyncio
import json


async def test_a_flood_of_events_is_dropped_with_a_word(open_tavern, speaker, limits, until):
    few = limits(events_per_second=0.001, events_at_once=3)
    async with open_tavern(speaker, limits=few) as tavern, tavern.game() as game:
        game.answers_state = False
        for _ in range(20):
            await game.say("Hello", interrupt="if_idle")
        await game.settle()
        codes = [m["code"] for m in game.log if m["type"] == "error"]
        assert codes == ["rate_limited"] * 17


async def test_a_flood_of_reports_is_dropped_with_a_word(open_tavern, speaker, limits):
    few = limits(events_per_second=0.001, events_at_once=3)
    async with open_tavern(speaker, limits=few) as tavern, tavern.game() as game:
        for _ in range(10):
            await game.send("agent_turn_result", turn_id="x", agent_id="mara", status="completed", segments=[])
        await game.settle()
        await tavern.quiet()
        await game.settle()
        codes = [m["code"] for m in game.log if m["type"] == "error"]
        assert sorted(codes) == ["rate_limited"] * 7 + ["stale_turn"] * 3


async def test_a_client_that_stops_reading_is_given_up(open_tavern, speaker, limits, until):
    impatient = limits(send_seconds=0.1, sweep_seconds=0.02)
    async with open_tavern(speaker, limits=impatient) as tavern:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(tavern.address.rpartition(":")[2]), limit=1024)
        writer.write(
            b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        await reader.readuntil(b"\r\n\r\n")
        await until(lambda: len(tavern.hub._connections) == 1)
        (connection,) = tavern.hub._connections
        ping = frame(json.dumps({"type": "ping", "id": "x" * 190}).encode())
        reader._transport.pause_reading()  # the kernel's buffers fill up, and nothing more is taken
        sending = asyncio.create_task(flood(writer, ping * 500))
        await until(lambda: not tavern.hub._connections)
        assert connection._over.result().why == "the game does not read"
        sending.cancel()
        writer.transport.abort()


async def flood(writer, data):
    while True:
        writer.write(data)
        await writer.drain()


def frame(payload):
    mask = b"\0\0\0\0"
    assert 126 <= len(payload) < 65536
    return bytes([0x81, 0x80 | 126]) + len(payload).to_bytes(2, "big") + mask + payload


async def test_npcs_answer_each_other_only_so_many_times(open_tavern, speaker, limits):
    async with open_tavern(speaker, limits=limits(npc_depth=3)) as tavern, tavern.game() as game:
        speaker.next("<say>Tom, what do you say?</say>")
        await game.say("Start talking", "mara")
        await game.turn()
        pair = ["mara", "tom"]
        for n in range(3):
            speaker.next(f"<say>Answer {n}.</say>")
            await game.say("And you?", pair[(n + 1) % 2], source={"id": pair[n % 2], "kind": "npc"})
            await game.turn()
        last = await game.say("And you?", "mara", source={"id": "tom", "kind": "npc"})
        refused = await game.until("error")
        assert (refused["code"], refused["in_reply_to"]) == ("rate_limited", last)
        script = speaker.next("<say>Yes?</say>")
        await game.say("Mara, one more", "mara")
        await game.turn()
        assert any("And you?" in noticed for noticed in script.performance.noticed)
        speaker.next("<say>Tom again.</say>")
        await game.say("And you?", "tom", source={"id": "mara", "kind": "npc"})
        await game.turn()


async def test_a_connection_has_so_many_agents(open_tavern, speaker, limits):
    async with open_tavern(speaker, limits=limits(agents=2)) as tavern, tavern.game() as game:
        game.answers_state = False
        for agent in ("a", "b", "c"):
            await game.say("Hello", agent)
        refused = await game.until("error")
        assert (refused["code"], refused["agent_id"]) == ("rate_limited", "c")


async def test_what_nobody_uses_any_more_is_forgotten(tavern, speaker, until):
    async with tavern.game() as game:
        speaker.next("<say>Hello.</say>")
        await game.say("Hello")
        await game.turn()
        await game.settle()
        await tavern.quiet()
    await until(lambda: not tavern.hub._connections)
    assert not tavern.hub._agents
