"""A model that says what a test wrote down, and fails the test when it is asked more often, or less, than that."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from types import TracebackType
from typing import Self

import msgspec

from talekeeper.errors import TalekeeperError
from talekeeper.llm.model import Completion, Delta, FinishReason, ModelRequest, ToolCall, Usage, completion_of
from talekeeper.llm.tokens import estimate_request, estimate_tokens


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: FinishReason = "stop"
    usage: Usage | None = None
    """An estimate where None, and marked as one."""
    piece: int = 4
    """Characters a delta."""
    pause: asyncio.Event | None = None
    """After its text the reply waits for this, so that a test can stop it in the middle."""
    error: TalekeeperError | None = None
    """Raised after the text; with no text, before the first token."""


class UnexpectedCall(AssertionError):
    """Not a TalekeeperError, so that nothing takes it for a model that is merely down."""


class ScriptedModel:
    """Replies in order. `requests` holds what it was asked. As a context manager it checks at the end that all were used."""

    def __init__(self, *replies: str | Reply, name: str = "scripted") -> None:
        self.name = name
        self.requests: list[ModelRequest] = []
        self._replies = deque(Reply(text=reply) if isinstance(reply, str) else reply for reply in replies)
        self._surplus = 0

    async def stream(self, request: ModelRequest) -> AsyncGenerator[Delta, None]:
        self.requests.append(request)
        if not self._replies:
            self._surplus += 1
            raise UnexpectedCall(f"{self.name} was asked once more than it has replies:\n{_shown(request)}")
        reply = self._replies.popleft()
        for start in range(0, len(reply.text), reply.piece):
            yield Delta(reply.text[start : start + reply.piece])
        if reply.pause:
            await reply.pause.wait()
        if reply.error:
            raise reply.error
        yield Delta(done=self._completion(request, reply))

    async def complete(self, request: ModelRequest) -> Completion:
        return await completion_of(self.stream(request))

    async def close(self) -> None:
        pass

    def check(self) -> None:
        """Fails when a reply was never asked for, or a call too many was swallowed by somebody's `except`."""
        assert not self._surplus, f"{self.name} was asked {self._surplus} times more than it has replies"
        unused = [reply.text or repr(reply) for reply in self._replies]
        assert not unused, f"{self.name} was never asked for: {unused}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _e: BaseException | None, _t: TracebackType | None) -> None:
        if kind is None:
            self.check()

    def _completion(self, request: ModelRequest, reply: Reply) -> Completion:
        usage = reply.usage or Usage(estimate_request(request), estimate_tokens(reply.text), estimated=True)
        finish = "tool_calls" if reply.tool_calls and reply.finish_reason == "stop" else reply.finish_reason
        return Completion(reply.text, finish, usage, reply.tool_calls, self.name)


def _shown(request: ModelRequest) -> str:
    return "\n".join(f"{message.role}: {message.content}" for message in request.messages)
