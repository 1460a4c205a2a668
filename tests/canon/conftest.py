"""A small harbour town in canon: three places, two living people, one dead, a lantern, a faction, an axiom."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from talekeeper.app.engine import open_store
from talekeeper.canon.view import CanonView
from talekeeper.testing.house import House
from talekeeper.testing.scribe import Scribe
from talekeeper.timeline.store import Store
from talekeeper.timeline.vocabulary import Claim

T = TypeVar("T")

TOWN = (
    Claim("world", "name", "Saltmarket"),
    Claim("world", "time", 600),
    Claim("world", "axiom", "never person/* at place/tower", slot="tower"),
    Claim("world", "axiom", "Magic has a price.", slot="price"),
    Claim("place/quay", "name", "The Quay"),
    Claim("place/tavern", "name", "The Otter"),
    Claim("place/island", "name", "Gull Island"),
    Claim("place/tower", "name", "The Tower"),
    Claim("place/quay", "exit", "up the steps", slot="place/tavern"),
    Claim("place/tavern", "exit", "down the steps", slot="place/quay"),
    Claim("place/tavern", "exit", "a trapdoor", slot="place/island"),
    Claim("place/tavern", "barred", "nailed shut", slot="place/island"),
    Claim("person/mara", "name", "Mara"),
    Claim("person/mara", "alias", "the harbourmaster", slot="harbourmaster"),
    Claim("person/mara", "at", "place/quay"),
    Claim("person/mara", "goal", "to keep the light burning", slot="light"),
    Claim("person/mara", "secret", "She put the light out.", slot="light-out"),
    Claim("person/tam", "name", "Tam"),
    Claim("person/tam", "at", "place/tavern"),
    Claim("person/tam", "trust", 10, slot="person/mara"),
    Claim("person/old-jory", "name", "Old Jory"),
    Claim("person/old-jory", "status", "dead"),
    Claim("item/lantern", "name", "the lantern"),
    Claim("item/lantern", "at", "person/mara"),
    Claim("faction/guild", "name", "The Guild"),
)


class Town:
    """The town on a store, and a view of it as the tests ask for."""

    def __init__(self, store: Store) -> None:
        self.scribe = Scribe(store, "saltmarket")
        self.founding = self.scribe.decide(*TOWN)

    def see(self, look: Callable[[CanonView], T], timeline: str = "t1", until: int | None = None) -> T:
        past = self.scribe.path(timeline).until(until)
        return self.scribe.read(lambda conn: look(CanonView(conn, past)))


@pytest.fixture
def town(store: Store) -> Town:
    """On both databases."""
    return Town(store)


@pytest.fixture(scope="module")
def lasting_town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """One town for a whole module, on SQLite: for tests that only look."""
    store = open_store(House(tmp_path_factory.mktemp("town")).settings(world=False))
    yield Town(store)
    store.close()
