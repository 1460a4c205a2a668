"""The words of one world: its preset's first, the generic bank's after them."""

from __future__ import annotations

from functools import cached_property

from talekeeper.agents.storyteller.bank import Bank, load_bank
from talekeeper.agents.storyteller.naming import in_prose, thing_in_prose
from talekeeper.presets.calendar import PLAIN_CALENDAR, daypart_at
from talekeeper.presets.preset import (
    Calendar,
    Daypart,
    Preset,
    PresetFaction,
    PresetPerson,
    PresetPlace,
    PresetSecret,
    PresetThing,
    PresetThread,
    Topic,
    Words,
)
from talekeeper.timeline.vocabulary import Tier, Verb

_NEAR: dict[Tier, tuple[Tier, ...]] = {
    "plain": ("plain", "success"),
    "triumph": ("triumph", "success", "plain"),
    "success": ("success", "plain"),
    "cost": ("cost", "success"),
    "failure": ("failure",),
    "disaster": ("disaster", "failure"),
    "blocked": ("blocked",),
}
"""Which tiers' lines may stand in for one that is not written; a good end never for a bad one."""


class Book:
    def __init__(self, preset: Preset | None) -> None:
        self.preset = preset
        self.bank: Bank = load_bank()

    @property
    def calendar(self) -> Calendar:
        return self.preset.card.calendar if self.preset else PLAIN_CALENDAR

    @cached_property
    def conditions(self) -> tuple[frozenset[str], ...]:
        weathers = frozenset(sky.id for sky in self.preset.card.weathers) if self.preset else frozenset()
        return frozenset(part.id for part in self.calendar.dayparts), weathers

    def daypart(self, now: int) -> Daypart:
        return daypart_at(self.calendar, now)

    def weather_name(self, weather: str) -> str:
        skies = self.preset.card.weathers if self.preset else ()
        return next((sky.name for sky in skies if sky.id == weather), weather)

    def weather_lines(self, weather: str) -> Words:
        skies = self.preset.card.weathers if self.preset else ()
        return next((sky.lines for sky in skies if sky.id == weather), ())

    def person(self, id_: str) -> PresetPerson | None:
        return self.preset.people.get(id_) if self.preset else None

    def place(self, id_: str) -> PresetPlace | None:
        return self.preset.places.get(id_) if self.preset else None

    def place_id(self, name: str) -> str:
        places = self.preset.places if self.preset else {}
        return next((id_ for id_, place in places.items() if name in (id_, place.name)), "")

    def thing(self, id_: str) -> PresetThing | None:
        return self.preset.things.get(id_) if self.preset else None

    def thread(self, id_: str) -> PresetThread | None:
        return self.preset.threads.get(id_) if self.preset else None

    def faction(self, id_: str) -> PresetFaction | None:
        return self.preset.factions.get(id_) if self.preset else None

    def name(self, id_: str) -> str:
        """How an entity of the preset is called in prose; empty when it is unknown."""
        if person := self.person(id_):
            return person.called or person.short or person.name
        if thing := self.thing(id_):
            return thing_in_prose(thing.name)
        found = self.place(id_) or self.thread(id_) or self.faction(id_)
        return in_prose(found.name) if found else ""

    def told(self, verb: Verb, tier: Tier) -> tuple[Words, ...]:
        """Pools of narration lines, the likeliest first."""
        sources = (self.preset.verbs, self.bank.verbs) if self.preset else (self.bank.verbs,)
        return tuple(
            words for near in _NEAR[tier] for verbs in sources if (words := verbs.get(verb, {}).get(near)) is not None
        )

    def secret(self, text: str) -> PresetSecret | None:
        return self._secrets.get(text)

    def topic(self, speaker: str, about: str) -> Topic | None:
        """The speaker's topic that `about` leads to: by id, else by the most of its words."""
        person = self.person(speaker)
        if person is None or not about:
            return None
        words = set(about.lower().replace("/", " ").split())
        best: Topic | None = None
        most = 0
        for topic in person.topics.values():
            if about in topic.about:
                return topic
            hits = sum(_meets(cue, words) for cue in topic.about)
            if hits > most:
                best, most = topic, hits
        return best

    @cached_property
    def _secrets(self) -> dict[str, PresetSecret]:
        return {secret.text: secret for _, secret in self.preset.secrets} if self.preset else {}


def _meets(cue: str, words: set[str]) -> bool:
    return "/" not in cue and all(word in words for word in cue.lower().split())
