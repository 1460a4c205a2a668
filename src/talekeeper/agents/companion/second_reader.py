"""The second half of the style gate, where the operator wants it: a model reads what the rules let pass."""

from __future__ import annotations

from typing import Any

import msgspec

from talekeeper.agents.companion.style import clean
from talekeeper.agents.prompts import fill
from talekeeper.agents.prompts.blocks import block
from talekeeper.llm.brief import ask_briefly
from talekeeper.llm.model import Message, Model, ModelRequest

PATIENCE = 10.0
"""Seconds; a line that waits longer has lost its moment."""

_LONGEST_REASON = 200
_MOST_TOKENS = 120
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"fits": {"type": "boolean"}, "reason": {"type": "string"}},
    "required": ["fits", "reason"],
    "additionalProperties": False,
}


class _Opinion(msgspec.Struct):
    fits: bool
    reason: str = ""


class SecondReader:
    def __init__(self, model: Model, patience: float = PATIENCE) -> None:
        self._model = model
        self._patience = patience

    async def misgivings(self, text: str) -> tuple[str, ...] | None:
        """What speaks against a line, in words for the operator; nothing where it fits, None where nobody answered."""
        return await ask_briefly(self._model, request(text), self._patience, _read)


def _read(answer: str) -> tuple[str, ...]:
    # Models that know no schema put words around their JSON.
    opinion = msgspec.json.decode(answer[answer.find("{") : answer.rfind("}") + 1], type=_Opinion)
    if opinion.fits:
        return ()
    return (clean(opinion.reason)[:_LONGEST_REASON] or "The second reader found that it does not fit.",)


def request(text: str) -> ModelRequest:
    return ModelRequest(
        messages=(Message("system", fill("companion_second_reader")), Message("user", block("line", clean(text)))),
        max_tokens=_MOST_TOKENS,
        temperature=0.0,
        json_schema=_SCHEMA,
    )
