"""A small turn made by hand, to be shown to a model in many variations."""

from __future__ import annotations

import msgspec
import pytest

from talekeeper.agents.context import Section
from talekeeper.agents.situation import ClockFace, Exit, Person, Place, Thing, Thread
from talekeeper.agents.teller import Telling, Voicing
from talekeeper.presets.preset import Calendar, Daypart, Player, PresetCard, Start, Weather
from talekeeper.timeline.vocabulary import OutcomeResolved

KEY = Thing("item/key", "iron key", look="long as a hand", state="rusted")
ILSE = Person("person/ilse", "Ilse Marr", role="pilot", look="salt-grey, one glove", holds=(KEY,))
TOBIN = Person(
    "person/tobin", "Tobin Ash", ("the keeper",), "keeper of the light", "tall, in a wet coat", "slowly, to his boots",
    "wary", regard={"trust": -40},
)  # fmt: skip
LAMP = Thing("item/lamp", "great lamp", state="unlit")
TOWER = Place(
    "place/tower", "The Tower", "A lighthouse on a rock.", (Exit("place/pier", "The Pier", "down the stair"),), (LAMP,)
)
PIER = Place("place/pier", "The Pier", "Planks over grey water.", (Exit("place/tower", "The Tower", "up the stair"),))


@pytest.fixture
def card() -> PresetCard:
    return PresetCard(
        id="rock", title="The Rock", tagline="A light that will not burn.", tone="Spare and cold.", opening="It began.",
        start=Start("tower", 480, "fog"), player=Player("ilse", "Ilse Marr"),
        calendar=Calendar((Daypart("morning", "morning", 6), Daypart("night", "night", 20)), ("Firstday", "Lastday")),
        weathers=(Weather("fog", "fog on the water"),),
        lines=("No harm to animals.",), veils=("Drowning.",),
    )  # fmt: skip


@pytest.fixture
def telling() -> Telling:
    return Telling(
        world="rock", title="The Rock", preset="rock", tone="Spare and cold.", turn_number=4, now=485, weather="fog",
        premise=("The Rock. A light that will not burn.", "- The dead stay dead."),
        place=TOWER, actor=ILSE, cast=(TOBIN,), action="look at the lamp",
        outcome=OutcomeResolved(actor=ILSE.id, verb="look", tier="plain", targets=(LAMP.id,)),
        threads=(Thread("concept/light", "the dead light", "Why does it not burn?"),),
        clocks=(ClockFace("concept/storm", "The storm", 2, 6),),
        context=(
            Section("World", ("The Rock. A light that will not burn.", "- The dead stay dead.")),
            Section("Player character", ("- Ilse Marr (person/ilse): pilot",)),
            Section("Place", ("The Tower. A lighthouse on a rock.", "- great lamp (unlit)")),
            Section("Present", ("- Tobin Ash (person/tobin): keeper of the light. Towards Ilse Marr: hostile.",)),
            Section("Directives", ("- Slow the pace.",)),
            Section("Recent turns", ("> climb the stair\nThe stair went on longer than the tower did.",)),
        ),
        recent=("> climb the stair\nThe stair went on longer than the tower did.",), directives=("- Slow the pace.",),
        seed=1,
    )  # fmt: skip


@pytest.fixture
def voicing() -> Voicing:
    return Voicing(
        world="rock", title="The Rock", preset="rock", tone="Spare and cold.", now=485, weather="fog",
        premise=("The Rock. A light that will not burn.", "- The dead stay dead."),
        place="The Tower", speaker=TOBIN, goals=("to keep the lamp dark",), traits=("stubborn",), to=ILSE,
        about="item/lamp", action="ask Tobin about the lamp",
        outcome=OutcomeResolved(
            actor=ILSE.id, verb="ask", tier="failure", targets=(TOBIN.id,), topic="item/lamp"
        ),
        knows=("Tobin Ash is keeper of the light", "great lamp is unlit"),
        remembers=("Ilse Marr: Is anybody there?",), told_so_far="She asked it of the back of his coat.",
        directives=("- Slow the pace.",), seed=1,
    )  # fmt: skip


@pytest.fixture
def moved(telling: Telling) -> Telling:
    return msgspec.structs.replace(telling, place=PIER, arrived_from=TOWER, cast=())
