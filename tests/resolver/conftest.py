"""A foggy quay with two people on it: the situation every test of the resolver stands in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import settings

from talekeeper.agents.situation import (
    ClockFace,
    Exit,
    Known,
    Person,
    Place,
    Secret,
    Situation,
    Thing,
    Thread,
)
from talekeeper.rules import Pack, load_pack

# A slow machine is not a fault in the code.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

Stand = Callable[..., Situation]


@pytest.fixture(scope="session")
def pack() -> Pack:
    return load_pack("simple-d20")


@pytest.fixture(scope="session")
def quay() -> Situation:
    mara = Person(
        "person/mara",
        "Mara Venn",
        ("Mara",),
        role="harbourmaster of Saltmarket",
        look="a tall woman, her hair in a grey braid",
        regard={"trust": 20, "affection": 15},
        holds=(Thing("item/ledger", "salt-stained ledger", ("ledger",)),),
    )
    tobin = Person("person/tobin", "Tobin", ("the boy",), role="lamplighter", look="a boy with soot on his face")
    return Situation(
        world="saltmarket",
        title="Saltmarket",
        preset="",
        rules="simple-d20",
        timeline="t1",
        head=30,
        scene="t1/s1",
        turn="t1#4",
        turn_number=4,
        seed=99,
        now=600,
        weather="fog",
        actor=Person(
            "person/kael",
            "Kael",
            holds=(
                Thing("item/knife", "bone knife", ("knife",)),
                Thing("item/letter", "sealed letter", ("letter",)),
                Thing("item/key", "iron key", ("key",)),
            ),
        ),
        stats={"might": 1, "grace": 2, "wits": 0, "heart": 2},
        place=Place(
            "place/quay",
            "The Quay",
            "Wet stones, a row of iron lamps, a window full of nets.",
            exits=(
                Exit("place/harbour", "The Harbour", "down the weed-green steps"),
                Exit("place/market", "Salt Market", "north through the arch"),
                Exit("place/tower", "Lamp Tower", "up the spiral stair", "the door is chained"),
            ),
            things=(
                Thing("item/lantern", "brass lantern", ("lamp",)),
                Thing("item/chest", "iron-bound chest", state="locked"),
                Thing("item/bollard", "stone bollard", fixed=True),
                Thing("item/bell", "fog bell", fixed=True),
            ),
        ),
        present=(mara, tobin),
        elsewhere=(
            Known("person/orsa", "Orsa Quill", ("Orsa",)),
            Known("place/harbour", "The Harbour", ("docks", "harbor")),
            Known("place/abbey", "Drowned Abbey", ("abbey",)),
            Known("item/crown", "tide crown", ("crown",)),
            Known("faction/tide", "The Tide Court"),
        ),
        threads=(
            Thread(
                "concept/dead-lamps", "the dead lamps", topics=("lamps", "oil", "item/lantern"), clock="faction/tide"
            ),
            Thread("concept/drowned-bell", "the drowned bell", topics=("item/bell", "drowned"), beat=2, idle_turns=1),
        ),
        clocks=(ClockFace("faction/tide", "The Tide", 2, 6),),
        secrets=(
            Secret("mara-oil", "person/mara", "Mara waters the lamp oil.", ("oil", "lamps")),
            Secret("chest-map", "item/chest", "A map lies under the false bottom.", ("map",)),
            Secret("quay-blood", "place/quay", "There is blood between the stones.", ()),
        ),
    )


@pytest.fixture
def stand(quay: Situation) -> Stand:
    """The quay with some of it changed: stand(now=0, present=())."""

    def changed(**fields: Any) -> Situation:
        return msgspec.structs.replace(quay, **fields)

    return changed
