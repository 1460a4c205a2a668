"""An NPC by a real small model, over the real socket: the words are poor, the protocol holds."""

from __future__ import annotations

import pytest

from talekeeper.agents.npc.model_speaker import ModelSpeaker
from talekeeper.llm.local import LocalModel

pytestmark = pytest.mark.model


async def test_a_small_model_speaks(open_tavern, limits):
    model = LocalModel()
    async with open_tavern(ModelSpeaker(model), limits=limits(first_word_seconds=50)) as tavern, tavern.game() as game:
        game.patience = 60.0
        game.extra = {"limits": {"max_output_tokens": 24}}
        await game.say("Good evening! Who are you?")
        turn = await game.turn()
        assert [m["seq"] for m in turn] == list(range(len(turn)))
        assert turn[-1]["stop_reason"] in ("end", "length")
        assert turn[-1]["usage"]["tokens_in"] > 100
        assert any(m["text"].strip() for m in turn if m["type"] == "agent_tag_close")
    await model.close()
