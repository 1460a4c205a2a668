"""A played world as a file, tools to forge it, and a way to see what is left of a failed import."""

from __future__ import annotations

import asyncio
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator

import msgspec
import pytest
from sqlalchemy import Connection, func, select

from talekeeper.agents.storyteller import Storyteller
from talekeeper.app.engine import Engine
from talekeeper.loops.intents import Act, Backtrack, Decide, Direct, Edit, EndScene, Retry
from talekeeper.loops.scene.commands import close_scene, decide_proposal, edit_narration, give_directive
from talekeeper.loops.scene.travel import backtrack
from talekeeper.loops.world_file import export_world, import_world
from talekeeper.testing.house import WORLD, House
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import path
from talekeeper.timeline.store.metadata import metadata
from talekeeper.timeline.vocabulary import Claim, Draft, NarrationTold, ProposalStaged
from talekeeper.timeline.worlds import World, find_world, get_world

Lines = list[dict]
Take = Callable[..., World]


async def play(engine: Engine) -> None:
    """Everything that leaves traces: turns, a claim accepted, an edit, a directive, a new scene, forks, swipes."""
    for text in ("look around", "wait", "search the room"):
        await _told(await engine.scenes.act(Act(world=WORLD, text=text, idem=f"key {text}")))
    staged = await engine.store.write(lambda conn: _claim(conn, engine))
    await engine.command(decide_proposal, Decide(world=WORLD, proposal=staged, decision="accepted", note="so be it"))
    told = await engine.store.read(_last_narration)
    await engine.command(edit_narration, Edit(world=WORLD, event=told, text="It was quiet. Too quiet."))
    await engine.command(give_directive, Direct(world=WORLD, text="slower"))
    await engine.command(close_scene, EndScene(world=WORLD))
    await _told(await engine.scenes.act(Act(world=WORLD, text="wait")))
    await _told(await engine.scenes.retry(Retry(world=WORLD, swipe=True)))
    await engine.command(backtrack, Backtrack(world=WORLD, to=1))
    await _told(await engine.scenes.act(Act(world=WORLD, text="look at the fire")))
    await engine.store.write(lambda conn: _claim(conn, engine))
    await engine.effects.drain()


async def _told(running) -> None:
    await running.ended.wait()


def _claim(conn: Connection, engine: Engine) -> str:
    claim = Claim(subj="person/nan", pred="note", slot="pipe", obj="Nan smokes a pipe.")
    draft = Draft(body=ProposalStaged(role="narrator", claims=(claim,), why="she put it away"), by="narrator")
    return engine.services.appender.append(conn, WORLD, get_world(conn, WORLD).active, [draft])[0].id


def _last_narration(conn: Connection) -> str:
    past = path(conn, WORLD, get_world(conn, WORLD).active)
    return next(e.id for e in read_events(conn, past, kinds=[NarrationTold.kind], newest_first=True))


def exported(conn: Connection, world: str = WORLD) -> bytes:
    out = io.BytesIO()
    export_world(conn, world, out, now=1_700_000_000.0)
    return out.getvalue()


@pytest.fixture(scope="session")
def world_file(sqlite_house: House) -> bytes:
    engine = Engine.open(sqlite_house.settings(), teller=Storyteller())

    async def make() -> bytes:
        await play(engine)
        data = await engine.store.read(exported)
        await engine.close()
        return data

    return asyncio.run(make())


@pytest.fixture
def lines(world_file: bytes) -> Lines:
    """The file's lines, to be changed."""
    return [msgspec.json.decode(line) for line in world_file.splitlines()]


@pytest.fixture
def sealed() -> Callable[[Iterable[dict]], bytes]:
    """Lines as a file whose footer fits, whatever they say: only what they say can be wrong with it."""

    def seal(lines: Iterable[dict]) -> bytes:
        kept = [line for line in lines if line["line"] != "footer"]
        data = b"".join(msgspec.json.encode(line) + b"\n" for line in kept)
        counts = {
            f"{kind}s": sum(line["line"] == kind for line in kept) for kind in ("timeline", "event", "snapshot", "turn")
        }
        footer = {"line": "footer", **counts, "sha256": hashlib.sha256(data).hexdigest()}
        return data + msgspec.json.encode(footer) + b"\n"

    return seal


@pytest.fixture(scope="session")
def keeper(sqlite_house: House) -> Iterator[Engine]:
    """An engine on an empty home that takes files in; whatever fails must leave it empty."""
    engine = Engine.open(sqlite_house.settings(world=False), teller=Storyteller())
    yield engine
    asyncio.run(engine.close())


@pytest.fixture
def take(keeper: Engine) -> Take:
    def work(data: bytes, name: str | None = None) -> World:
        return keeper.store.write_now(lambda conn: import_world(conn, keeper.services, io.BytesIO(data), name=name))

    return work


def rows_left(conn: Connection) -> dict[str, int]:
    counts = {
        table.name: conn.execute(select(func.count()).select_from(table)).scalar_one()
        for table in metadata.sorted_tables
        if "world" in table.c or table.name == "world"
    }
    return {name: count for name, count in counts.items() if count}


@pytest.fixture
def nothing_left(keeper: Engine) -> Callable[[], bool]:
    return lambda: (
        keeper.store.read_now(rows_left) == {} and keeper.store.read_now(lambda c: find_world(c, WORLD)) is None
    )
