"""The model port: messages in, text (and tool calls) out, as a stream or at once. Adapters sit beside it."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from typing import Any, Literal, Protocol

import msgspec

Role = Literal["system", "user", "assistant", "tool"]
FinishReason = Literal["stop", "length", "tool_calls", "content_filter", "other"]


class ToolCall(msgspec.Struct, frozen=True):
    id: str
    name: str
    arguments: str
    """JSON as the model wrote it: untrusted."""


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    role: Role
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    """Of an assistant message."""
    tool_call_id: str = ""
    """Of a tool message: which call it answers."""


class Tool(msgspec.Struct, frozen=True):
    name: str
    description: str
    parameters: dict[str, Any]
    """JSON Schema."""


class ModelRequest(msgspec.Struct, frozen=True, kw_only=True):
    messages: tuple[Message, ...]
    max_tokens: int | None = None
    temperature: float | None = None
    stop: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    json_schema: dict[str, Any] | None = None
    """The answer must be JSON of this schema."""
    timeout: float | None = None
    """Seconds for the first token; the adapter's own default where None."""


class Usage(msgspec.Struct, frozen=True):
    tokens_in: int
    tokens_out: int
    estimated: bool = False
    """The service did not say; this is our estimate."""


class Delta(msgspec.Struct, frozen=True, omit_defaults=True):
    """A piece of a stream. Text comes in many; `done` comes once, last."""

    text: str = ""
    done: Completion | None = None


class Completion(msgspec.Struct, frozen=True):
    text: str
    finish_reason: FinishReason
    usage: Usage
    tool_calls: tuple[ToolCall, ...] = ()
    model: str = ""


class Model(Protocol):
    @property
    def name(self) -> str:
        """Provider and model, for people: openai gpt-4o."""

    def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        """Closing it (`contextlib.aclosing`), or cancelling the task that reads it, ends the call and its connection."""

    async def complete(self, request: ModelRequest) -> Completion:
        """The whole answer at once."""

    async def close(self) -> None:
        """Gives back connections and memory. Nothing is asked of it afterwards."""


async def completion_of(deltas: AsyncGenerator[Delta, None]) -> Completion:
    """Reads a stream to its end."""
    async with contextlib.aclosing(deltas):
        async for delta in deltas:
            if delta.done:
                return delta.done
    raise AssertionError("a model's stream ended without saying so")
