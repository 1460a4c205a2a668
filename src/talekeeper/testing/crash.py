"""Killing Talekeeper at a chosen instant, and starting it again. Children fork from one warmed process: no import is paid twice.

`python -m talekeeper.testing.crash` is that process: it reads a deed a line and answers with what came of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import logging
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Literal, NoReturn, TypeVar

import msgspec
import structlog
from sqlalchemy import Connection

from talekeeper.agents.storyteller import Storyteller
from talekeeper.agents.teller import Telling, Voicing
from talekeeper.app.engine import Engine
from talekeeper.loops.intents import Act
from talekeeper.presets.library import load_preset
from talekeeper.rules.dice import roll
from talekeeper.rules.load import load_pack
from talekeeper.testing.house import WORLD, settings_for
from talekeeper.timeline.store import Store

T = TypeVar("T")


class Instant(msgspec.Struct, frozen=True):
    """When to die: around the n-th write of a turn, at the n-th piece of prose, or after some milliseconds."""

    at: Literal["before write", "inside write", "after write", "piece", "milliseconds"]
    n: float

    def __str__(self) -> str:
        return f"{self.at} {self.n:g}"


class Deed(msgspec.Struct, frozen=True):
    home: str
    url: str | None
    action: str
    """Empty: start again, and take up what is left."""
    die: Instant | None = None
    """None: live to the end, in order."""
    scene_turns: int = 60
    later: float = 0.0
    """Seconds by which this life's clock runs ahead: after a death, leases must have run out."""


class Fate(msgspec.Struct, frozen=True):
    acknowledged: str = ""
    """The turn the player was told of before the end."""
    killed: bool = False
    resumed: tuple[str, ...] = ()
    """Turns that were taken up, in the words of their last frame: `t1#1 done`."""


class CrashHouse:
    """The warmed process, from outside."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "talekeeper.testing.crash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def do(self, deed: Deed) -> Fate:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode(deed) + b"\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the warmed process is gone")
        return msgspec.json.decode(answer, type=Fate)

    def close(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait(timeout=30)
        if self._process.stdout is not None:
            self._process.stdout.close()


def main() -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    _warm()
    for line in sys.stdin.buffer:
        deed = msgspec.json.decode(line, type=Deed)
        sys.stdout.buffer.write(msgspec.json.encode(_in_a_child(deed)) + b"\n")
        sys.stdout.buffer.flush()


def _warm() -> None:
    """Whatever is read or built once in a process, so that no child pays for it. No thread may come of it."""
    for slow in (
        "langgraph.checkpoint.postgres.aio", "talekeeper.loops.scene.unread_notes", "talekeeper.loops.scene.graph",
    ):  # fmt: skip
        importlib.import_module(slow)
    load_preset(WORLD)
    load_pack(load_preset(WORLD).card.rules)
    roll("1d20", 1)


def _in_a_child(deed: Deed) -> Fate:
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os.dup2(2, 1)  # the answers have that line to themselves
        code = 1
        try:
            asyncio.run(_act(deed, writing) if deed.action else _restart(deed, writing))
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    if deed.die is not None and deed.die.at == "milliseconds":
        _kill_after(child, reading, deed.die.n)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as said:
        words = [word for word in said.read().decode().split("\n") if word]
    killed = os.WIFSIGNALED(status)
    if status != 0 and not killed:
        raise SystemExit(f"a life ended badly by itself: {status}")
    if deed.action:
        return Fate(acknowledged=words[0] if words else "", killed=killed)
    return Fate(resumed=tuple(words), killed=killed)


def _kill_after(child: int, reading: int, milliseconds: float) -> None:
    """Counted from the moment the engine stands: the instants of a turn, not of a start."""
    select.select([reading], [], [], 30)
    os.read(reading, 1)
    time.sleep(milliseconds / 1000)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)


async def _act(deed: Deed, said: int) -> None:
    engine = _open(deed)
    await engine.scenes.warm()
    if deed.die is not None and deed.die.at == "milliseconds":
        os.write(said, b".")
    turn = await engine.scenes.act(Act(world=WORLD, text=deed.action))
    os.write(said, turn.turn.encode())
    await turn.ended.wait()
    await engine.close()


async def _restart(deed: Deed, said: int) -> None:
    engine = _open(deed)
    for turn in await engine.start():
        await turn.ended.wait()
        os.write(said, f"{turn.turn} {turn.result.state}\n".encode())
    await engine.effects.drain()
    await engine.close()


def _open(deed: Deed) -> Engine:
    settings = settings_for(Path(deed.home), deed.url, play_max_scene_turns=deed.scene_turns)
    teller = Storyteller() if deed.die is None else DyingTeller(deed.die)
    engine = Engine.open(settings, teller=teller, clock=lambda: time.time() + deed.later)
    if deed.die is not None:
        _mortal(engine.store, deed.die)
    return engine


def _die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("unreachable")


def _mortal(store: Store, die: Instant) -> None:
    """From now on the store's n-th write is fatal."""
    write = store.write
    count = 0

    async def fatal(work: Callable[[Connection], T]) -> T:
        nonlocal count
        count += 1
        now = count == die.n

        def working(conn: Connection) -> T:
            if now and die.at == "before write":
                _die()
            result = work(conn)
            if now and die.at == "inside write":
                _die()
            return result

        result = await write(working)
        if now and die.at == "after write":
            _die()
        return result

    setattr(store, "write", fatal)  # noqa: B010 - a method put in another's place, on purpose


class DyingTeller:
    """The storyteller, with its last words numbered."""

    name = "storyteller"

    def __init__(self, die: Instant) -> None:
        self._die = die
        self._teller = Storyteller()
        self._told = 0

    async def tell(self, telling: Telling) -> AsyncIterator[str]:
        async for piece in self._teller.tell(telling):
            yield self._mortal(piece)

    async def voice(self, voicing: Voicing) -> AsyncIterator[str]:
        async for piece in self._teller.voice(voicing):
            yield self._mortal(piece)

    def _mortal(self, piece: str) -> str:
        self._told += 1
        if self._die.at == "piece" and self._told == self._die.n:
            _die()
        return piece


if __name__ == "__main__":
    main()
