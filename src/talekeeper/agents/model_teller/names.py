"""What a teller calls the ids of a turn: the names of everyone and everything in sight of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from talekeeper.agents.situation import Person, Place, Thing
from talekeeper.agents.teller import Telling, Voicing
from talekeeper.timeline.ids import is_entity

Names = Mapping[str, str]


def names_in_telling(telling: Telling) -> Names:
    places = [telling.place, *([telling.arrived_from] if telling.arrived_from else [])]
    names = {place.id: place.name for place in places}
    names |= {way.to: way.name for place in places for way in place.exits}
    names |= _names(thing for place in places for thing in place.things)
    for person in (telling.actor, *telling.cast):
        names |= {person.id: person.name, **_names(person.holds)}
    names |= {thread.id: thread.name for thread in telling.threads}
    return names


def names_in_voicing(voicing: Voicing) -> Names:
    people = (voicing.speaker, voicing.to)
    return {person.id: person.name for person in people} | _names(t for person in people for t in person.holds)


def called(names: Names, id_: str) -> str:
    """The name, or the id's own words when it is out of sight, or the text itself when it is no id."""
    if id_ in names or not is_entity(id_):
        return names.get(id_, id_)
    return id_.partition("/")[2].replace("-", " ")


def _names(things: Iterable[Thing]) -> dict[str, str]:
    return {thing.id: thing.name for thing in things}


def seen(person: Person, towards: str) -> str:
    """Somebody at a glance, with the id by which they are cued."""
    marks = [mark for mark in (person.role, person.look, f"seems {person.mood}" if person.mood else "") if mark]
    state = [] if person.status == "alive" else [person.status]
    about = "; ".join([*marks, *state, *person.conditions])
    return f"{person.name} ({person.id}): {about}. Towards {towards}: {person.attitude}."


def surveyed(place: Place) -> list[str]:
    """A place at a glance: what it is, the ways out, what lies there."""
    ways = "; ".join(f"{way.name}, {way.way}{f' (barred: {way.barred})' if way.barred else ''}" for way in place.exits)
    lies = "; ".join(f"{thing.name}{f' ({thing.state})' if thing.state else ''}" for thing in place.things)
    return [
        f"{place.name}. {place.about}".strip(),
        f"Ways: {ways}." if ways else "There is no way out in sight.",
        f"There: {lies}." if lies else "",
    ]
