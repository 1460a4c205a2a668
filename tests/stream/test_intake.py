"""Group commit: what is acknowledged is on the disk; what cannot be written is tried again, and then said to be lost."""

from __future__ import annotations

import asyncio

import pytest

from talekeeper.agents.companion.line import ChatLine
from talekeeper.doors.stream import intake as group
from talekeeper.doors.stream.intake import Intake
from talekeeper.errors import StoreDown
from talekeeper.loops.companion.hearing import Told, lines_of
from talekeeper.loops.companion.session import Opening, open_session


def told(number: int) -> Told:
    return Told(ChatLine(id=f"m{number}", name="mara", text=f"line {number}", at=1_700_000_000.0 + number))


@pytest.fixture
async def session(engine):
    return await engine.command(open_session, Opening(channel="hearth", at=engine.services.clock()))


@pytest.fixture
async def intake(engine, session):
    made = Intake(engine, session)
    task = asyncio.create_task(made.run())
    yield made
    task.cancel()


async def test_what_is_acknowledged_is_kept(engine, session, intake):
    done = [intake.put(told(number)) for number in range(1200)]
    await done[-1]
    kept = await engine.store.read(lambda conn: lines_of(conn, session))
    assert [line.text for line in kept] == [f"line {number}" for number in range(1200)]
    assert all(one.done() for one in done)


async def test_a_store_that_comes_back_loses_nothing(engine, session, intake, monkeypatch):
    command, failures = engine.command, iter([StoreDown("gone"), StoreDown("gone")])

    async def flaky(*args):
        if (failure := next(failures, None)) is not None:
            raise failure
        return await command(*args)

    monkeypatch.setattr(group, "_PAUSES", (0.0, 0.0, 0.0))
    monkeypatch.setattr(engine, "command", flaky)
    await intake.put(told(1))
    assert len(await engine.store.read(lambda conn: lines_of(conn, session))) == 1


async def test_a_store_that_stays_away_is_told_to_whoever_waits(engine, session, intake, monkeypatch):
    async def down(*_args):
        raise StoreDown("gone")

    monkeypatch.setattr(group, "_PAUSES", (0.0,))
    monkeypatch.setattr(engine, "command", down)
    with pytest.raises(StoreDown):
        await intake.put(told(1))
    monkeypatch.undo()
    await intake.put(told(2))
    assert [line.text for line in await engine.store.read(lambda conn: lines_of(conn, session))] == ["line 2"]


async def test_readers_wait_while_too_much_is_waiting(engine, session, monkeypatch):
    monkeypatch.setattr(group, "MOST_WAITING", 10)
    made = Intake(engine, session)
    for number in range(10):
        made.put(told(number))
    waiting = asyncio.create_task(made.calm())
    await asyncio.sleep(0)
    assert not waiting.done()
    task = asyncio.create_task(made.run())
    await waiting
    await made.flushed()
    assert made.written == 10
    task.cancel()
