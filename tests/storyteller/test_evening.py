"""A whole evening at one table: nothing is told twice, nothing hidden comes out, the same seed tells the same tale."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from talekeeper.presets.words import written_lines

TURNS = 200
SEEDS = (1, 2, 3)


@pytest.fixture(scope="module", params=SEEDS)
def evening(request, new_table, play_on):
    table = new_table(seed=request.param)
    return table, play_on(table, TURNS)


def sentences(prose: str) -> list[str]:
    found = re.split(r"(?<=[.!?])[\"”]?\s+|\n+", prose)
    return [sentence.strip(' "') for sentence in found if len(sentence.split()) >= 3]


def test_no_line_is_told_twice(evening) -> None:
    _, told = evening
    lines = [line for turn in told for line in turn.lines]
    assert len(lines) > 3 * TURNS
    assert len(lines) == len(set(lines))


def test_no_sentence_is_told_more_than_twice(evening) -> None:
    _, told = evening
    counted = Counter(sentence for turn in told for sentence in sentences(turn.prose))
    assert [sentence for sentence, times in counted.items() if times > 2] == []


def test_every_turn_gives_something_to_read(evening) -> None:
    _, told = evening
    assert all(len(turn.prose.split()) >= 12 for turn in told)
    assert 40 < sum(len(turn.prose.split()) for turn in told) / TURNS < 120


def test_no_secret_comes_out_unrevealed(evening) -> None:
    table, told = evening
    prose = " ".join(turn.prose for turn in told)
    for _, secret in table.preset.secrets:
        assert secret.text not in prose
        for words in secret.told:
            assert words not in prose


def test_no_run_of_a_secret_stands_in_the_written_words(table) -> None:
    """Not even in part: six words in a row would be enough for the guard to strike them out."""

    def runs(text: str) -> set[tuple[str, ...]]:
        words = re.findall(r"[a-z0-9']+", text.lower())
        return {tuple(words[n : n + 6]) for n in range(len(words) - 5)}

    hidden = {run: secret.id for _, secret in table.preset.secrets for run in runs(secret.text)}
    leaks = [
        (written.key, hidden[run])
        for written in written_lines(table.preset)
        if ".told[" not in written.key
        for run in runs(written.raw)
        if run in hidden
    ]
    assert leaks == []


def test_the_same_seed_tells_the_same_tale_whatever_the_hash_seed() -> None:
    conftest = Path(__file__).with_name("conftest.py")
    script = (
        "import runpy, hashlib\n"
        f"names = runpy.run_path({str(conftest)!r})\n"
        "told = names['play'](names['Table'](seed=4), 40)\n"
        "print(hashlib.sha256(''.join(turn.raw + turn.prose for turn in told).encode()).hexdigest())\n"
    )
    tales = {
        subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(tales) == 1


def test_another_seed_tells_another_tale(new_table, play_on) -> None:
    one, other = (play_on(new_table(seed=seed), 5) for seed in (1, 2))
    assert [turn.prose for turn in one] != [turn.prose for turn in other]
