"""A world written out and taken in again is the same world: everything about it, on both databases."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
from collections.abc import AsyncIterator

import msgspec
import pytest
from sqlalchemy import Connection

from talekeeper.agents.storyteller import Storyteller
from talekeeper.app.engine import Engine
from talekeeper.canon.facts import all_facts
from talekeeper.canon.proposals import proposals
from talekeeper.canon.replay import differences
from talekeeper.errors import BadInput, Conflict
from talekeeper.loops.creation import create_empty
from talekeeper.loops.intents import Act, Backtrack, Hear, Retry
from talekeeper.loops.scene.commands import hear
from talekeeper.loops.scene.travel import backtrack
from talekeeper.loops.world_file import export_world, import_world
from talekeeper.memory.recall import recall
from talekeeper.memory.recaps import recaps
from talekeeper.testing.house import WORLD, House
from talekeeper.timeline.directives import directives
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import list_timelines, path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.told_lines import told_lines
from talekeeper.timeline.transcript import transcript
from talekeeper.timeline.turns import turns_along
from talekeeper.timeline.vocabulary import PUBLIC, ChatSaid, Draft, FleetDeed
from talekeeper.timeline.worlds import delete_world, get_world


@pytest.fixture
async def engine(house: House) -> AsyncIterator[Engine]:
    """On SQLite, and once more on Postgres, without a world."""
    engine = Engine.open(house.settings(world=False), teller=Storyteller())
    yield engine
    await engine.close()


async def take(engine: Engine, data: bytes, name: str | None = None) -> None:
    await engine.store.write(lambda conn: import_world(conn, engine.services, io.BytesIO(data), name=name))
    await engine.effects.drain()


def everything(conn: Connection, world: str) -> dict[str, object]:
    """All that can be asked about a world, timeline by timeline."""
    known: dict[str, object] = {}
    for timeline in list_timelines(conn, world):
        past = path(conn, world, timeline.id)
        known[timeline.id] = {
            "tree": (timeline.name, timeline.parent, timeline.fork_seq, timeline.reason, timeline.head),
            "events": [msgspec.structs.replace(e, world="") for e in read_events(conn, past)],
            "told": transcript(conn, past),
            "canon": all_facts(conn, past),
            "sound": differences(conn, past),
            "proposals": proposals(conn, past, instant=True),
            "turns": [
                msgspec.structs.replace(
                    t, world="", lease_owner=None, lease_until=None,
                    intent=msgspec.structs.replace(msgspec.json.decode(t.intent, type=Act), world=""),
                )
                for t in turns_along(conn, past)
            ],
            "snapshot": latest_snapshot(conn, past),
            "used": told_lines(conn, past),
            "memories": {m.event: m.text for m in recall(conn, past, "person/merrit", "fire pipe otter")},
            "recaps": recaps(conn, past),
            "directives": directives(conn, past, "", 0),
        }  # fmt: skip
    return known


async def test_everything_comes_back(engine: Engine, world_file: bytes):
    await take(engine, world_file)
    await take(engine, world_file, "copy")
    first, second = [await engine.store.read(lambda conn, w=w: everything(conn, w)) for w in (WORLD, "copy")]
    assert sorted(first) == ["t1", "t2", "t3"]
    assert first == second
    for timeline in first.values():
        assert timeline["sound"] == []
        assert all(timeline[what] for what in ("events", "told", "canon", "turns", "snapshot", "memories", "recaps"))


async def test_a_second_export_says_the_same(engine: Engine, world_file: bytes):
    await take(engine, world_file, "copy")
    out = io.BytesIO()
    await engine.store.read(lambda conn: export_world(conn, "copy", out, now=1_700_000_000.0))
    before, after = (data.replace(b'"world":"low-water"', b'"world":"copy"') for data in (world_file, out.getvalue()))
    assert before.splitlines()[1:-1] == after.splitlines()[1:-1]
    old, new = (json.loads(data.splitlines()[0])["world"] for data in (before, after))
    assert {**old, "name": "copy"} == new


async def test_the_imported_world_plays_on_and_goes_back(engine: Engine, world_file: bytes):
    await take(engine, world_file, "copy")

    async def told(running) -> list[str]:
        await asyncio.wait_for(running.ended.wait(), 30)
        return [t.turn for t in await engine.store.read(lambda conn: transcript(conn, _active(conn)))]

    def _active(conn: Connection):
        return path(conn, "copy", get_world(conn, "copy").active)

    assert (await told(await engine.scenes.act(Act(world="copy", text="wait"))))[-1] == "t3#3"
    assert (await told(await engine.scenes.retry(Retry(world="copy"))))[-1] == "t4#3"
    arrival = await engine.command(backtrack, Backtrack(world="copy", timeline="t1", to=2))
    assert (arrival.timeline, arrival.turn_number) == ("t5", 2)
    assert (await told(await engine.scenes.act(Act(world="copy", text="look around"))))[-3:] == ["t1#1", "t1#2", "t5#3"]
    assert await engine.store.read(lambda conn: differences(conn, _active(conn))) == []


async def test_a_world_deleted_and_taken_in_again_is_as_it_was_saved(engine: Engine, world_file: bytes):
    await take(engine, world_file)
    before = await engine.store.read(lambda conn: everything(conn, WORLD))
    running = await engine.scenes.act(Act(world=WORLD, text="wait"))
    await asyncio.wait_for(running.ended.wait(), 30)
    await engine.store.write(lambda conn: delete_world(conn, WORLD))
    await take(engine, world_file)
    assert await engine.store.read(lambda conn: everything(conn, WORLD)) == before


async def test_a_packed_file_is_read_as_one(engine: Engine, world_file: bytes):
    await take(engine, gzip.compress(world_file), "packed")
    assert await engine.store.read(lambda conn: len(list_timelines(conn, "packed"))) == 3


async def test_a_turn_that_runs_is_left_behind_and_its_number_is_free(engine: Engine, world_file: bytes):
    await take(engine, world_file, "busy")
    running = await engine.scenes.act(Act(world="busy", text="wait"))
    out = io.BytesIO()
    await engine.store.read(lambda conn: export_world(conn, "busy", out, now=1_700_000_000.0))
    await asyncio.wait_for(running.ended.wait(), 30)
    await take(engine, out.getvalue(), "calm")
    again = await engine.scenes.act(Act(world="calm", text="wait"))
    await asyncio.wait_for(again.ended.wait(), 30)
    assert again.turn in ("t3#3", "t3#4")  # the export may have come before the turn was written, or after
    assert await engine.store.read(lambda conn: differences(conn, path(conn, "calm", "t3"))) == []


async def test_progress_is_told(engine: Engine, world_file: bytes):
    seen: list[tuple[int, int]] = []
    source = io.BytesIO(world_file)
    await engine.store.write(
        lambda conn: import_world(conn, engine.services, source, progress=lambda done, of: seen.append((done, of)))
    )
    assert seen[-1][0] == seen[-1][1] > 100
    await engine.store.read(
        lambda conn: export_world(conn, WORLD, io.BytesIO(), now=0.0, progress=lambda done, of: seen.append((done, of)))
    )
    assert seen[-1][0] == seen[-1][1]


async def test_a_name_that_is_taken_or_cannot_be(engine: Engine, world_file: bytes):
    await take(engine, world_file)
    with pytest.raises(Conflict, match="already here"):
        await take(engine, world_file)
    with pytest.raises(BadInput, match="cannot be the name"):
        await take(engine, world_file, "No Name")


async def test_a_world_that_only_hears_comes_back_too(engine: Engine):
    """A channel's or a fleet's: no player, open kinds, a message that was taken back."""
    drafts = (
        Draft(
            body=ChatSaid(session="s1", message="m1", name="ann", text="hello"), by="ann", witnesses=PUBLIC, idem="m1"
        ),
        Draft(
            body=ChatSaid(session="s1", message="m2", name="bob", text="rude"), by="bob", witnesses=PUBLIC, idem="m2"
        ),
        Draft(kind="fleet.task_done", body=FleetDeed(agent="ci", metadata={"took": 1.5, "ok": True}), by="ci", at=12.5),
    )
    services = engine.services
    await engine.store.write(lambda conn: create_empty(conn, services, "channel", 5, "The Channel"))
    heard = await engine.command(hear, Hear(world="channel", scene="t1/chat", drafts=drafts))
    blank = msgspec.structs.replace(heard[1].body, text="")
    await engine.store.write(lambda conn: services.appender.redact(conn, heard[1], blank))

    out = io.BytesIO()
    await engine.store.read(lambda conn: export_world(conn, "channel", out, now=1.0))
    assert b"rude" not in out.getvalue()
    await take(engine, out.getvalue(), "again")
    first, second = [
        await engine.store.read(lambda conn, w=w: list(read_events(conn, path(conn, w, "t1"))))
        for w in ("channel", "again")
    ]
    assert [msgspec.structs.replace(e, world="again") for e in first] == second
    # A message that comes a second time is known by its key, as before.
    assert [e.id for e in await engine.command(hear, Hear(world="again", scene="t1/chat", drafts=drafts[:1]))] == [
        "t1@3"
    ]
