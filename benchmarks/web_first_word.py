"""How much later a client sees a token than the model gave it: over the live socket, beside a bare WebSocket.

Goal: the first one under 15 ms (p50).
"""

from __future__ import annotations

import asyncio
import json
import time

import httpx
from web.paced import WORLD, percentile, server
from websockets.asyncio.client import connect

TURNS = 30
TOKENS = 12
GOAL_MS = 15.0


async def measure(port: int) -> tuple[list[float], list[float]]:
    first: list[float] = []
    all_: list[float] = []
    base = f"127.0.0.1:{port}/api/v1/worlds/{WORLD}"
    async with connect(f"ws://{base}/live") as live, httpx.AsyncClient(timeout=30) as http:
        for _ in range(TURNS):
            await http.post(f"http://{base}/act", json={"text": "wait"})
            late: list[float] = []
            while True:
                message = json.loads(await live.recv())
                now = time.monotonic_ns()
                if message["type"] == "tag_chunk":
                    late += [(now - int(made)) / 1e6 for made in message["text"].split()]
                elif message["type"] == "turn_ended":
                    break
            first.append(late[0])
            all_ += late
    return first, all_


def main() -> None:
    print(f"{'':<12}{'first word p50':>16}{'p95':>9}{'any word p50':>15}{'p95':>9}   (ms from the model to the client)")
    found: dict[str, float] = {}
    for which in ("bare", "talekeeper"):
        with server(which, TOKENS) as (port, _):
            first, every = asyncio.run(measure(port))
        found[which] = percentile(first, 0.5)
        print(
            f"{which:<12}{found[which]:>16.2f}{percentile(first, 0.95):>9.2f}"
            f"{percentile(every, 0.5):>15.2f}{percentile(every, 0.95):>9.2f}"
        )
    added = found["talekeeper"] - found["bare"]
    print(f"added to the first word: {added:.2f} ms (goal: under {GOAL_MS:.0f} ms)")
    if found["talekeeper"] > GOAL_MS:
        raise SystemExit("over the goal")


if __name__ == "__main__":
    main()
