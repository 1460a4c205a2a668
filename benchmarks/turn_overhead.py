"""What the engine adds to a turn: everything but the model, at a short and at a long past, beside bare LangGraph.

What is done behind a turn, while somebody reads (the recap, the housekeeping), has a line of its own.

`python benchmarks/turn_overhead.py [EVENTS ...]` (10,000 and 1,000,000 by default).
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict

from big_world import WORDS, prolong

from talekeeper.agents.teller import Telling, Voicing
from talekeeper.app.engine import Engine
from talekeeper.loops.creation import create_from_preset
from talekeeper.loops.intents import Act
from talekeeper.presets.library import load_preset
from talekeeper.testing.house import settings_for

TURNS = 120
WARM = 20
ACTIONS = (
    "look around",
    "wait",
    "ask Nan about the {}",
    "talk to Dorcas",
    "examine the hearthstone",
    "ask Dorcas about {}",
)


class Times:
    """Milliseconds on the wall and of the processor."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.busy: list[float] = []

    @contextmanager
    def measured(self, counts: bool) -> Iterator[None]:
        began, cpu = time.perf_counter(), time.process_time()
        yield
        if counts:
            self.wall.append((time.perf_counter() - began) * 1000)
            self.busy.append((time.process_time() - cpu) * 1000)


class InstantTeller:
    """Stands where the model would: answers at once."""

    name = "instant"

    async def tell(self, telling: Telling) -> AsyncIterator[str]:
        yield f"<narration>It is turn {telling.turn_number}, and the lamp burns.</narration>"
        if telling.cast:
            yield f'<cue who="{telling.cast[0].id}" about=""/>'

    async def voice(self, voicing: Voicing) -> AsyncIterator[str]:
        yield f'<say who="{voicing.speaker.id}">So it does.</say>'


async def engine_turns(events: int, folder: Path) -> tuple[Times, Times, int]:
    engine = Engine.open(settings_for(folder, play_max_scene_turns=10_000), teller=InstantTeller())
    await engine.store.write(lambda c: create_from_preset(c, engine.services, load_preset("low-water"), "w", 7))
    start = time.perf_counter()
    have = await asyncio.to_thread(prolong, engine, "w", events)
    print(f"  made {have:,} events in {time.perf_counter() - start:.0f} s", file=sys.stderr)
    await engine.scenes.warm()
    during, behind = Times(), Times()
    for n in range(TURNS + WARM):
        action = ACTIONS[n % len(ACTIONS)].format(WORDS[n % len(WORDS)])
        with during.measured(n >= WARM):
            turn = await engine.scenes.act(Act(world="w", text=action))
            await turn.ended.wait()
        if turn.result.state != "done":
            raise SystemExit(f"a turn did not end well: {turn.result}")
        with behind.measured(n >= WARM):
            await engine.effects.drain()
            while engine.tasks.runs(f"turn w {turn.turn}"):
                await asyncio.sleep(0)
    await engine.close()
    return during, behind, have


class _State(TypedDict):
    turn_id: str


async def bare_langgraph(folder: Path) -> Times:
    """Five nodes that do nothing, with LangGraph's own SQLite saver at its defaults."""
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
    from langgraph.graph import END, START, StateGraph

    async def node(state: _State) -> None:
        return None

    graph = StateGraph(_State)
    names = ("load_context", "resolve", "narrate", "persist_turn", "canonize")
    for before, name in zip((START, *names), names, strict=False):
        graph.add_node(name, node)
        graph.add_edge(before, name)
    graph.add_edge(names[-1], END)
    times = Times()
    async with AsyncSqliteSaver.from_conn_string(str(folder / "bare.db")) as saver:
        await saver.setup()
        app = graph.compile(checkpointer=saver)
        for n in range(TURNS + WARM):
            with times.measured(n >= WARM):
                await app.ainvoke({"turn_id": str(n)}, {"configurable": {"thread_id": "one"}})
    return times


def row(name: str, times: Times) -> None:
    cuts = statistics.quantiles(times.wall, n=20)
    print(f"{name:<34}{statistics.median(times.wall):9.1f}{cuts[18]:9.1f}{statistics.median(times.busy):12.1f}")


def main() -> None:
    sizes = [int(size.replace(",", "")) for size in sys.argv[1:]] or [10_000, 1_000_000]
    print(f"{'a turn, in ms':<34}{'p50':>9}{'p95':>9}{'cpu p50':>12}")
    with tempfile.TemporaryDirectory() as folder:
        row("bare LangGraph, 5 empty nodes", asyncio.run(bare_langgraph(Path(folder))))
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            during, behind, have = asyncio.run(engine_turns(size, Path(folder)))
            row(f"the engine at {have:,} events", during)
            row("  and behind the turn", behind)


if __name__ == "__main__":
    main()
