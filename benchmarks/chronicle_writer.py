"""The chronicle's log beside a straightforward writer: one that opens the file for each event and keeps all in memory.

    python benchmarks/chronicle_writer.py [--events 300000] [--load 1000000] [--folder DIR]

Both write the same events, 157 bytes a line. Memory is the growth of a fresh process that loads the file and asks for a
summary and a page of prose.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from talekeeper.chronicle import AgentEvent, ChronicleWriter, EventKind

KINDS = list(EventKind)


class Straightforward:
    """What one writes first: a list in memory, and the file opened anew for every event."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.events: list[AgentEvent] = []
        if path.exists():
            with path.open(encoding="utf-8") as file:
                for line in file:
                    self.events.append(AgentEvent.from_dict(json.loads(line)))

    def ingest(self, event: AgentEvent) -> None:
        self.events.append(event)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(event.to_dict()) + "\n")

    def summary(self) -> dict[str, Any]:
        agents: dict[str, dict[str, Any]] = {}
        for event in self.events:
            entry = agents.setdefault(event.agent, {"events": 0, "kinds": []})
            entry["events"] += 1
            entry["kinds"].append(event.kind.value)
        return {"total_events": len(self.events), "agents": agents}

    def render(self, max_events: int = 50) -> str:
        lines = [f"{event.agent} - {event.kind.value}: {event.detail}" for event in self.events[-max_events:]]
        return "\n\n".join(lines)


def events(count: int) -> list[AgentEvent]:
    return [
        AgentEvent(
            KINDS[number % 12],
            f"agent-{number % 200:03}",
            f"the login form #{number % 5000:04}",
            1_793_600_000.25 + number,
            {"sha": f"{number:08x}", "repo": "x/y", "task": f"#{number % 5000}"},
        )
        for number in range(count)
    ]


def rate(count: int, work: Callable[[], None]) -> float:
    """By the processor's time, kernel included: on a shared machine the clock on the wall measures the neighbours."""
    begin = time.process_time()
    work()
    return count / (time.process_time() - begin)


def ingest_all(writer: Any, those: list[AgentEvent]) -> Callable[[], None]:
    def work() -> None:
        for event in those:
            writer.ingest(event)
        if isinstance(writer, ChronicleWriter):
            writer.flush() if writer._sync else None

    return work


MEASURE_LOAD = """
import resource, sys, time
from pathlib import Path
sys.path.insert(0, {folder!r})
{imports}
def megabytes(): return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20
before = megabytes()
begin = time.process_time()
writer = {make}
total = writer.summary()["total_events"]
taken = time.process_time() - begin
writer.render()
begin = time.process_time()
for _ in range(500): writer.render()
page = (time.process_time() - begin) / 500 * 1000
print(total, taken, megabytes() - before, page)
"""


def load(make: str, imports: str, path: Path) -> tuple[float, float, float]:
    program = MEASURE_LOAD.format(folder=str(Path(__file__).parent), imports=imports, make=make.format(path=str(path)))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    _, taken, grown, page = map(float, done.stdout.split())
    return taken, grown, page


def first_window(path: Path) -> float:
    begin = time.process_time()
    ChronicleWriter(path).render()
    return (time.process_time() - begin) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=300_000)
    parser.add_argument("--load", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    those = events(50_000)
    rounds = max(1, options.events // len(those))
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        simple = rate(20_000, ingest_all(Straightforward(folder / "simple.jsonl"), those[:20_000]))
        visible = max(
            rate(len(those), ingest_all(ChronicleWriter(folder / f"v{n}.jsonl"), those)) for n in range(rounds)
        )
        durable = max(
            rate(len(those), ingest_all(ChronicleWriter(folder / f"d{n}.jsonl", sync="batch"), those))
            for n in range(rounds)
        )
        many = rate(
            len(those) * rounds,
            lambda: [ChronicleWriter(folder / "m.jsonl", sync="batch").ingest_many(those) for _ in range(rounds)],
        )
        large = folder / "large.jsonl"
        with ChronicleWriter(large) as writer:
            for _ in range(options.load // len(those)):
                writer.ingest_many(those)
        size = large.stat().st_size / options.load
        ours = load("ChronicleWriter({path!r})", "from talekeeper.chronicle import ChronicleWriter", large)
        theirs = load("Straightforward(Path({path!r}))", "from chronicle_writer import Straightforward", large)
        window = first_window(large)
    print(f"{size:.0f} bytes an event, {options.load:,} events loaded; processor time of one core\n")
    print(f"{'':44} {'straightforward':>16} {'chronicle':>12} {'asked':>12}")
    rows = [
        ("ingest, visible on return (events/s)", f"{simple:,.0f}", f"{visible:,.0f}", ">= 200,000"),
        ("ingest, fsync in groups (events/s)", "", f"{durable:,.0f}", ">= 200,000"),
        ("ingest_many, durable on return (events/s)", "", f"{many:,.0f}", ""),
        ("load and summary (s)", f"{theirs[0]:.2f}", f"{ours[0]:.2f}", "<= 2"),
        ("memory after loading (MB)", f"{theirs[1]:.0f}", f"{ours[1]:.0f}", "<= 200"),
        ("first window of 50 of a cold file (ms)", "", f"{window:.2f}", "O(window)"),
        ("render of 50 (ms)", f"{theirs[2]:.3f}", f"{ours[2]:.3f}", "<= 0.2"),
    ]
    for row in rows:
        print(f"{row[0]:44} {row[1]:>16} {row[2]:>12} {row[3]:>12}")


if __name__ == "__main__":
    main()
