"""Those who watch: what is meant for whom, joining late, falling behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.doors.common import audience as module
from talekeeper.doors.common.audience import Audience, Watcher
from talekeeper.doors.common.seats import Seat
from talekeeper.loops.frames import Notice, TagChunk, TagClose, TagOpen, TurnEnded
from talekeeper.loops.running import RunningTurn
from talekeeper.observe.tasks import Supervisor


def seat(id_: str) -> Seat:
    return Seat(world="w", id=id_, role="player", name=id_.title())


@pytest.fixture
async def audience() -> AsyncIterator[Audience]:
    tasks = Supervisor()
    yield Audience(tasks)
    await tasks.close()


async def taken(watcher: Watcher) -> list[dict[str, Any]]:
    async with asyncio.timeout(5):
        return [json.loads(said.text) for said in await watcher.take()]


async def shown(audience: Audience, running: RunningTurn) -> None:
    """Until everything emitted so far has been handed round."""
    while len(audience._halls["w"].showings[running.turn].shown) < len(running._frames):  # noqa: ASYNC110
        await asyncio.sleep(0)


def told(running: RunningTurn, *words: str) -> None:
    running.emit(TagOpen, tag="narration", tag_id="n1")
    for word in words:
        running.emit(TagChunk, tag="narration", tag_id="n1", text=word)
    running.emit(TagClose, tag="narration", tag_id="n1", text="".join(words))


async def test_a_frame_for_one_seat_reaches_no_other(audience: Audience) -> None:
    ada, bo = audience.join(seat("ada"), {}), audience.join(seat("bo"), {})
    running = RunningTurn("w", "t1#1")
    audience.begun(running)
    running.emit(Notice, code="secret", message="only for Ada", to=("ada",))
    running.emit(Notice, code="open", message="for all")
    await shown(audience, running)
    assert [m.get("code") for m in await taken(ada) if m["type"] == "notice"] == ["secret", "open"]
    assert [m.get("code") for m in await taken(bo) if m["type"] == "notice"] == ["open"]
    late = audience.join(seat("bo"), {})
    assert [m.get("code") for m in await taken(late) if m["type"] == "notice"] == ["open"], "nor by coming late"


async def test_coming_late_one_sees_it_all_and_coming_back_the_rest(audience: Audience) -> None:
    running = RunningTurn("w", "t1#1")
    audience.begun(running)
    told(running, "a ", "b ", "c")
    await shown(audience, running)
    late = audience.join(seat("ada"), None)
    assert [m["type"] for m in await taken(late)] == ["tag_open", "tag_chunk", "tag_close"]
    back = audience.join(seat("ada"), None, turn="t1#1", attempt=1, from_seq=2)
    assert [(m["type"], m.get("text")) for m in await taken(back)] == [("tag_chunk", "b c"), ("tag_close", "a b c")]
    other = audience.join(seat("ada"), None, turn="t1#1", attempt=2, from_seq=2)
    assert len(await taken(other)) == 3, "of another attempt nothing has been seen"


async def test_a_turn_is_kept_for_a_while_after_its_end(audience: Audience, monkeypatch: pytest.MonkeyPatch) -> None:
    running = RunningTurn("w", "t1#1")
    audience.begun(running)
    running.emit(TurnEnded, state="done", head=9)
    await shown(audience, running)
    assert [m["type"] for m in await taken(audience.join(seat("ada"), None, turn="t1#1"))] == ["turn_ended"]
    uninterested = audience.join(seat("ada"), {})
    assert "turn_ended" not in [m["type"] for m in await taken(uninterested)], "it is on the timeline"
    monkeypatch.setattr(module, "KEPT_SECONDS", -1.0)
    await asyncio.sleep(0)
    audience.begun(RunningTurn("w", "t1#2"))
    assert audience.kept("w", "t1#1") is None
    missed = audience.join(seat("ada"), {}, turn="t1#1")
    assert [m["type"] for m in await taken(missed)][:2] == ["hello", "missed"]


async def test_presence_is_told_when_it_changes(audience: Audience) -> None:
    ada = audience.join(seat("ada"), {})
    await taken(ada)
    again = audience.join(seat("ada"), {})
    bo = audience.join(seat("bo"), {})
    assert [[s["seat"] for s in m["seats"]] for m in await taken(ada)] == [["ada", "bo"]], "a second window is no news"
    audience.leave(again)
    audience.leave(bo)
    assert [[s["seat"] for s in m["seats"]] for m in await taken(ada)] == [["ada"]]


async def test_whoever_falls_too_far_behind_is_let_go(audience: Audience, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 10)
    slow, quick = audience.join(seat("ada"), None), audience.join(seat("bo"), None)
    stopped: list[str] = []
    slow.when_slow = lambda: stopped.append("slow")
    running = RunningTurn("w", "t1#1")
    audience.begun(running)
    for n in range(11):
        running.emit(Notice, code="n", message=str(n))
        await shown(audience, running)
        await taken(quick)
    assert (slow.ended, stopped) == ("slow", ["slow"])
    assert quick.ended == ""


@given(st.lists(st.tuples(st.sampled_from(["n1", "n2"]), st.text(max_size=5)), max_size=30), st.data())
def test_however_far_behind_the_text_is_whole_and_the_order_kept(
    chunks: list[tuple[str, str]], data: st.DataObject
) -> None:
    async def go() -> None:
        watcher = Watcher(seat("ada"))
        got: list[dict[str, Any]] = []
        for seq, (tag_id, text) in enumerate(chunks):
            frame = TagChunk(turn="t1#1", attempt=1, seq=seq, tag="narration", tag_id=tag_id, text=text)
            module._give([watcher], frame)
            if data.draw(st.booleans()):
                got += await taken(watcher)
        watcher.end("left")
        got += await taken(watcher)
        assert [m["seq"] for m in got] == sorted({m["seq"] for m in got})
        assert "".join(m["text"] for m in got) == "".join(text for _, text in chunks)
        if chunks:
            assert got[-1]["seq"] == len(chunks) - 1

    asyncio.run(go())
