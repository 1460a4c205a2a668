"""Every written line of a preset, with the file and key it stands under."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from talekeeper.presets.preset import ATTITUDES, ByAttitude, Preset, PresetPerson, Words


class Written(NamedTuple):
    file: str
    key: str
    raw: str


def written_lines(preset: Preset) -> Iterator[Written]:
    for entity, key, words in _groups(preset):
        for n, raw in enumerate(words):
            yield Written(preset.files.get(entity, entity), f"{key}[{n}]", raw)


def _groups(preset: Preset) -> Iterator[tuple[str, str, Words]]:
    for part in preset.card.calendar.dayparts:
        yield "preset.toml", f"calendar.dayparts.{part.id}.lines", part.lines
    for sky in preset.card.weathers:
        yield "preset.toml", f"weathers.{sky.id}.lines", sky.lines
    for id_, place in preset.places.items():
        for field in ("arrive", "senses", "leads"):
            yield id_, f"{_slug(id_)}.{field}", getattr(place, field)
    for id_, person in preset.people.items():
        yield from ((id_, key, words) for key, words in _person(person))
    for id_, thing in preset.things.items():
        for field in ("examine", "use", "leads"):
            yield id_, f"{_slug(id_)}.{field}", getattr(thing, field)
    for id_, faction in preset.factions.items():
        for n, omens in enumerate(faction.clock.omens if faction.clock else (), 1):
            yield id_, f"{_slug(id_)}.clock.omens[{n}]", omens
    for id_, thread in preset.threads.items():
        yield id_, f"{_slug(id_)}.leads", thread.leads
        for n, beat in enumerate(thread.beats, 1):
            yield id_, f"{_slug(id_)}.beats[{n}].tell", beat.tell
            yield id_, f"{_slug(id_)}.beats[{n}].leads", beat.leads
    for id_, secret in preset.secrets:
        yield id_, f"secrets.{secret.id}.told", secret.told
        yield id_, f"secrets.{secret.id}.shown", secret.shown
    for verb, tiers in preset.verbs.items():
        for tier, words in tiers.items():
            yield f"verbs/{verb}", f"{verb}.{tier}", words


PERSON_WORDS = (
    "farewell", "refusal", "deflection", "fear", "thanks", "agree", "caught", "wants", "idle", "pleased", "sour",
)  # fmt: skip


def _person(person: PresetPerson) -> Iterator[tuple[str, Words]]:
    yield from _by_attitude("greeting", person.greeting)
    yield from _by_attitude("talk", person.talk)
    for field in PERSON_WORDS:
        yield field, getattr(person, field)
    for name, topic in person.topics.items():
        yield from _by_attitude(f"topics.{name}", topic)


def _by_attitude(key: str, words: ByAttitude) -> Iterator[tuple[str, Words]]:
    for attitude in ATTITUDES:
        yield f"{key}.{attitude}", words.lines(attitude)


def _slug(entity: str) -> str:
    return entity.partition("/")[2]
