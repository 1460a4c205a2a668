"""Says what a preset still lacks: too few words, references that lead nowhere, sentences written twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import msgspec

from talekeeper.canon.predicates import RELATIONS
from talekeeper.presets.line import read_line
from talekeeper.presets.preset import ATTITUDES, SENSES, Preset, PresetPerson
from talekeeper.presets.words import PERSON_WORDS, written_lines

LEAST_PLACES, LEAST_PEOPLE, LEAST_FACTIONS, LEAST_THREADS = 6, 5, 2, 3
LEAST_SENSES, LEAST_TOPICS, LEAST_BEATS, LEAST_WORDS_REPEATED = 12, 6, 5, 4

SLOTS = frozenset(
    {"place", "target", "thing", "topic", "deed", "way", "from", "actor", "they", "them", "their", "daypart",
     "hour", "weather", "other", "blocked", "cost"}
)  # fmt: skip
"""What a line may ask the storyteller to fill in."""

ARRIVALS = ("first", "again")
"""Tags of arrival lines: for the first visit, and for coming back."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+")


class Finding(msgspec.Struct, frozen=True):
    file: str
    key: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}: {self.key}: {self.message}"


def check(preset: Preset) -> list[Finding]:
    """Nothing found means: complete."""
    return [
        *_counts(preset),
        *_opening(preset),
        *_places(preset),
        *_people(preset),
        *_secrets(preset),
        *_things(preset),
        *_factions(preset),
        *_threads(preset),
        *_lines(preset),
        *_twice(preset),
    ]


def _counts(preset: Preset) -> Iterator[Finding]:
    met = [person for person in preset.people.values() if not person.absent]
    for name, count, least in (
        ("places", len(preset.places), LEAST_PLACES),
        ("people", len(met), LEAST_PEOPLE),
        ("factions", len(preset.factions), LEAST_FACTIONS),
        ("threads", len(preset.threads), LEAST_THREADS),
    ):
        if count < least:
            yield Finding("preset.toml", name, f"{count} of at least {least}")


def _opening(preset: Preset) -> Iterator[Finding]:
    card = preset.card
    finding = partial(Finding, "preset.toml")
    words = len(card.opening.split())
    if not 120 <= words <= 200:
        yield finding("opening", f"{words} words; 120 to 200 read well")
    if f"place/{card.start.place}" not in preset.places:
        yield finding("start.place", f"there is no place {card.start.place!r}")
    if card.start.weather not in {sky.id for sky in card.weathers}:
        yield finding("start.weather", f"there is no weather {card.start.weather!r}")
    if preset.player in preset.people:
        yield finding("player.id", f"{preset.player} is also one of the people")
    for key in ("lines", "veils", "constraints", "suggestions"):
        if not getattr(card, key):
            yield finding(key, "nothing written")


def _places(preset: Preset) -> Iterator[Finding]:
    for id_, place in preset.places.items():
        finding = _at(preset, id_)
        if len(place.senses) < LEAST_SENSES:
            yield finding("senses", f"{len(place.senses)} sensory lines of at least {LEAST_SENSES}")
        if not place.arrive:
            yield finding("arrive", "nothing written")
        for key, ways in (("exits", place.exits), ("barred", place.barred)):
            for to in ways:
                if f"place/{to}" not in preset.places:
                    yield finding(f"{key}.{to}", f"there is no place {to!r}")
        for to in place.barred:
            if to not in place.exits:
                yield finding(f"barred.{to}", "barred, but no exit leads there")
    reached = _reachable(preset)
    for id_ in preset.places:
        if id_ not in reached:
            yield _at(preset, id_)("exits", "cannot be reached from the start")


def _reachable(preset: Preset) -> set[str]:
    reached: set[str] = set()
    frontier = [f"place/{preset.card.start.place}"]
    while frontier:
        here = frontier.pop()
        if here in reached or here not in preset.places:
            continue
        reached.add(here)
        frontier += [f"place/{to}" for to in preset.places[here].exits]
    return reached


def _people(preset: Preset) -> Iterator[Finding]:
    dayparts = {part.id for part in preset.card.calendar.dayparts}
    for id_, person in preset.people.items():
        finding = _at(preset, id_)
        if person.absent:
            continue
        yield from _person_words(preset, id_, person)
        for daypart, place in person.schedule.items():
            if daypart not in dayparts:
                yield finding(f"schedule.{daypart}", f"there is no daypart {daypart!r}")
            if f"place/{place}" not in preset.places:
                yield finding(f"schedule.{daypart}", f"there is no place {place!r}")
        if f"place/{person.at}" not in preset.places:
            yield finding("at", f"there is no place {person.at!r}")
        for faction in person.member_of:
            if f"faction/{faction}" not in preset.factions:
                yield finding(f"member_of.{faction}", f"there is no faction {faction!r}")
        for other, dimensions in person.regard.items():
            if other != "player" and other not in preset.factions and f"person/{other}" not in preset.people:
                yield finding(f"regard.{other}", f"there is nobody called {other!r}")
            for dimension in dimensions:
                if dimension not in RELATIONS:
                    yield finding(f"regard.{other}.{dimension}", f"one of {', '.join(RELATIONS)}")


