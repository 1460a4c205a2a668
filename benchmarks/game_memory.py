"""What a connection costs the server in memory: idle, and after an NPC has spoken on it; beside plain uvicorn."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path

from game_kit.games import Game, connect, event, serving, snapshot
from game_kit.servers import use_one_core

CONNECTIONS = 400


def resident(pid: int) -> int:
    """KiB, as the system counts it."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    raise RuntimeError("this system does not say")


def taken(game: Game, message: bytes, now: float) -> None:
    told = json.loads(message)
    if told["type"] == "get_agent_state":
        game.send(snapshot(told))
    elif told["type"] == "agent_turn_finished" and not game.ended.done():
        game.ended.set_result(None)


async def measure(port: int, pid: int, which: str) -> tuple[float, float | None]:
    # The first few pay for what is made once.
    first = await connect(port, 20, taken)
    await talk(first, which, 0)
    before = resident(pid)
    games = await connect(port, CONNECTIONS, taken)
    await asyncio.sleep(0.5)
    idle = (resident(pid) - before) / CONNECTIONS
    await talk(games, which, 1000)
    spoken = (resident(pid) - before) / CONNECTIONS
    for game in (*first, *games):
        game.close()
    return idle, spoken


async def talk(games: list[Game], which: str, start: int) -> None:
    for number, game in enumerate(games, start):
        if which == "plain":
            game.send({"type": "go", "seconds": 0.2, "agent_id": f"npc-{number}"})
        else:
            game.send(event(f"npc-{number}", "speak for 0.2", f"e{number}"))
    await asyncio.gather(*(game.ended for game in games))
    await asyncio.sleep(0.5)


def main() -> int:
    use_one_core(1)
    if not Path("/proc/self/status").exists():
        print("not measured: this system does not tell a process's memory under /proc")
        return 0
    print(f"{'server':<8} {'KiB idle':>10} {'KiB after a turn':>18}   (each of {CONNECTIONS} connections)")
    for which in ("plain", "door"):
        with tempfile.TemporaryDirectory() as home, serving(which, Path(home)) as (port, process):
            idle, spoken = asyncio.run(measure(port, process.pid, which))
        print(f"{which:<8} {idle:>10.1f} {spoken:>18.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
