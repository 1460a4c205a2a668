"""200 people watch one scene told at 30 tokens a second, the server on one core: is every token there, and in time?

Goal: all tokens, and p99 of the gap between two tokens under 150 ms.
"""

from __future__ import annotations

import asyncio
import json
import os
import time

import httpx
from web.paced import RATE, WORLD, percentile, server
from websockets.asyncio.client import connect

WATCHERS = 200
TOKENS = 10 * RATE
GOAL_MS = 150.0


async def watch(url: str, ready: asyncio.Event, gaps: list[float], late: list[float]) -> int:
    """How many tokens this one saw."""
    async with connect(url, compression=None) as live:
        await live.recv()
        ready.set()
        seen, before = 0, 0
        while True:
            message = json.loads(await live.recv())
            if message["type"] == "turn_ended":
                return seen
            if message["type"] == "tag_chunk":
                now = time.monotonic_ns()
                made = [int(token) for token in message["text"].split()]
                late.append((now - made[0]) / 1e6)
                if before:
                    gaps.append((now - before) / 1e6)
                before = now
                seen += len(made)


async def measure(port: int) -> tuple[list[int], list[float], list[float]]:
    base = f"127.0.0.1:{port}/api/v1/worlds/{WORLD}"
    gaps: list[float] = []
    late: list[float] = []
    ready = [asyncio.Event() for _ in range(WATCHERS)]
    watching = [asyncio.create_task(watch(f"ws://{base}/live", r, gaps, late)) for r in ready]
    await asyncio.gather(*(r.wait() for r in ready))
    async with httpx.AsyncClient(timeout=60) as http:
        await http.post(f"http://{base}/act", json={"text": "wait"})
    return await asyncio.gather(*watching), gaps, late


def main() -> None:
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(0, set(cores[1:]))
    print(f"{WATCHERS} watchers, {RATE} tokens/s, {TOKENS} tokens, the server on one core (ms)")
    print(f"{'':<12}{'delivered':>12}{'gap p50':>10}{'gap p99':>10}{'worst':>9}{'late p50':>11}{'late p99':>10}")
    found: dict[str, tuple[int, float]] = {}
    for which in ("bare", "talekeeper"):
        with server(which, TOKENS, core=cores[0]) as (port, _):
            seen, gaps, late = asyncio.run(measure(port))
        found[which] = sum(seen), percentile(gaps, 0.99)
        print(
            f"{which:<12}{sum(seen) / (WATCHERS * TOKENS):>11.1%} {percentile(gaps, 0.5):>9.1f}{found[which][1]:>10.1f}"
            f"{max(gaps):>9.1f}{percentile(late, 0.5):>11.1f}{percentile(late, 0.99):>10.1f}"
        )
    delivered, p99 = found["talekeeper"]
    if delivered != WATCHERS * TOKENS or p99 > GOAL_MS:
        raise SystemExit(f"over the goal: everything delivered and p99 under {GOAL_MS:.0f} ms")


if __name__ == "__main__":
    main()
