"""A turn told by a real model, the smallest there is, through the real engine. Its prose may be poor; the rest may not."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from talekeeper.app.engine import Engine
from talekeeper.canon.replay import differences
from talekeeper.loops.frames import TurnEnded
from talekeeper.loops.intents import Act
from talekeeper.testing.house import WORLD, House
from talekeeper.timeline.audit import TurnAudit, audit
from talekeeper.timeline.lineage import path
from talekeeper.timeline.transcript import ToldTurn, transcript

pytestmark = pytest.mark.model


async def test_a_small_model_tells_a_turn_and_harms_nothing(sqlite_house: House) -> None:
    engine = Engine.open(sqlite_house.settings(model_provider="local", play_context_tokens=500, model_timeout=300))
    assert engine.services.teller.name.startswith("local ")
    try:
        running = await engine.scenes.act(Act(world=WORLD, text="look around"))
        frames = [frame async for frame in running.watch()]
        assert isinstance(frames[-1], TurnEnded)
        assert frames[-1].state == "done", frames[-1].error

        def look(conn: Connection) -> tuple[list[ToldTurn], list[TurnAudit], object]:
            past = path(conn, WORLD, "t1")
            return transcript(conn, past), audit(conn, past), differences(conn, past)

        told, audited, unlike = await engine.store.read(look)
    finally:
        await engine.close()
    for turn in told[1:]:
        assert any(passage.kind == "narration.told" and passage.text.strip() for passage in turn.passages)
    assert [turn.calls[0].role for turn in audited] == ["narrator"]
    # Small models repeat themselves, and are then stopped.
    assert all(call.tokens_in > 200 and call.error in ("", "stopped") for turn in audited for call in turn.calls)
    assert not unlike
