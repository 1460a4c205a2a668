"""Turns a preset into claims for the universal updater: first everyone and everything, then what ties them together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from talekeeper.presets.preset import Preset, PresetSecret
from talekeeper.timeline.ids import WORLD_ENTITY, slugify
from talekeeper.timeline.vocabulary import Claim

Reasoned = tuple[str, tuple[Claim, ...]]


def world_claims(preset: Preset) -> list[Reasoned]:
    """A reason per entity and its claims, in an order in which each names only what was already named."""
    named = [_world(preset), _player(preset)]
    named += [_place(preset, place) for place in preset.places]
    named += [_faction(preset, faction) for faction in preset.factions]
    named += [_person(preset, person) for person in preset.people]
    named += [_thing(preset, thing) for thing in preset.things]
    named += [_thread(preset, thread) for thread in preset.threads]
    tied = [_ways(preset, place) for place in preset.places]
    tied.append(("where the story begins", (Claim(preset.player, "at", f"place/{preset.card.start.place}"),)))
    tied += [_ties(preset, person) for person, who in preset.people.items() if not who.absent]
    tied += [
        (f"how {who.name} stands", tuple(_regard(preset, faction, who.regard)))
        for faction, who in preset.factions.items()
        if who.regard
    ]
    tied += [(f"where {thing.name} is", (Claim(id_, "at", thing.at),)) for id_, thing in preset.things.items()]
    return named + [reasoned for reasoned in tied if reasoned[1]]


def _world(preset: Preset) -> Reasoned:
    card = preset.card
    axioms = tuple(Claim(WORLD_ENTITY, "axiom", text, slot=f"axiom-{n}") for n, text in enumerate(card.constraints, 1))
    return f"the world of {card.title}", (
        Claim(WORLD_ENTITY, "name", card.title),
        Claim(WORLD_ENTITY, "about", card.tagline),
        Claim(WORLD_ENTITY, "time", card.start.at),
        Claim(WORLD_ENTITY, "weather", card.start.weather),
        *axioms,
    )


def _player(preset: Preset) -> Reasoned:
    who = preset.card.player
    subj = preset.player
    return f"the player's character, {who.name}", (
        Claim(subj, "name", who.name),
        *_aliases(subj, (who.short, *who.aliases), who.name),
        *_texts(subj, role=who.role, look=who.look, about=who.about),
        *(Claim(subj, "trait", trait, slot=slugify(trait)) for trait in who.traits),
        *(Claim(subj, "goal", goal, slot=f"goal-{n}") for n, goal in enumerate(who.goals, 1)),
        *(Claim(subj, "stat", value, slot=stat) for stat, value in who.stats.items()),
    )


def _place(preset: Preset, subj: str) -> Reasoned:
    place = preset.places[subj]
    return f"the place {place.name}", (
        Claim(subj, "name", place.name),
        *_aliases(subj, place.aliases, place.name),
        *_texts(subj, about=place.about, look=place.look),
        *_secrets(subj, place.secrets),
    )


def _faction(preset: Preset, subj: str) -> Reasoned:
    faction = preset.factions[subj]
    clock = faction.clock
    return f"the faction {faction.name}", (
        Claim(subj, "name", faction.name),
        *_aliases(subj, faction.aliases, faction.name),
        *_texts(subj, about=faction.about),
        *(Claim(subj, "goal", goal, slot=f"goal-{n}") for n, goal in enumerate(faction.goals, 1)),
        *(
            (
                Claim(subj, "clock_name", clock.name),
                Claim(subj, "clock_size", clock.size),
                Claim(subj, "clock", clock.filled),
            )
            if clock
            else ()
        ),
    )


def _person(preset: Preset, subj: str) -> Reasoned:
    who = preset.people[subj]
    return f"{who.name}, {who.role}", (
        Claim(subj, "name", who.name),
        *_aliases(subj, (who.short, *who.aliases), who.name),
        *_texts(subj, role=who.role, look=who.look, about=who.about, voice=who.voice, mood=who.mood, status=who.status),
        *(Claim(subj, "trait", trait, slot=slugify(trait)) for trait in who.traits),
        *(Claim(subj, "goal", goal, slot=f"goal-{n}") for n, goal in enumerate(who.goals, 1)),
        *(Claim(subj, "stat", value, slot=stat) for stat, value in who.stats.items()),
        *_secrets(subj, who.secrets),
    )


def _secrets(subj: str, secrets: Iterable[PresetSecret]) -> Iterable[Claim]:
    for secret in secrets:
        yield Claim(subj, "secret", secret.text, slot=secret.id)
        # One fact per topic: the slot is the secret's id and the topic, so that none replaces another.
        for topic in secret.topics:
            yield Claim(subj, "secret_topic", topic, slot=f"{secret.id}#{topic}")


def _thing(preset: Preset, subj: str) -> Reasoned:
    thing = preset.things[subj]
    return f"the thing {thing.name}", (
        Claim(subj, "name", thing.name),
        *_aliases(subj, thing.aliases, thing.name),
        *_texts(subj, look=thing.look, about=thing.about, state=thing.state),
        *((Claim(subj, "fixed", True),) if thing.fixed else ()),
        *_secrets(subj, thing.secrets),
    )


def _thread(preset: Preset, subj: str) -> Reasoned:
    thread = preset.threads[subj]
    return f"the matter of {thread.name}", (
        Claim(subj, "name", thread.name),
        *_aliases(subj, thread.aliases, thread.name),
        *_texts(subj, about=thread.about),
        Claim(subj, "thread", "open"),
        Claim(subj, "thread_beat", 0),
        *((Claim(subj, "thread_size", len(thread.beats)),) if thread.beats else ()),
        *(Claim(subj, "thread_topic", topic, slot=topic) for topic in thread.topics),
        *((Claim(subj, "thread_clock", thread.clock),) if thread.clock else ()),
    )


def _ways(preset: Preset, subj: str) -> Reasoned:
    place = preset.places[subj]
    return f"the ways out of {place.name}", (
        *(Claim(subj, "exit", way, slot=f"place/{to}") for to, way in place.exits.items()),
        *(Claim(subj, "barred", why, slot=f"place/{to}") for to, why in place.barred.items()),
    )


def _ties(preset: Preset, subj: str) -> Reasoned:
    who = preset.people[subj]
    return f"{who.name}'s days and ties", (
        *((Claim(subj, "at", f"place/{who.at}"),) if who.at else ()),
        *(Claim(subj, "schedule", f"place/{place}", slot=daypart) for daypart, place in who.schedule.items()),
        *(Claim(subj, "member_of", rank, slot=f"faction/{faction}") for faction, rank in who.member_of.items()),
        *_regard(preset, subj, who.regard),
    )


def _regard(preset: Preset, subj: str, regard: Mapping[str, Mapping[str, int]]) -> Iterable[Claim]:
    for other, dimensions in regard.items():
        towards = preset.player if other == "player" else other if "/" in other else f"person/{other}"
        for dimension, value in dimensions.items():
            yield Claim(subj, dimension, value, slot=towards)


def _aliases(subj: str, aliases: Iterable[str], name: str) -> Iterable[Claim]:
    for alias in dict.fromkeys(aliases):
        if alias and alias != name:
            yield Claim(subj, "alias", alias, slot=slugify(alias))


def _texts(subj: str, **texts: str) -> Iterable[Claim]:
    for pred, text in texts.items():
        if text:
            yield Claim(subj, pred, text)
