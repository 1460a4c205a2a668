"""Six hours of chat through the whole companion, in seconds; beside a bot on a timer, which speaks whatever people do.

Logs of your own may be given as arguments.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

import msgspec

from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.storyteller import Storyteller
from talekeeper.app.engine import Engine
from talekeeper.app.stream_door import companion_settings
from talekeeper.doors.stream.chat_log import read_log
from talekeeper.doors.stream.replay import Moment, Replay, Summary, VirtualClock
from talekeeper.testing.house import settings_for

HOURS = 6
ASKED = 5.0
TIMER = 15 * 60.0
WORDS = """the lamp harbour boat tide light evening game boss jump again maybe video nice what how did you see that part
where he falls in water we were talking about last week and then nobody knew which way to go because map is wrong""".split()


def chat(kind: str) -> list[str]:
    """A quiet room with long silences, an easy one, or a crowd."""
    dice = random.Random(kind)
    gap, people = {"quiet": (180.0, 12), "easy": (20.0, 60), "crowd": (2.0, 900)}[kind]
    at, lines = 0.0, []
    while (at := at + dice.expovariate(1 / gap)) < HOURS * 3600:
        if kind == "quiet" and dice.random() < 0.08:
            at += dice.uniform(600, 2400)
        whole = int(at)
        text = " ".join(dice.choices(WORDS, k=1 + int(dice.expovariate(0.15))))
        lines.append(f"[{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}] <viewer{dice.randrange(people)}> {text}")
    return lines


async def replay(folder: Path, lines: tuple[ChatLine, ...]) -> tuple[list[Moment], Summary]:
    clock = VirtualClock(0.0)
    settings = settings_for(folder / "home", stream_channel="bench", store_synchronous="NORMAL")
    engine = Engine.open(settings, teller=Storyteller(), clock=clock)
    try:
        told = companion_settings(settings)
        played = Replay(engine, engine.tasks, msgspec.structs.replace(told, ledgers=folder), clock)
        moments = [moment async for moment in played.play(lines)]
        assert played.summary is not None
        return moments, played.summary
    finally:
        await engine.close()


def over_people(said: Iterable[float], lines: tuple[ChatLine, ...]) -> int:
    """How often somebody had written in the minute before."""
    times = [line.at for line in lines]
    return sum(any(at - 60 < one <= at for one in times) for at in said)


def main() -> int:
    given = [(Path(name).stem, Path(name).read_text("utf-8", "replace").splitlines()) for name in sys.argv[1:]]
    slow = []
    print(
        f"{'log':<12}{'lines':>8}{'seconds':>10}{'spoke':>8}{'over people':>13}{'clips':>8}{'  a timer: spoke, over people'}"
    )
    for name, text in [*((kind, chat(kind)) for kind in ("quiet", "easy", "crowd")), *given]:
        lines = read_log(text, 0.0).lines
        with tempfile.TemporaryDirectory() as folder:
            began, used = time.perf_counter(), time.process_time()
            moments, summary = asyncio.run(replay(Path(folder), lines))
            wall, used = time.perf_counter() - began, time.process_time() - used
        said = [moment.at for moment in moments if moment.kind == "said" and moment.mode == "hearthkeeper"]
        timer = [TIMER * n for n in range(1, int(summary.seconds // TIMER) + 1)]
        print(
            f"{name:<12}{len(lines):>8,}{wall:>10.1f}{len(said):>8}{over_people(said, lines):>13}{summary.clips:>8}"
            f"{len(timer):>10}, {over_people(timer, lines)}"
        )
        slow += [name] if used >= ASKED and name not in dict(given) else []
    print(
        f"asked for: six hours in under {ASKED:.0f} s of processor time: {'not met by ' + ', '.join(slow) if slow else 'met'}"
    )
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
