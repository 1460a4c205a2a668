"""The chat format that OpenAI made and everybody speaks: our request as its body, its chunks as our answer."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from talekeeper.llm.model import Completion, FinishReason, Message, ModelRequest, ToolCall, Usage
from talekeeper.llm.tokens import estimate_request, estimate_tokens

_FINISHES: dict[str, FinishReason] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "content_filter",
}


def chat_body(request: ModelRequest, model: str, *, without: Collection[str] = ()) -> dict[str, Any]:
    """`without` names fields this service has refused; `max_tokens` has a newer name, which is tried instead."""
    limit = "max_completion_tokens" if "max_tokens" in without else "max_tokens"
    fields: dict[str, Any] = {
        limit: request.max_tokens,
        "temperature": request.temperature,
        "stop": list(request.stop) or None,
        "tools": [{"type": "function", "function": msgspec.to_builtins(tool)} for tool in request.tools] or None,
        "response_format": _response_format(request.json_schema),
        "stream_options": {"include_usage": True},
    }
    return {
        "model": model,
        "messages": [_message(message) for message in request.messages],
        "stream": True,
        **{name: value for name, value in fields.items() if value is not None and name not in without},
    }


def _message(message: Message) -> dict[str, Any]:
    body: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls:
        body["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id:
        body["tool_call_id"] = message.tool_call_id
    return body


def _response_format(schema: dict[str, Any] | None) -> dict[str, Any] | None:
    if schema is None:
        return None
    # OpenAI refuses "strict" for a schema with optional or open-ended properties.
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": _is_strict(schema), "schema": schema}}


def _is_strict(schema: object) -> bool:
    if isinstance(schema, list):
        return all(map(_is_strict, schema))
    if not isinstance(schema, dict):
        return True
    properties = schema.get("properties", {})
    closed = schema.get("additionalProperties") is False and set(schema.get("required", ())) == set(properties)
    return (closed or schema.get("type") != "object") and all(map(_is_strict, schema.values()))


class _Function(msgspec.Struct):
    name: str | None = None
    arguments: Any = None


class _ToolPiece(msgspec.Struct):
    index: int | None = None
    id: str | None = None
    function: _Function | None = None


class _Part(msgspec.Struct):
    type: str = "text"
    text: str | None = None


class _Piece(msgspec.Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None
    reasoning_content: Any = None
    reasoning: Any = None
    tool_calls: list[_ToolPiece] | None = None


class _Choice(msgspec.Struct):
    delta: _Piece | None = None
    message: _Piece | None = None
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Chunk(msgspec.Struct):
    choices: list[_Choice] | None = None
    usage: _Usage | None = None
    model: str | None = None


class ChatAnswer:
    """An answer as it grows. What a model thinks aloud in fields of their own is not part of it."""

    def __init__(self, request: ModelRequest, model: str) -> None:
        self._request = request
        self._model = model
        self._texts: list[str] = []
        self._calls: dict[int, ToolCall] = {}
        self._usage: _Usage | None = None
        self._finish: FinishReason | None = None
        self._refused = False
        self.alive = False
        """The model has begun to work, if only to think."""

    @property
    def begun(self) -> bool:
        return bool(self._texts or self._calls or self.finished)

    @property
    def finished(self) -> bool:
        return self._finish is not None

    def take(self, data: object) -> str:
        """Adds a chunk; gives the text that is new in it. Raises ValidationError for what is no chunk."""
        chunk = msgspec.convert(data, _Chunk)
        self._usage = chunk.usage or self._usage
        self._model = chunk.model or self._model
        return "".join([self._take_choice(choice) for choice in chunk.choices or ()])

    def _take_choice(self, choice: _Choice) -> str:
        text = ""
        if piece := choice.delta or choice.message:
            text = _text(piece.content) + (piece.refusal or "")
            self._refused |= bool(piece.refusal)
            self.alive |= bool(piece.reasoning_content or piece.reasoning)
            for call in piece.tool_calls or ():
                self._take_call(call)
        if text:
            self._texts.append(text)
        if choice.finish_reason:
            self._finish = _FINISHES.get(choice.finish_reason, "other")
        self.alive |= self.begun
        return text

    def _take_call(self, piece: _ToolPiece) -> None:
        """A call comes in pieces, told apart by their index; where a service leaves that out, an id begins a new one."""
        calls = self._calls
        index = piece.index
        if index is None:
            last = max(calls, default=-1)
            index = last + 1 if piece.id or last < 0 else last
        function = piece.function or _Function()
        arguments = function.arguments or ""
        if not isinstance(arguments, str):
            arguments = msgspec.json.encode(arguments).decode()
        before = calls.get(index) or ToolCall(f"call_{index}", "", "")
        calls[index] = ToolCall(
            piece.id or before.id, before.name + (function.name or ""), before.arguments + arguments
        )

    def completion(self) -> Completion:
        text = "".join(self._texts)
        finish = self._finish or "other"
        if self._calls and finish == "stop":
            finish = "tool_calls"
        if self._refused:
            finish = "content_filter"
        return Completion(text, finish, self._usage_of(text), tuple(self._calls.values()), self._model)

    def _usage_of(self, text: str) -> Usage:
        told = self._usage
        if told and told.prompt_tokens is not None and told.completion_tokens is not None:
            return Usage(told.prompt_tokens, told.completion_tokens)
        called = "".join(f"{call.name} {call.arguments}" for call in self._calls.values())
        return Usage(estimate_request(self._request), estimate_tokens(text + called), estimated=True)


def _text(content: str | list[_Part] | None) -> str:
    if isinstance(content, list):
        return "".join(part.text or "" for part in content if part.type == "text")
    return content or ""
