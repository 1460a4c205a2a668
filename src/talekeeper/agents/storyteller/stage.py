"""One turn laid out for telling: who and what it concerns, the slots that can be filled, the picker."""

from __future__ import annotations

from functools import cached_property

from talekeeper.agents.situation import Person, Thing
from talekeeper.agents.storyteller.book import Book
from talekeeper.agents.storyteller.naming import PRONOUNS, full_stop, in_prose, sentence_case, thing_in_prose
from talekeeper.agents.storyteller.picker import Picker, render
from talekeeper.agents.storyteller.players_words import as_topic, deed, said_topic
from talekeeper.agents.storyteller.tense import in_past
from talekeeper.agents.teller import Telling
from talekeeper.presets.calendar import hour_name
from talekeeper.presets.line import read_lines
from talekeeper.presets.preset import Words
from talekeeper.timeline.vocabulary import Claim

SPEECH = frozenset({"talk", "ask", "persuade", "threaten", "deceive", "give"})
"""What is done to a person who will want to answer."""

GOOD = frozenset({"plain", "triumph", "success", "cost"})


class Stage:
    def __init__(self, telling: Telling, book: Book) -> None:
        self.telling = telling
        self.book = book
        self.outcome = telling.outcome
        self.verb = telling.outcome.verb
        self.tier = telling.outcome.tier
        self.good = self.tier in GOOD
        here = {telling.weather, book.daypart(telling.now).id, telling.place.id}
        here.update(person.id for person in telling.cast)
        here.update(thing.id for thing in (*telling.place.things, *telling.actor.holds))
        here.update(telling.outcome.targets)
        self.picker = Picker(telling.seed, telling.used, frozenset(here), book.conditions)

    @cached_property
    def present(self) -> tuple[Person, ...]:
        """Those who can react: the dead and the downed do not."""
        return tuple(
            person for person in self.telling.cast if person.status != "dead" and "down" not in person.conditions
        )

    @cached_property
    def person(self) -> Person | None:
        """The person it was done to."""
        return next((p for id_ in self.outcome.targets for p in self.telling.cast if p.id == id_), None)

    @cached_property
    def thing(self) -> Thing | None:
        """The thing it was done with or to."""
        within_reach = [*self.telling.place.things, *self.telling.actor.holds]
        within_reach += [thing for person in self.telling.cast for thing in person.holds]
        moved = [claim.subj for claim in self.claims("at")]
        wanted = (*self.outcome.targets, self.outcome.topic, *moved)
        return next((thing for id_ in wanted for thing in within_reach if thing.id == id_), None)

    @property
    def answers(self) -> Person | None:
        """The person who will be cued to answer this very action."""
        if self.verb not in SPEECH or self.tier == "blocked" or self.person not in self.present:
            return None
        return self.person

    @cached_property
    def slots(self) -> dict[str, str]:
        telling = self.telling
        slots = {
            "place": in_prose(telling.place.name),
            "actor": self.name(telling.actor),
            "daypart": self.book.daypart(telling.now).name,
            "hour": hour_name(telling.now),
            "weather": self.book.weather_name(telling.weather),
            "deed": deed(telling.action),
            "topic": self.topic_name,
            "blocked": full_stop(sentence_case(in_past(telling.outcome.blocked))),
        }
        if telling.arrived_from is not None:
            slots["from"] = in_prose(telling.arrived_from.name)
            ways = [way.way for way in telling.arrived_from.exits if way.to == telling.place.id]
            slots["way"] = ways[0] if ways else ""
        if self.person is not None:
            slots |= {"target": self.name(self.person), **self.pronouns(self.person)}
        if self.thing is not None:
            slots["thing"] = thing_in_prose(self.thing.name)
        others = [person for person in self.present if person is not self.person]
        if others:
            slots["other"] = self.name(others[telling.seed % len(others)])
        return slots

    @cached_property
    def topic_name(self) -> str:
        """In the player's own words where they can be had, else by name."""
        topic = self.outcome.topic
        if not topic or (own := said_topic(self.telling.action)):
            return own if topic else ""
        if topic == self.telling.actor.id:
            return "yourself"
        for person in self.telling.cast:
            if person.id == topic:
                return self.name(person)
        for thing in (*self.telling.place.things, *self.telling.actor.holds):
            if thing.id == topic:
                return thing_in_prose(thing.name)
        for thread in self.telling.threads:
            if thread.id == topic:
                return in_prose(thread.name)
        if known := self.book.name(topic):
            return known
        words = as_topic(topic.rpartition("/")[2] if "/" in topic and " " not in topic else topic)
        return words if len(words) <= 80 else ""

    def name(self, person: Person) -> str:
        known = self.book.person(person.id)
        if known is not None and known.short:
            return known.short
        return next((alias for alias in person.aliases if alias in person.name.split()), person.name)

    def pronouns(self, person: Person) -> dict[str, str]:
        known = self.book.person(person.id)
        return PRONOUNS[known.pronouns] if known else PRONOUNS["they"]

    def fitting(self, words: Words) -> list[str]:
        """The texts whose slots can be filled this turn."""
        return [line.text for line in read_lines(words) if all(map(self.slots.get, line.slots))]

    def fill(self, template: str) -> str:
        return render(template, self.slots)

    def frame(self, name: str, **more: str) -> str:
        """A sentence around a fact, not in words already told; empty when there is none left."""
        return self.once_of(self.book.bank.frames[name], **more)

    def once_of(self, words: Words, **more: str) -> str:
        """Such a line may come again about something else, so what counts as told is the finished sentence."""
        slots = {**self.slots, **more}
        lines = [line for line in read_lines(words) if all(map(slots.get, line.slots))]
        self.picker.rng.shuffle(lines)
        return next((text for line in lines if (text := self.picker.once(render(line.text, slots)))), "")

    def claims(self, pred: str) -> list[Claim]:
        return [claim for claim in self.outcome.consequences if claim.pred == pred and not claim.retract]
