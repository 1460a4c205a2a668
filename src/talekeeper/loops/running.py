"""A turn while it runs: its frames so far, for whoever watches now or joins late. Nothing of it is stored."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import TypeVar

import msgspec

from talekeeper.loops.frames import AnyFrame, Frame, TurnEnded

F = TypeVar("F", bound=Frame)


class RunningTurn:
    def __init__(self, world: str, turn: str, attempt: int = 1) -> None:
        self.world = world
        self.turn = turn
        self.attempt = attempt
        self.stopping = asyncio.Event()
        self.ended = asyncio.Event()
        self._frames: list[AnyFrame] = []
        self._seq = 0
        self._news = asyncio.Event()

    def restart(self, attempt: int) -> None:
        self.attempt = attempt
        self._seq = 0

    def emit(self, kind: type[F], /, **fields: object) -> None:
        """Give the frame its place, keep it, and wake whoever watches."""
        frame = kind(turn=self.turn, attempt=self.attempt, seq=self._seq, **fields)  # type: ignore[arg-type]
        self._seq += 1
        self._frames.append(frame)  # type: ignore[arg-type]  # every Frame subclass is in AnyFrame
        if isinstance(frame, TurnEnded):
            self.ended.set()
        self._news.set()
        self._news = asyncio.Event()

    async def watch(self, start: int = 0) -> AsyncIterator[AnyFrame]:
        """Every frame from the `start`-th on, until the turn has ended. Slow watchers hold up nobody."""
        at = start
        while True:
            news = self._news
            while at < len(self._frames):
                yield self._frames[at]
                at += 1
            if self.ended.is_set():
                return
            await news.wait()

    @property
    def result(self) -> TurnEnded:
        last = self._frames[-1]
        if not isinstance(last, TurnEnded):
            raise RuntimeError("the turn has not ended")
        return last


def encode_frame(frame: AnyFrame) -> bytes:
    return msgspec.json.encode(frame)
