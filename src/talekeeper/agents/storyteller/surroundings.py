"""Where the turn happens: what is felt, who is there, what stands about, which ways lead on."""

from __future__ import annotations

from talekeeper.agents.storyteller.naming import in_prose, listed, thing_in_prose
from talekeeper.agents.storyteller.stage import Stage

MOST_SEEN = 2


def feel(stage: Stage) -> str:
    """One thing seen, heard, smelt or felt here, now, in this weather."""
    telling = stage.telling
    place = stage.book.place(telling.place.id)
    own = place.senses if place else ()
    sky = () if place and place.indoors else stage.book.weather_lines(telling.weather)
    pools = (sky, own) if stage.picker.chance(0.15) else (own, sky)
    return stage.picker.pick_first((*pools, stage.book.bank.senses), stage.slots)


def people(stage: Stage) -> list[str]:
    """The first few each at what they are doing, the rest by name."""
    told = []
    for person in stage.present[:MOST_SEEN]:
        known = stage.book.person(person.id)
        doing = stage.picker.pick(known.idle, stage.slots) if known else ""
        told.append(doing or stage.frame("person_here", who=stage.name(person)))
    rest = [stage.name(person) for person in stage.present[MOST_SEEN:]]
    if rest:
        told.append(stage.frame("people_here" if len(rest) > 1 else "person_here", who=listed(rest)))
    return told or [stage.frame("nobody_here")]


def things(stage: Stage) -> str:
    names = [thing_in_prose(thing.name) for thing in stage.telling.place.things]
    return stage.frame("things_here", things=listed(names)) if names else ""


def exits(stage: Stage) -> str:
    ways = [f"{in_prose(way.name)} lay {way.way}" for way in stage.telling.place.exits]
    return stage.frame("exits", ways=listed(ways)) if ways else ""
