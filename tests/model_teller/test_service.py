"""From the settings to the wire: a real HTTP service tells a turn, falls over, and is replaced by the model behind it."""

from __future__ import annotations

import pytest

from talekeeper.app.engine import Engine
from talekeeper.loops.frames import TurnEnded
from talekeeper.loops.intents import Act, Retry
from talekeeper.testing.chat_service import ChatService, failure, said
from talekeeper.testing.house import WORLD, House
from talekeeper.timeline.audit import audit
from talekeeper.timeline.lineage import path

REFUSED = failure(401, "no such key")


async def ended(running) -> TurnEnded:
    await running.ended.wait()
    return running.result


@pytest.mark.parametrize("fallback", [None, "spare"])
async def test_a_turn_over_the_wire(sqlite_house: House, fallback: str | None) -> None:
    async with ChatService() as service:
        settings = sqlite_house.settings(
            model_provider="", model_base_url=service.base_url, model_api_key="sk-1", model_name="big",
            model_npc_voice="small", model_fallback=fallback,
        )  # fmt: skip
        engine = Engine.open(settings)
        assert engine.services.teller.name == "openai big (voices: openai small)"
        try:
            # A refused key is no reason to ask again; the model behind it is asked where there is one.
            service.will(REFUSED, *([said("<narration>The spare one spoke.</narration>")] if fallback else []))
            first = await ended(await engine.scenes.act(Act(world=WORLD, text="look around")))
            assert first.state == ("done" if fallback else "failed")
            assert fallback or first.error["code"] == "not_configured"

            narration, answer = said('<narration>You asked.</narration><cue who="Nan"/>'), said("<say>Forty-one.</say>")
            service.will(narration, answer)
            asked = await ended(await engine.scenes.act(Act(world=WORLD, text="ask Nan about the graves")))
            assert asked.state == "done"
            assert [body["model"] for body in service.bodies[-2:]] == ["big", "small"]

            service.will(said("<narration>Once more.</narration>"), said("<say>Forty.</say>"))
            assert (await ended(await engine.scenes.retry(Retry(world=WORLD)))).state == "done"
            assert service.bodies[-2]["messages"] == service.bodies[-4]["messages"]  # the same turn, told again

            audited = await engine.store.read(lambda conn: audit(conn, path(conn, WORLD, "t2")))
        finally:
            await engine.close()
    assert [(call.role, call.tokens_in) for call in audited[-1].calls] == [("narrator", 11), ("npc_voice", 11)]
