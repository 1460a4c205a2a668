"""`talekeeper effects`."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, update

from talekeeper.app.engine import Engine
from talekeeper.memory.recaps import recap_table
from talekeeper.timeline.outbox import outbox_table

o = outbox_table.c


@pytest.fixture
def parked(engine: Engine) -> list[str]:
    """Two recaps that were given up: one by bad luck, one for an effect nobody knows any more."""

    def give_up(conn) -> list[str]:
        conn.execute(delete(recap_table))
        seqs = sorted(conn.execute(outbox_table.select().where(o.timeline == "t1")).scalars("seq"))
        for seq, version in ((seqs[0], 1), (seqs[1], 99)):
            lost = {"state": "parked", "error": "OSError: the lamp went out", "attempts": 5, "version": version}
            conn.execute(update(outbox_table).where(o.timeline == "t1", o.seq == seq).values(lost))
        return [f"recap:low-water/t1@{seq}" for seq in seqs[:2]]

    ids = engine.store.write_now(give_up)
    engine.store.close()
    return ids


def test_nothing_waits_after_an_evening(run):
    assert run("effects", "list").err == "Nothing waits and nothing was parked.\n"
    assert run("effects", "list", "--json").json() == []
    done = run("effects", "list", "--all", "--json").json()
    assert {job["state"] for job in done} == {"done"}


def test_parked_effects_are_listed_with_the_reason(run, parked):
    listed = run("effects", "list", "--json").json()
    assert sorted(job["id"] for job in listed) == sorted(parked)
    assert "OSError: the lamp went out" in run("effects", "list").out


def test_one_effect_is_tried_again_and_done(run, parked):
    said = run("effects", "retry", parked[0])
    assert (said.code, said.out) == (0, "Tried 1 again; all done.\n")
    assert [job["id"] for job in run("effects", "list", "--json").json()] == [parked[1]]


def test_an_effect_that_fails_again_is_said_to(run, parked):
    said = run("effects", "retry", "--json")
    assert said.code == 1
    answer = said.json()
    assert answer["tried"] == 2
    assert [(job["id"], job["state"]) for job in answer["left"]] == [(parked[1], "parked")]
    assert "no effect recap version 99" in answer["left"][0]["error"]


def test_an_effect_nobody_parked(run, parked):
    said = run("effects", "retry", "recap:nowhere/t1@1")
    assert said.code == 2
    assert "No parked effect is called" in said.err
