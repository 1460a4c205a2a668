"""A fast, deterministic estimate of how many tokens a text will cost: for budgets, not for bills."""

from __future__ import annotations

import re

import msgspec

from talekeeper.llm.model import ModelRequest

_PIECE = re.compile(r"[A-Za-z]+|\d|[^\sA-Za-z\d]")

_WRAPPING = 4
"""Tokens a chat format spends on a message besides its text."""


def estimate_tokens(text: str) -> int:
    """Words of up to six letters are one token, longer ones one per four letters; digits and signs one each."""
    return sum(1 if len(piece) <= 6 else (len(piece) + 3) // 4 for piece in _PIECE.findall(text))


def estimate_request(request: ModelRequest) -> int:
    """What a service will count as input: the messages with their wrapping, and what the model is told it may do."""
    texts = [message.content for message in request.messages]
    texts += [call.name + call.arguments for message in request.messages for call in message.tool_calls]
    texts += [msgspec.json.encode(offered).decode() for offered in (*request.tools, request.json_schema) if offered]
    return _WRAPPING * len(request.messages) + sum(map(estimate_tokens, texts))
