"""The storyteller as the voice of a game's NPCs: no model, no network, at the pace of speech."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable

from talekeeper.agents.npc.performance import Performance, Speaking
from talekeeper.agents.npc.storyteller.answer import answer
from talekeeper.agents.npc.storyteller.reaching import wanted_tool
from talekeeper.agents.npc.tagged import tagged
from talekeeper.agents.storyteller.markup import pieces
from talekeeper.llm.model import Completion, Delta, FinishReason, Usage
from talekeeper.llm.tokens import estimate_tokens


class NpcStoryteller:
    name = "storyteller"

    def __init__(self, pace: float = 0.0, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """`pace` is in words a second, so that there is a sentence to be in the middle of; 0 is all at once."""
        self._pause = 1.0 / pace if pace else 0.0
        self._sleep = sleep

    def speak(self, performance: Performance) -> Speaking:
        return Speaking(performance, self._deltas(performance))

    async def _deltas(self, performance: Performance) -> AsyncGenerator[Delta, None]:
        call = wanted_tool(performance)
        text = "" if call else "".join(map(tagged, answer(performance)))
        most = performance.sheet.limits.max_output_tokens
        reason: FinishReason = "tool_calls" if call else "stop"
        spent = 0
        told: list[str] = []
        for piece in pieces(text):
            spent += estimate_tokens(piece)
            if most is not None and spent > most:
                reason = "length"
                break
            if told and self._pause:
                await self._sleep(self._pause)
            told.append(piece)
            yield Delta(piece)
        usage = Usage(0, spent, estimated=True)
        yield Delta(done=Completion("".join(told), reason, usage, (call,) if call else (), self.name))
