"""Chat lines through Warden, policy and durable storage on one core, each acknowledged; beside plain sqlite3 inserts."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.storyteller import Storyteller
from talekeeper.app.engine import Engine
from talekeeper.app.stream_door import stream_companion
from talekeeper.doors.stream.listening import Listener
from talekeeper.doors.stream.live_status import LiveStatus
from talekeeper.doors.stream.mouth import Reach
from talekeeper.doors.stream.transport.choose import NoTransport
from talekeeper.doors.stream.transport.port import LineHeard
from talekeeper.testing.house import settings_for

LINES = 20_000
PEOPLE = 400
ASKED = 5_000
EVERY = 500
"""The policy weighs the room this often: ten times a second at the rate asked for, where a real loop does once a minute."""
WORDS = """the lamp harbour boat tide light evening game boss jump again maybe chat discord video great nice what how did you
see that part where he falls in water we were talking about last week and then nobody knew which way to go because map
is wrong here lol haha yes no why so good music sounds like old one from first episode I think""".split()
SPAM = (
    "Buy cheap viewers and followers, best price at viewers4u .com",
    "hey your stream is great, I do overlays and logos, add me on discord designer#1234",
)


def use_one_core() -> None:
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def chat(count: int) -> list[ChatLine]:
    dice = random.Random(7)
    lines = []
    for number in range(count):
        text = (
            dice.choice(SPAM)
            if dice.random() < 0.01
            else " ".join(dice.choices(WORDS, k=min(30, 1 + int(dice.expovariate(0.16)))))
        )
        name = f"viewer{dice.randrange(PEOPLE)}"
        lines.append(ChatLine(id=f"m{number}", name=name, text=text, at=1_700_000_000 + number / 50, channel="bench"))
    return lines


async def companion(folder: Path, lines: list[ChatLine], synchronous: str) -> tuple[float, float, int]:
    """Wall seconds, processor seconds, and how many lines are in the store in the end."""
    settings = settings_for(folder, stream_channel="bench", store_synchronous=synchronous)
    engine = Engine.open(settings, teller=Storyteller())
    try:
        house = stream_companion(engine, lambda name: Reach(NoTransport(), LiveStatus(name, None)))
        keeper = await house.open("bench")
        listener = Listener(house, engine.tasks, "bench")
        began, used = time.perf_counter(), time.process_time()
        for number, line in enumerate(lines):
            await listener.heard(LineHeard(line))
            if number % EVERY == 0:
                keeper.decide(live=True, now=line.at)
                await asyncio.sleep(0)
        await keeper.intake.flushed()
        wall, processor = time.perf_counter() - began, time.process_time() - used
        return wall, processor, keeper.intake.written
    finally:
        await engine.close()


def plain(folder: Path, lines: list[ChatLine], synchronous: str, batch: int) -> tuple[float, float, int]:
    """The same words in one table with the event's columns, in batches, and nothing else done with them."""
    folder.mkdir()
    conn = sqlite3.connect(folder / "plain.db", isolation_level=None)
    conn.execute("pragma journal_mode = wal")
    conn.execute(f"pragma synchronous = {synchronous}")
    conn.execute(
        "create table event (world text, timeline text, seq integer, kind text, v integer, at real, story_time integer,"
        " scene text, turn text, by text, place text, witnesses text, cause text, body text, idem text,"
        " primary key (world, timeline, seq)) without rowid"
    )
    began, used = time.perf_counter(), time.process_time()
    for start in range(0, len(lines), batch):
        conn.execute("begin immediate")
        conn.executemany(
            f"insert into event values ({', '.join('?' * 15)})",
            [
                ("w", "t1", start + n, "chat.said", 1, line.at, None, None, None, "stream", None, "[]", None,
                 f'{{"session":"s","message":"{line.id}","name":"{line.name}","text":"{line.text}"}}', None)
                for n, line in enumerate(lines[start : start + batch], 1)
            ],
        )  # fmt: skip
        conn.execute("commit")
    wall, processor = time.perf_counter() - began, time.process_time() - used
    (count,) = conn.execute("select count(*) from event").fetchone()
    conn.close()
    return wall, processor, count


def main() -> int:
    use_one_core()
    lines = chat(LINES)
    print(f"{LINES:,} lines on one core{'lines/s':>31}{'by processor':>15}{'us a line':>12}")
    rates: list[float] = []
    for synchronous in ("FULL", "NORMAL"):
        for name in ("companion", "plain sqlite3, by 50", "plain sqlite3, singly"):
            with tempfile.TemporaryDirectory() as folder:
                home = Path(folder) / "home"
                if name == "companion":
                    wall, used, kept = asyncio.run(companion(home, lines, synchronous))
                    rates.append(kept / used)
                else:
                    wall, used, kept = plain(home, lines, synchronous, 50 if "50" in name else 1)
                assert kept == LINES, f"{LINES - kept} lines are missing"
            shown = f"{name} ({synchronous})"
            print(f"{shown:<40}{kept / wall:>15,.0f}{kept / used:>15,.0f}{used / kept * 1e6:>12.0f}")
    met = rates[0] >= ASKED
    print(f"asked for: {ASKED:,} lines/s of processor time, durable (FULL): {'met' if met else 'not met'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
