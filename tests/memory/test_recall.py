"""A first recall: by the words of a cue, only what was witnessed, only on this path, the same on every run."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from talekeeper.memory.recall import MOST_WORDS, POSTINGS, Recalled, cue_words, recall
from talekeeper.testing.house import House
from talekeeper.testing.scribe import Scribe
from talekeeper.timeline.vocabulary import (
    PUBLIC,
    UNSEEN,
    ActionTaken,
    ChatSaid,
    DeedDone,
    Draft,
    LineSpoken,
    NarrationEdited,
    NarrationTold,
    SecretTold,
)

MARA, TAM = "person/mara", "person/tam"


@pytest.fixture
def scribe(store) -> Scribe:
    return Scribe(store)


def remembered(
    scribe: Scribe, cue: str, who: str = MARA, timeline: str = "t1", until: int | None = None, **how
) -> list[Recalled]:
    past = scribe.path(timeline).until(until)
    return scribe.read(lambda conn: recall(conn, past, who, cue, **how))


def words_of(*args, **how) -> list[str]:
    return [memory.text for memory in remembered(*args, **how)]


def test_only_what_was_witnessed(scribe: Scribe) -> None:
    scribe.say("The lighthouse key is under the mat.", witnesses=(MARA,))
    scribe.say("The lighthouse burned once.", witnesses=(MARA, TAM))
    scribe.say("The lighthouse is open to all.", witnesses=PUBLIC)
    scribe.say("The lighthouse keeper cheats at dice.", witnesses=UNSEEN)
    assert words_of(scribe, "the lighthouse", TAM) == ["The lighthouse is open to all.", "The lighthouse burned once."]
    assert len(words_of(scribe, "the lighthouse", MARA)) == 3
    assert words_of(scribe, "the lighthouse", "person/stranger") == ["The lighthouse is open to all."]


def test_only_on_this_path(scribe: Scribe) -> None:
    scribe.say("The ferry leaves at noon.")
    branch = scribe.fork(at=1).id
    scribe.say("The ferry sank.")
    scribe.say("The ferry was painted red.", branch)
    assert words_of(scribe, "ferry") == ["The ferry sank.", "The ferry leaves at noon."]
    assert words_of(scribe, "ferry", timeline=branch) == ["The ferry was painted red.", "The ferry leaves at noon."]
    assert words_of(scribe, "ferry", until=1) == ["The ferry leaves at noon."]


def test_only_of_this_world(scribe: Scribe) -> None:
    other = Scribe(scribe.store, "elsewhere")
    scribe.say("A heron on the ferry.")
    other.say("A heron in the tower.")
    assert words_of(scribe, "heron") == ["A heron on the ferry."]
    assert words_of(other, "heron") == ["A heron in the tower."]


def test_everything_that_can_be_seen_or_heard_is_remembered(scribe: Scribe) -> None:
    for body in (
        ActionTaken(actor=TAM, text="I polish the astrolabe"),
        LineSpoken(speaker=TAM, text="This astrolabe was my father's."),
        DeedDone(actor=TAM, text="lays the astrolabe down"),
        NarrationTold(text="The astrolabe caught the light."),
        SecretTold(secret="s", teller=TAM, to=(MARA,), text="The astrolabe is stolen."),
        ChatSaid(session="s", message="m", name="viewer", text="nice astrolabe"),
    ):
        scribe.happen(body)
    found = remembered(scribe, "astrolabe")
    assert [m.speaker for m in found] == ["viewer", TAM, "", TAM, TAM, TAM]


def test_a_rare_old_fact_is_found_among_many_common_ones(scribe: Scribe) -> None:
    scribe.say("The smuggler Corvane hid a ruby under the harbour bell.")
    bodies = [LineSpoken(speaker=TAM, text=f"The harbour is quiet, hour {n}.") for n in range(2 * POSTINGS)]
    scribe.append([Draft(body=body, by=TAM, witnesses=PUBLIC) for body in bodies])
    assert words_of(scribe, "Ask Mara about Corvane and the harbour")[0].startswith("The smuggler Corvane")
    assert words_of(scribe, "the ruby", limit=1)[0].startswith("The smuggler Corvane")


def test_rare_words_weigh_more_and_the_parts_say_so(scribe: Scribe) -> None:
    for n in range(9):
        scribe.say(f"Rope and tar, barrel {n}.")
    scribe.say("A crate of saffron.")
    best, *_ = found = remembered(scribe, "rope and saffron")
    assert best.text == "A crate of saffron."
    assert best.parts.keys() == {"saffron"}
    assert all(m.parts.keys() == {"rope"} for m in found[1:])
    assert best.score > found[1].score
    assert best.score == pytest.approx(sum(best.parts.values()))


def test_other_forms_of_a_word_are_found(scribe: Scribe) -> None:
    scribe.say("Two smugglers were landing barrels.")
    assert words_of(scribe, "smuggler") == ["Two smugglers were landing barrels."]
    assert words_of(scribe, "did the barrel land") == ["Two smugglers were landing barrels."]


@pytest.mark.parametrize(
    "cue", ["", "   ", "?!", "the and of", "you yourself himself during", "'' \" * ( ) AND NOT", "\0"]
)
def test_a_cue_without_telling_words_brings_nothing_back(scribe: Scribe, cue: str) -> None:
    scribe.say("You yourself saw it, during the storm, and he himself did not.")
    assert words_of(scribe, cue) == []


def test_a_corrected_narration_is_remembered_once_as_corrected(scribe: Scribe) -> None:
    told = scribe.happen(NarrationTold(text="The captain was a tall woman."))
    scribe.happen(NarrationEdited(event=told.id, text="The captain was a short woman."))
    scribe.happen(NarrationEdited(event=told.id, text="The captain was a short man."))
    for cue in ("captain", "tall", "woman", "captain man"):
        assert [(m.event, m.text) for m in remembered(scribe, cue)] == [(told.id, "The captain was a short man.")]
    assert words_of(scribe, "captain", until=2) == ["The captain was a short woman."]
    branch = scribe.fork(at=1).id
    assert words_of(scribe, "captain", timeline=branch) == ["The captain was a tall woman."]


def test_what_is_shown_anyway_is_left_out_and_the_rest_is_limited(scribe: Scribe) -> None:
    ids = [scribe.say(f"Gulls, gulls, {n}.").id for n in range(6)]
    assert [m.event for m in remembered(scribe, "gulls", limit=2, leave_out=ids[-2:])] == [ids[3], ids[2]]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cue=st.text(max_size=80))
def test_whatever_the_cue_recall_answers(scribe: Scribe, cue: str) -> None:
    assert isinstance(remembered(scribe, cue), list)
    assert len(cue_words(cue)) <= MOST_WORDS


PROGRAM = """
import asyncio, pathlib, sys
import msgspec
from talekeeper.app.engine import Engine
from talekeeper.loops.intents import Act
from talekeeper.testing.clock import FakeClock
from talekeeper.testing.house import WORLD, settings_for

async def main():
    engine = Engine.open(settings_for(pathlib.Path(sys.argv[1])), clock=FakeClock())
    for line in ("look at the register", *["look around", "ask Nan about the dam"] * 4, "look at the register"):
        turn = await engine.scenes.act(Act(world=WORLD, text=line))
        async for frame in turn.watch():
            sys.stdout.buffer.write(msgspec.json.encode(frame) + b"\\n")
    from sqlalchemy import text
    rows = await engine.store.read(lambda c: c.execute(text("select manifest, prose, outcome from turn order by number")).all())
    for row in rows:
        print(*row)
    await engine.close()

asyncio.run(main())
"""


def test_a_whole_turn_is_the_same_under_any_hash_seed(sqlite_house: House) -> None:
    """Frames, manifests, outcomes and prose of nine turns, in processes that order their sets differently."""
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(sqlite_house.settings().home)],
            env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, text=True,
        )
        for seed in ("1", "77")
    ]  # fmt: skip
    one, other = (process.communicate()[0] for process in running)
    assert all(process.returncode == 0 for process in running)
    assert "Remembered" in one
    assert one == other