def _secrets(preset: Preset) -> Iterator[Finding]:
    holders: dict[str, str] = {}
    for id_, secret in preset.secrets:
        finding = _at(preset, id_)
        if not secret.topics:
            yield finding(f"secrets.{secret.id}", "a secret without topics can never be asked about")
        if id_ in preset.people and not secret.told:
            yield finding(f"secrets.{secret.id}.told", "no line in which it is told")
        if secret.id in holders:
            yield finding(f"secrets.{secret.id}", f"also a secret of {holders[secret.id]}")
        holders[secret.id] = id_
        yield from _references(preset, id_, f"secrets.{secret.id}.topics", secret.topics)


def _person_words(preset: Preset, id_: str, person: PresetPerson) -> Iterator[Finding]:
    finding = _at(preset, id_)
    if len(person.topics) < LEAST_TOPICS:
        yield finding("topics", f"{len(person.topics)} topics of at least {LEAST_TOPICS}")
    for name, topic in person.topics.items():
        if not topic.about:
            yield finding(f"topics.{name}.about", "nothing leads to this topic")
        yield from _references(preset, id_, f"topics.{name}.about", topic.about)
        for attitude in ATTITUDES:
            if not topic.lines(attitude):
                yield finding(f"topics.{name}.{attitude}", "nothing written")
    for key in ("greeting", "talk"):
        for attitude in ATTITUDES:
            if not getattr(person, key).lines(attitude):
                yield finding(f"{key}.{attitude}", "nothing written")
    for key in (*PERSON_WORDS, "goals", "secrets", "schedule", "traits", "regard", "voice", "at"):
        if not getattr(person, key):
            yield finding(key, "nothing written")


def _things(preset: Preset) -> Iterator[Finding]:
    for id_, thing in preset.things.items():
        yield from _references(preset, id_, "at", (thing.at,))
        if not thing.examine:
            yield _at(preset, id_)("examine", "nothing written")


def _factions(preset: Preset) -> Iterator[Finding]:
    for id_, faction in preset.factions.items():
        finding = _at(preset, id_)
        if faction.clock is None:
            yield finding("clock", "nothing written")
            continue
        omens = faction.clock.omens
        for n in range(faction.clock.size):
            if n >= len(omens) or not omens[n]:
                yield finding(f"clock.omens[{n + 1}]", "no omen for this segment")


def _threads(preset: Preset) -> Iterator[Finding]:
    for id_, thread in preset.threads.items():
        finding = _at(preset, id_)
        if len(thread.beats) < LEAST_BEATS:
            yield finding("beats", f"{len(thread.beats)} beats of at least {LEAST_BEATS}")
        if not thread.topics:
            yield finding("topics", "nothing touches this thread")
        if not thread.clock:
            yield finding("clock", "nothing runs against this thread")
        yield from _references(preset, id_, "topics", thread.topics)
        yield from _references(preset, id_, "clock", (thread.clock,) if thread.clock else ())
        for n, beat in enumerate(thread.beats, 1):
            if all(read_line(raw).tags for raw in beat.tell):
                yield finding(f"beats[{n}].tell", "no line that fits anywhere")
            if not beat.leads:
                yield finding(f"beats[{n}].leads", "nothing to act on")


def _lines(preset: Preset) -> Iterator[Finding]:
    card = preset.card
    known = {*SENSES, *ARRIVALS, *(p.id for p in card.calendar.dayparts), *(w.id for w in card.weathers)}
    for written in written_lines(preset):
        line = read_line(written.raw)
        for slot in line.slots:
            if slot not in SLOTS:
                yield Finding(written.file, written.key, f"nothing fills {{{slot}}}")
        for tag in line.tags:
            if tag not in known and not _exists(preset, tag.removeprefix("!")):
                yield Finding(written.file, written.key, f"unknown tag [{tag}]")


def _twice(preset: Preset) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for written in written_lines(preset):
        for sentence in _SENTENCE.split(read_line(written.raw).text):
            words = re.findall(r"[\w{}']+", sentence.lower())
            if len(words) < LEAST_WORDS_REPEATED:
                continue
            place = f"{written.file} {written.key}"
            seen = first.setdefault(" ".join(words), place)
            if seen != place:
                yield Finding(written.file, written.key, f"the sentence {sentence!r} also stands in {seen}")


def _references(preset: Preset, entity: str, key: str, references: tuple[str, ...]) -> Iterator[Finding]:
    for reference in references:
        if "/" in reference and not _exists(preset, reference):
            yield _at(preset, entity)(key, f"there is no {reference!r}")


def _exists(preset: Preset, entity: str) -> bool:
    return entity == preset.player or entity in preset.files


def _at(preset: Preset, entity: str) -> partial[Finding]:
    slug = entity.partition("/")[2]
    file = preset.files[entity]

    def finding(key: str, message: str) -> Finding:
        # A file of its own needs no slug before its keys.
        return Finding(file, key if file.endswith(f"/{slug}.toml") else f"{slug}.{key}", message)

    return partial(finding)
