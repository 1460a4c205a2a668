"""A world with no preset, or an unknown one, is told plainly from the generic bank."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import msgspec
import pytest

from talekeeper.agents.situation import ClockFace, Exit, Person, Place, Thing, Thread
from talekeeper.agents.storyteller import Storyteller
from talekeeper.agents.teller import NARRATOR_TAGS, Telling
from talekeeper.timeline.vocabulary import Claim, OutcomeResolved, Tier, Verb

YARD = Place("place/yard", "The Yard", "A yard between two walls.", (Exit("place/hall", "The Hall", "up the steps"),),
             (Thing("item/rope", "rope", look="twenty feet of hemp"),))  # fmt: skip
KEEPER = Person("person/k", "Ilse Brandt", ("Ilse",), look="tall, in an apron", mood="weary")


def telling(
    verb: str, tier: str = "success", used: frozenset[str] = frozenset(), seed: int = 1, **more: object
) -> Telling:
    outcome = {"actor": "person/p", "verb": verb, "tier": tier, "targets": ["person/k", "item/rope"], **more}
    return Telling(
        world="w", title="Somewhere", preset="unheard-of", turn_number=seed, now=600, weather="rain", place=YARD,
        actor=Person("person/p", "Player"), cast=(KEEPER,), action=f"{verb} it", outcome=msgspec.convert(outcome, OutcomeResolved),
        threads=(Thread("concept/feud", "the feud"),), clocks=(ClockFace("faction/f", "the siege", 1, 4),),
        used=used, seed=seed,
    )  # fmt: skip


@pytest.mark.parametrize("verb", get_args(Verb))
@pytest.mark.parametrize("tier", get_args(Tier))
def test_every_verb_and_tier_is_told(read_tags, verb: str, tier: str) -> None:
    tags = read_tags(Storyteller().told(telling(verb, tier, blocked="It is nailed down.")), NARRATOR_TAGS)
    assert [text for name, _, text in tags if name == "narration" and not text] == []
    assert "{" not in "".join(text for *_, text in tags)


def test_a_clock_that_moves_is_heard(read_tags) -> None:
    moved = (Claim("faction/f", "clock", 2),)
    tags = read_tags(Storyteller().told(telling("wait", "plain", consequences=moved)), NARRATOR_TAGS)
    assert any("the siege" in text for *_, text in tags)


def test_a_place_is_described_and_its_people_named(read_tags) -> None:
    prose = " ".join(text for *_, text in read_tags(Storyteller().told(telling("look", "plain")), NARRATOR_TAGS))
    for named in ("yard between two walls", "Ilse", "the rope", "the Hall lay up the steps"):
        assert named in prose


def test_the_same_turn_over_and_over_is_told_in_other_words(read_tags) -> None:
    used: set[str] = set()
    openings: Counter[str] = Counter()
    for seed in range(60):
        tags = read_tags(Storyteller().told(telling("ask", "success", frozenset(used), seed)), NARRATOR_TAGS)
        lines = [line for _, attrs, _ in tags for line in attrs.get("lines", "").split()]
        assert not used.intersection(lines)
        used.update(lines)
        openings[tags[0][2]] += 1
    assert max(openings.values()) == 1


def test_somebody_down_neither_reacts_nor_speaks(read_tags) -> None:
    fallen = msgspec.structs.replace(
        telling("talk", "plain"), cast=(msgspec.structs.replace(KEEPER, conditions=("down",)),)
    )
    tags = read_tags(Storyteller().told(fallen), NARRATOR_TAGS)
    assert {name for name, *_ in tags} == {"narration"}
