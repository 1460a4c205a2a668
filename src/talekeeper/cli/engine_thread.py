"""The engine on an event loop of its own, so that a terminal may block on its keyboard."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any, TypeVar

from talekeeper.app.engine import Engine
from talekeeper.loops.frames import AnyFrame
from talekeeper.loops.running import RunningTurn

T = TypeVar("T")


class EngineThread:
    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="engine", daemon=True)

    def __enter__(self) -> EngineThread:
        self._thread.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.run(self.engine.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def begin(self, work: Coroutine[Any, Any, Any]) -> None:
        """Something nobody waits for."""
        self._loop.call_soon_threadsafe(self.engine.tasks.spawn, work, "background")

    def watch(self, start: Callable[[], Awaitable[RunningTurn]]) -> Iterator[AnyFrame]:
        """Begin a turn and hand over its frames as they come. Ctrl-C stops the telling and lets it end in order."""
        frames: queue.SimpleQueue[AnyFrame | BaseException | None] = queue.SimpleQueue()
        running: list[RunningTurn] = []

        async def follow() -> None:
            try:
                turn = await start()
                running.append(turn)
                async for frame in turn.watch():
                    frames.put(frame)
                frames.put(None)
            except BaseException as error:  # handed to the waiting thread, whatever it is
                frames.put(error)
                raise

        following = asyncio.run_coroutine_threadsafe(follow(), self._loop)
        while True:
            try:
                frame = frames.get()
            except KeyboardInterrupt:
                if running:
                    self._loop.call_soon_threadsafe(running[0].stopping.set)
                continue
            if frame is None:
                following.result()
                return
            if isinstance(frame, BaseException):
                raise frame
            yield frame
