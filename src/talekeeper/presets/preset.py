"""A story template as it is written down: the world's people, places and things, and the words to tell them with."""

from __future__ import annotations

from typing import Literal

import msgspec

from talekeeper.timeline.vocabulary import Tier, Verb

Words = tuple[str, ...]
"""Lines as written, tags in brackets first (see `presets.line`)."""

Attitude = Literal["warm", "guarded", "hostile"]
ATTITUDES: tuple[Attitude, ...] = ("warm", "guarded", "hostile")
SENSES = ("sight", "sound", "smell", "touch", "taste")


class _Written(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of everything read from TOML: a misspelt key is an error, not a silence."""


class ByAttitude(_Written, frozen=True):
    warm: Words = ()
    guarded: Words = ()
    hostile: Words = ()

    def lines(self, attitude: str) -> Words:
        return {"warm": self.warm, "hostile": self.hostile}.get(attitude, self.guarded)


class Daypart(_Written, frozen=True):
    id: str
    name: str
    starts: int
    """The hour it begins."""
    lines: Words = ()
    """Said when this part of the day begins."""


class Calendar(_Written, frozen=True):
    dayparts: tuple[Daypart, ...]
    weekdays: tuple[str, ...]
    month: str = ""
    first_day: int = 1
    """The day of the month on which the story's first midnight falls."""


class Weather(_Written, frozen=True):
    id: str
    name: str
    weight: int = 1
    lines: Words = ()


class Start(_Written, frozen=True):
    place: str
    at: int
    """Minutes since the first midnight."""
    weather: str


class Player(_Written, frozen=True):
    id: str
    name: str
    short: str = ""
    pronouns: str = "they"
    aliases: tuple[str, ...] = ()
    role: str = ""
    look: str = ""
    about: str = ""
    traits: tuple[str, ...] = ()
    stats: dict[str, int] = {}
    goals: tuple[str, ...] = ()


class PresetCard(_Written, frozen=True):
    """preset.toml: what a person reads before choosing, and all that is needed to begin showing the story."""

    id: str
    title: str
    tagline: str
    tone: str
    opening: str
    start: Start
    player: Player
    calendar: Calendar
    weathers: tuple[Weather, ...]
    rules: str = "simple-d20"
    lines: tuple[str, ...] = ()
    """What never happens here."""
    veils: tuple[str, ...] = ()
    """What happens out of sight."""
    constraints: tuple[str, ...] = ()
    """Axioms of the world."""
    suggestions: tuple[str, ...] = ()


class PresetSecret(_Written, frozen=True):
    id: str
    text: str
    topics: tuple[str, ...] = ()
    told: Words = ()
    """How a person who holds it says it."""
    shown: Words = ()
    """What leads up to it when it comes out otherwise."""


class PresetPlace(_Written, frozen=True):
    name: str
    about: str
    look: str = ""
    aliases: tuple[str, ...] = ()
    exits: dict[str, str] = {}
    """Place slug to the way there, as in `you leave <way>`."""
    barred: dict[str, str] = {}
    indoors: bool = False
    """Where the weather is not seen."""
    arrive: Words = ()
    senses: Words = ()
    leads: Words = ()
    """Things to act on that need nobody else."""
    secrets: tuple[PresetSecret, ...] = ()
    """What a search of it may find."""


class Topic(ByAttitude, frozen=True):
    about: tuple[str, ...] = ()
    """Entity ids and words that lead here."""


class PresetPerson(_Written, frozen=True):
    name: str
    role: str
    look: str
    short: str = ""
    pronouns: Literal["she", "he", "they"] = "they"
    aliases: tuple[str, ...] = ()
    about: str = ""
    voice: str = ""
    mood: str = ""
    status: str = ""
    absent: bool = False
    """Spoken of, never met: needs no words."""
    called: str = ""
    """What the player's character calls them, where that is no name: `your father`."""
    at: str = ""
    schedule: dict[str, str] = {}
    goals: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    stats: dict[str, int] = {}
    member_of: dict[str, str] = {}
    regard: dict[str, dict[str, int]] = {}
    secrets: tuple[PresetSecret, ...] = ()
    greeting: ByAttitude = ByAttitude()
    talk: ByAttitude = ByAttitude()
    farewell: Words = ()
    refusal: Words = ()
    deflection: Words = ()
    fear: Words = ()
    thanks: Words = ()
    agree: Words = ()
    caught: Words = ()
    """Said to a lie seen through."""
    wants: Words = ()
    """Said unasked: something they would have the player do."""
    idle: Words = ()
    """What they do meanwhile."""
    pleased: Words = ()
    """How they take it when something goes well."""
    sour: Words = ()
    """How they take it when something goes badly."""
    topics: dict[str, Topic] = {}


class PresetThing(_Written, frozen=True):
    name: str
    look: str
    at: str
    about: str = ""
    aliases: tuple[str, ...] = ()
    fixed: bool = False
    state: str = ""
    examine: Words = ()
    use: Words = ()
    leads: Words = ()
    secrets: tuple[PresetSecret, ...] = ()
    """What a search or a close look may find."""


class Clock(_Written, frozen=True):
    name: str
    size: int
    filled: int = 0
    omens: tuple[Words, ...] = ()
    """For each segment, what is seen or heard when it fills."""


class PresetFaction(_Written, frozen=True):
    name: str
    about: str
    aliases: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    clock: Clock | None = None
    regard: dict[str, dict[str, int]] = {}


class Beat(_Written, frozen=True):
    name: str
    tell: Words
    """How it comes out, fitted by tags to where, with whom, or on what."""
    leads: Words
    """What can be done about it now."""


class PresetThread(_Written, frozen=True):
    name: str
    about: str
    clock: str = ""
    aliases: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    leads: Words = ()
    """What can be done before the first beat."""
    beats: tuple[Beat, ...] = ()


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    card: PresetCard
    places: dict[str, PresetPlace]
    people: dict[str, PresetPerson]
    things: dict[str, PresetThing]
    factions: dict[str, PresetFaction]
    threads: dict[str, PresetThread]
    verbs: dict[Verb, dict[Tier, Words]]
    """Narration by what was done and how it went."""
    files: dict[str, str]
    """Entity id to the file it is written in."""

    @property
    def id(self) -> str:
        return self.card.id

    @property
    def secrets(self) -> list[tuple[str, PresetSecret]]:
        """Every secret with its holder."""
        holders: dict[str, PresetPerson | PresetPlace | PresetThing] = {**self.people, **self.places, **self.things}
        return [(id_, secret) for id_, holder in holders.items() for secret in holder.secrets]

    @property
    def player(self) -> str:
        return f"person/{self.card.player.id}"
