"""The Warden against a plain word list: recall and false alarms by cross-validation over templates, and time a line.

    python benchmarks/companion_warden.py [LABELLED.jsonl]

Each line of the file is {"text": ..., "label": "spam" | "ham"}. Lines made from one template stay in one fold, and the
threshold for a fold is chosen on the others. Without a file only the speed is measured, on generated lines.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.warden import Warden
from talekeeper.agents.companion.warden.reading import weigh
from talekeeper.agents.companion.warden.warden import THRESHOLD

FOLDS = 5
MOST_FALSE = 0.02
ALIKE = 0.5
WORD_LIST = (
    "buy followers", "buy viewers", "viewers", "followers", "discord", "become famous", "grow your channel", "promotion",
    "add me", "cheap", "free package", ".com", "boost", "commission", "graphic designer",
)  # fmt: skip

Row = tuple[str, bool]
Score = Callable[[str], float]


def word_list(text: str) -> float:
    """What everybody writes first: how many of the words of spam are in the line."""
    low = text.lower()
    return float(sum(word in low for word in WORD_LIST))


def warden(text: str) -> float:
    return weigh(text).score


def groups(rows: Sequence[Row]) -> list[int]:
    """Lines that share half of their words are of one template."""
    words = [frozenset(re.findall(r"[^\W\d_]{2,}", re.sub(r"@\w+", "", text.casefold()))) for text, _ in rows]
    group = list(range(len(rows)))
    for n in range(len(rows)):
        for m in range(n):
            if words[n] and len(words[n] & words[m]) >= ALIKE * len(words[n] | words[m]):
                old, new = group[n], group[m]
                group = [new if g == old else g for g in group]
    return group


def rates(scores: Sequence[float], rows: Sequence[Row], threshold: float) -> tuple[int, int]:
    hits = sum(score >= threshold and spam for score, (_, spam) in zip(scores, rows, strict=True))
    false = sum(score >= threshold and not spam for score, (_, spam) in zip(scores, rows, strict=True))
    return hits, false


def threshold_for(scores: Sequence[float], rows: Sequence[Row]) -> float:
    """The middle of those thresholds that catch most with few enough false alarms."""
    ham = sum(not spam for _, spam in rows)
    values = sorted({*scores, max(scores) + 1})
    fit = [(rates(scores, rows, v)[0], v) for v in values if rates(scores, rows, v)[1] <= MOST_FALSE * ham]
    most = max(hits for hits, _ in fit)
    best = [v for hits, v in fit if hits == most]
    below = max((v for v in values if v < best[0]), default=0.0)
    return (below + best[-1]) / 2


def cross_validated(score: Score, rows: Sequence[Row]) -> tuple[float, float]:
    scores, group = [score(text) for text, _ in rows], groups(rows)
    fold = [zlib.crc32(str(g).encode()) % FOLDS for g in group]
    hits = false = 0
    for number in range(FOLDS):
        inside = [n for n in range(len(rows)) if fold[n] == number]
        outside = [n for n in range(len(rows)) if fold[n] != number]
        threshold = threshold_for([scores[n] for n in outside], [rows[n] for n in outside])
        found = rates([scores[n] for n in inside], [rows[n] for n in inside], threshold)
        hits, false = hits + found[0], false + found[1]
    return hits / sum(spam for _, spam in rows), false / max(1, sum(not spam for _, spam in rows))


def generated(count: int, seed: int = 1) -> list[str]:
    """Chat-like lines: mostly short talk, one in twenty a pitch."""
    dice = random.Random(seed)
    talk = "the a lamp is so quiet tonight lol who keeps this light going wait what nice run gg he fell again love it".split()
    pitch = "Hey love your stream! I can help you grow your channel with real viewers, add me on Discord: {}_{} if interested"
    return [
        pitch.format(dice.choice(talk), dice.randrange(99))
        if dice.random() < 0.05
        else " ".join(dice.choices(talk, k=dice.randrange(1, 16)))
        for _ in range(count)
    ]


def microseconds(read: Callable[[str], object], lines: Sequence[str], rounds: int = 5) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for line in lines:
            read(line)
        best = min(best, time.process_time() - start)
    return best / len(lines) * 1e6


def main() -> None:
    console = Console()
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    lines = generated(5_000)
    keeper, count = Warden(), iter(range(10**9))

    def read(text: str) -> object:
        number = next(count)
        return keeper.read(ChatLine(str(number), f"viewer{number % 300}", text, float(number)))

    if path is None:
        console.print("No labelled data was given: only the speed is measured, on generated lines.")
    else:
        rows = [(row["text"], row["label"] == "spam") for row in map(json.loads, path.read_text("utf-8").splitlines())]
        table = Table(title=f"{len(rows)} lines of {len(set(groups(rows)))} templates, {FOLDS} folds")
        for column in ("reader", "recall", "false alarms", "at its own threshold"):
            table.add_column(column)
        for name, score in (("Warden", warden), ("word list (reference)", word_list)):
            recall, false = cross_validated(score, rows)
            hits, alarms = rates([score(text) for text, _ in rows], rows, THRESHOLD)
            spam = sum(spam for _, spam in rows)
            own = f"{hits / spam:.3f} / {alarms / max(1, len(rows) - spam):.3f}"
            table.add_row(name, f"{recall:.3f}", f"{false:.3f}", own)
        console.print(table)
    speed = Table(title="microseconds a line")
    for column in ("lines", "Warden", "word list (reference)"):
        speed.add_column(column)
    speed.add_row(
        "generated, one in twenty a pitch", f"{microseconds(read, lines):.1f}", f"{microseconds(word_list, lines):.1f}"
    )
    if path is not None:
        texts = [text for text, _ in rows]
        speed.add_row(
            "the data, half of it pitches", f"{microseconds(read, texts):.1f}", f"{microseconds(word_list, texts):.1f}"
        )
    console.print(speed)


if __name__ == "__main__":
    main()
