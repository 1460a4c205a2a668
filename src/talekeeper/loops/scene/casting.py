"""Who a tag means: tellers name people by id, and small models by whatever they were called last."""

from __future__ import annotations

from collections.abc import Iterable

from talekeeper.agents.situation import Person


class Cast:
    """Those present, and the player's character apart from them."""

    def __init__(self, actor: Person, present: Iterable[Person]) -> None:
        self.actor = actor.id
        self._called = dict.fromkeys(_names(actor), actor.id)
        for person in present:
            self._called.update((name, person.id) for name in _names(person) if name not in self._called)

    def find(self, who: str) -> str:
        """The id of somebody here, the player's character included; empty for nobody."""
        return self._called.get(" ".join(who.split()).casefold(), "")

    def present(self, who: str) -> str:
        """The id of somebody here other than the player's character."""
        found = self.find(who)
        return "" if found == self.actor else found


def _names(person: Person) -> Iterable[str]:
    first = person.name.split()[:1]
    return (
        name.casefold()
        for name in (person.id, person.id.partition("/")[2], person.name, *first, *person.aliases)
        if name
    )
