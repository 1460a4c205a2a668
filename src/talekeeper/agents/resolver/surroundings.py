"""Looks things up in a situation by id: who is here, who holds what, which way leads where."""

from __future__ import annotations

from talekeeper.agents.situation import Exit, Person, Situation, Thing
from talekeeper.rules.pack import Pack

_CLOSED = ("locked", "sealed", "stuck", "barred", "bolted", "chained", "nailed", "jammed", "padlocked")


class Surroundings:
    def __init__(self, pack: Pack, situation: Situation) -> None:
        self._pack = pack
        self.situation = situation
        self.actor = situation.actor
        self.persons = {person.id: person for person in situation.present}
        self.exits = {way.to: way for way in situation.place.exits}
        self.lying = {thing.id: thing for thing in situation.place.things}
        self.carried = {thing.id: thing for thing in situation.actor.holds}
        self.held = {thing.id: (person, thing) for person in situation.present for thing in person.holds}

    def person(self, targets: tuple[str, ...]) -> Person | None:
        return next((self.persons[target] for target in targets if target in self.persons), None)

    def thing(self, entity: str) -> Thing | None:
        """A thing within reach, whoever has it."""
        if entity in self.held:
            return self.held[entity][1]
        return self.lying.get(entity) or self.carried.get(entity)

    def way(self, targets: tuple[str, ...]) -> Exit | None:
        return next((self.exits[target] for target in targets if target in self.exits), None)

    def closed(self, targets: tuple[str, ...]) -> Thing | None:
        """The first thing among them that will not simply open."""
        things = (self.thing(target) for target in targets)
        return next((thing for thing in things if thing is not None and any(w in thing.state for w in _CLOSED)), None)

    def holder(self, entity: str) -> Person | None:
        return self.held[entity][0] if entity in self.held else None

    def down(self, person: Person) -> bool:
        """Dead, or too hurt to act."""
        return (
            person.status == "dead" or person.harm >= self._pack.harm.limit or self._pack.harm.down in person.conditions
        )

    def watchers(self) -> list[Person]:
        """Those who look on and wish the actor ill."""
        return [
            p for p in self.situation.present if p.attitude == "hostile" and p.status != "dead" and not self.down(p)
        ]

    def name(self, entity: str) -> str:
        if entity in self.persons:
            return self.persons[entity].name
        if entity in self.exits:
            return self.exits[entity].name
        thing = self.thing(entity)
        if thing is not None:
            return thing.name
        if entity == self.actor.id:
            return self.actor.name
        if entity == self.situation.place.id:
            return self.situation.place.name
        known = next((known.name for known in self.situation.elsewhere if known.id == entity), "")
        return known or entity.partition("/")[2].replace("-", " ")
