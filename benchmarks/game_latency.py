"""How soon: the first tag after the model's first byte, and the end of a turn that somebody cuts short.

Wanted: first tag on the wire within 3 ms of the model's first byte (p50); from the event that cuts in to
agent_turn_interrupted under 20 ms (p99). Beside them, in the same run, a ping and its pong on the same server.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from game_kit.games import Game, connect, event, percentile, serving, snapshot
from game_kit.servers import use_one_core

TURNS = 300
WANTED_FIRST_MS, WANTED_CUT_MS = 3.0, 20.0


class Line:
    """One game, one message at a time."""

    def __init__(self) -> None:
        self.news: asyncio.Queue[tuple[dict[str, Any], float]] = asyncio.Queue()

    def take(self, game: Game, message: bytes, now: float) -> None:
        told = json.loads(message)
        if told["type"] == "get_agent_state":
            game.send(snapshot(told))
        self.news.put_nowait((told, now))

    async def until(self, type_: str) -> tuple[dict[str, Any], float]:
        while True:
            told, now = await asyncio.wait_for(self.news.get(), 10)
            if told["type"] == type_:
                return told, now


async def measure(port: int) -> dict[str, list[float]]:
    line = Line()
    (game,) = await connect(port, 1, line.take)
    found: dict[str, list[float]] = {"first tag": [], "cut short": [], "whole turn begins": [], "ping": []}
    for turn in range(TURNS):
        said = time.monotonic()
        game.send(event("mara", f"speak {turn} for 30", f"a{turn}"))
        await line.until("agent_turn_started")
        _, opened = await line.until("agent_tag_open")
        chunk, _ = await line.until("agent_tag_chunk")
        given = float(chunk["text"].split()[0])
        found["first tag"].append((opened - given) * 1000)
        found["whole turn begins"].append((opened - said) * 1000)
        asked = time.monotonic()
        game.send(event("mara", "stop for 0", f"b{turn}"))
        _, ended = await line.until("agent_turn_interrupted")
        found["cut short"].append((ended - asked) * 1000)
        await line.until("agent_turn_finished")
        asked = time.monotonic()
        game.send({"type": "ping", "id": f"p{turn}"})
        _, ended = await line.until("pong")
        found["ping"].append((ended - asked) * 1000)
    game.close()
    return found


def main() -> int:
    use_one_core(1)
    with tempfile.TemporaryDirectory() as home, serving("door", Path(home)) as (port, _):
        found = asyncio.run(measure(port))
    print(f"{'what':<42} {'p50 ms':>8} {'p99 ms':>8}")
    for name, label in (
        ("ping", "a ping and its pong (reference)"),
        ("first tag", "model's first byte to first tag"),
        ("cut short", "event that cuts in to the turn's end"),
        ("whole turn begins", "event to first tag, state and store included"),
    ):
        print(f"{label:<42} {percentile(found[name], 0.5):>8.2f} {percentile(found[name], 0.99):>8.2f}")
    first, cut = percentile(found["first tag"], 0.5), percentile(found["cut short"], 0.99)
    held = first <= WANTED_FIRST_MS and cut <= WANTED_CUT_MS
    print(
        f"wanted: first tag p50 {WANTED_FIRST_MS} ms, cut short p99 {WANTED_CUT_MS} ms: {'held' if held else 'missed'}"
    )
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
