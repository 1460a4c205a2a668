"""The generic bank is complete and says nothing twice."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import get_args

import pytest

from talekeeper.agents.storyteller.bank import load_bank
from talekeeper.agents.storyteller.naming import in_prose, thing_in_prose
from talekeeper.agents.storyteller.players_words import as_topic, deed, said_topic, spoken
from talekeeper.agents.storyteller.tense import in_past
from talekeeper.presets.check import SLOTS
from talekeeper.presets.line import read_line
from talekeeper.presets.preset import ATTITUDES
from talekeeper.timeline.vocabulary import Tier, Verb

BANK = load_bank()


def written() -> Iterator[str]:
    for tiers in BANK.verbs.values():
        for words in tiers.values():
            yield from words
    for group in (BANK.frames, BANK.costs, BANK.leads):
        for words in group.values():
            yield from words
    for spoken_group in (BANK.says, BANK.remembers):
        for by_attitude in spoken_group.values():
            for attitude in ATTITUDES:
                yield from by_attitude.lines(attitude)
    yield from BANK.senses


def test_every_verb_and_tier_can_be_composed() -> None:
    assert set(BANK.openings) == set(get_args(Verb))
    assert set(BANK.verdicts) == set(get_args(Tier))
    for verb, clauses in BANK.openings.items():
        assert any("{" not in clause for clause in clauses) or verb in ("move", "look"), verb


def test_no_line_is_written_twice() -> None:
    assert [text for text, times in Counter(written()).items() if times > 1] == []


def test_every_slot_can_be_filled() -> None:
    own = {"who", "where", "why", "matter", "look", "mood", "ways", "things", "clock", "secret", "fact"}
    assert {slot for raw in written() for slot in read_line(raw).slots} <= SLOTS | own


def test_sentences_made_again_and_again_do_not_repeat_a_part() -> None:
    """Frames and leads may come back about something else, so none may carry a whole sentence without a slot."""
    for words in (*BANK.frames.values(), *BANK.leads.values()):
        for raw in words:
            parts = re.split(r"(?<=[.!?])\s+", raw)
            assert len(parts) == 1 or all("{" in part for part in parts) or "{" not in raw, raw


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("I climb the wall.", "climb the wall"),
        ("i try to hide my coat", "hide your coat"),
        ("I want to write a letter to myself", "write a letter to yourself"),
        ("Then I go to sleep standing", "sleep standing"),
        ("the door", ""),
        ("climbing up", ""),
        ("", ""),
        ("¿?", ""),
        ("shout <b>", ""),
    ],
)
def test_a_deed_is_told_back(action: str, told: str) -> None:
    assert deed(action) == told


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ('I say "no more"', '"no more."'),
        ("tell her that I am leaving", "You told her that you were leaving."),
        ("I ask Nan why she lied", "You asked Nan why she lied."),
        ("ask Nan about bees", ""),
        ("go home", ""),
    ],
)
def test_speech_is_told_back(action: str, told: str) -> None:
    assert spoken(action) == told


def test_names_in_prose() -> None:
    assert [in_prose(name) for name in ("The Otter", "Corrow Street", "mill")] == [
        "the Otter",
        "Corrow Street",
        "the mill",
    ]
    assert [thing_in_prose(name) for name in ("County list", "Nan's jar", "a cup")] == [
        "the County list", "Nan's jar", "a cup",
    ]  # fmt: skip


def test_the_present_is_told_as_past() -> None:
    assert in_past("The door is locked, and she carries the key.") == "The door was locked, and she carried the key."
    assert in_past("You do not have the rope.") == "You did not have the rope."
    assert (
        in_past("He has nothing that you could take or wish to have.")
        == "He had nothing that you could take or wish to have."
    )
    assert in_past("You cannot see it.") == "You could not see it."
    assert in_past("it takes longer than it should") == "it took longer than it should"


def test_half_a_sentence_is_no_topic() -> None:
    assert as_topic("should I not trust") == ""
    assert as_topic("is it") == ""
    assert as_topic("my father's coat?") == "your father's coat"


def test_a_topic_in_the_players_words() -> None:
    assert said_topic("ask her about my father's coat?") == "your father's coat"
    assert said_topic("talk to Nan") == ""


def test_the_storyteller_needs_nothing_heavy() -> None:
    script = (
        "import sys; import talekeeper.agents.storyteller as s; s.Storyteller()\n"
        "heavy = {'langgraph', 'openai', 'fastapi', 'd20', 'rich', 'typer', 'alembic'}\n"
        "print(sorted(heavy & {name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
