"""What one idle client costs in the server's memory: a live socket that only listens, beside a bare one.

Goal: under 60 KB.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from web.paced import WORLD, server
from websockets.asyncio.client import ClientConnection, connect

CLIENTS = 400
GOAL_KB = 60.0


def resident(pid: int) -> int:
    """Bytes; what the process holds itself, without what it shares."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    return sum(int(line.split()[1]) << 10 for line in rollup.splitlines() if line.startswith("Private_"))


async def measure(port: int, pid: int) -> float:
    """Kilobytes a client. The first hundred warm the house up and are not counted."""
    url = f"ws://127.0.0.1:{port}/api/v1/worlds/{WORLD}/live"

    async def many(count: int) -> list[ClientConnection]:
        opened = []
        for _ in range(count):
            opened.append(await connect(url, compression=None))
            await opened[-1].recv()
        return opened

    warm = await many(100)
    before = resident(pid)
    idle = await many(CLIENTS)
    after = resident(pid)
    for connection in (*warm, *idle):
        connection.transport.abort()
    return (after - before) / CLIENTS / 1024


def main() -> None:
    print(f"{CLIENTS} idle clients: KB of the server's memory for each")
    found: dict[str, float] = {}
    for which in ("bare", "talekeeper"):
        with server(which) as (port, pid):
            found[which] = asyncio.run(measure(port, pid))
        print(f"{which:<12}{found[which]:>8.1f}")
    if found["talekeeper"] > GOAL_KB:
        raise SystemExit(f"over the goal of {GOAL_KB:.0f} KB")


if __name__ == "__main__":
    main()
