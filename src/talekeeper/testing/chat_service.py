"""A chat service on a local port that speaks the real wire format of OpenAI's, and misbehaves on demand."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from types import TracebackType
from typing import Any, Literal, Self

import msgspec
from aiohttp import web

from talekeeper.testing.scripted_model import Reply


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What the service does with one request: sends a status and bytes, in the given pieces; then ends or misbehaves."""

    status: int = 200
    headers: dict[str, str] = {}
    pieces: tuple[bytes, ...] = ()
    then: Literal["end", "hang", "drop"] = "end"
    pause: asyncio.Event | None = None
    """What a hanging answer waits for; without one, for ever."""


def chunk(
    text: str | None = None, *, finish: str | None = None, usage: tuple[int, int] | None = None, **delta: Any
) -> dict[str, Any]:
    """One chunk as services send it. The one with the usage comes last and has no choices."""
    body = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "tiny"}
    if usage:
        counted = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
        return body | {"choices": [], "usage": counted}
    if text is not None:
        delta["content"] = text
    return body | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def sse(*chunks: object, done: bool = True) -> bytes:
    events = [f"data: {json.dumps(data, ensure_ascii=False)}\n\n" for data in chunks]
    return "".join([*events, "data: [DONE]\n\n" if done else ""]).encode()


def said(*texts: str, usage: tuple[int, int] | None = (11, 5)) -> Answer:
    """An ordinary answer."""
    chunks = [chunk("", role="assistant"), *map(chunk, texts), chunk(finish="stop")]
    return Answer(pieces=(sse(*chunks, *([chunk(usage=usage)] if usage else [])),))


def failure(status: int, message: str = "no", *, headers: dict[str, str] | None = None, **fields: object) -> Answer:
    error = {"error": {"message": message, **fields}}
    return Answer(status=status, headers=headers or {}, pieces=(json.dumps(error).encode(),))


def answer_of(reply: Reply) -> Answer:
    """A scripted reply as a service would send it."""
    texts = [reply.text[at : at + reply.piece] for at in range(0, len(reply.text), reply.piece)]
    chunks = [chunk("", role="assistant"), *map(chunk, texts)]
    if reply.error:
        return Answer(pieces=(sse(*chunks, {"error": {"message": reply.error.message}}, done=False),))
    if reply.pause:
        return Answer(pieces=(sse(*chunks, done=False),), then="hang", pause=reply.pause)
    for index, call in enumerate(reply.tool_calls):
        head = {"index": index, "id": call.id, "type": "function", "function": {"name": call.name, "arguments": ""}}
        chunks.append(chunk(tool_calls=[head]))
        for part in (call.arguments[:3], call.arguments[3:]):
            chunks.append(chunk(tool_calls=[{"index": index, "function": {"arguments": part}}]))
    chunks.append(chunk(finish="tool_calls" if reply.tool_calls else reply.finish_reason))
    if reply.usage:
        chunks.append(chunk(usage=(reply.usage.tokens_in, reply.usage.tokens_out)))
    return Answer(pieces=(sse(*chunks),))


class ChatService:
    """Gives the answers it was told to, in order, from entering to leaving it as a context manager."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.callers: set[object] = set()
        """The connections that calls came on."""
        self.stalled = asyncio.Event()
        """Set when an answer hangs."""
        self.hung_up = asyncio.Event()
        """Set when a caller closed the connection before its answer was complete."""
        self._answers: deque[Answer] = deque()
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._answer)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0)

    @property
    def base_url(self) -> str:
        host, port = self._runner.addresses[0][:2]
        return f"http://{host}:{port}/v1"

    def will(self, *answers: Answer | Reply) -> None:
        self._answers.extend(answer_of(answer) if isinstance(answer, Reply) else answer for answer in answers)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, _e: BaseException | None, _t: TracebackType | None
    ) -> None:
        await self._runner.cleanup()
        assert kind or not self._answers, f"the service was never asked for {list(self._answers)}"

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        self.bodies.append(await request.json())
        self.headers.append(dict(request.headers))
        self.callers.add(request.transport)
        assert self._answers, "the service was asked once more than it has answers"
        answer = self._answers.popleft()
        kind = "text/event-stream" if answer.status == 200 else "application/json"
        response = web.StreamResponse(status=answer.status, headers={"Content-Type": kind, **answer.headers})
        try:
            if answer.pieces:
                await response.prepare(request)
            for piece in answer.pieces:
                await response.write(piece)
                await asyncio.sleep(0)
            if answer.then == "hang":
                self.stalled.set()
                await (answer.pause or asyncio.Event()).wait()
        except (asyncio.CancelledError, ConnectionError):
            self.hung_up.set()
            raise
        if answer.then == "drop" and request.transport:
            request.transport.abort()
        return response
