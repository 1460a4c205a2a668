"""Where the acting character stands: plain data read from canon once a turn, for the resolver and the teller alike."""

from __future__ import annotations

import msgspec


class Exit(msgspec.Struct, frozen=True):
    to: str
    name: str
    way: str
    barred: str = ""


class Thing(msgspec.Struct, frozen=True):
    id: str
    name: str
    aliases: tuple[str, ...] = ()
    look: str = ""
    about: str = ""
    fixed: bool = False
    state: str = ""


class Place(msgspec.Struct, frozen=True):
    id: str
    name: str
    about: str = ""
    exits: tuple[Exit, ...] = ()
    things: tuple[Thing, ...] = ()


class Person(msgspec.Struct, frozen=True):
    id: str
    name: str
    aliases: tuple[str, ...] = ()
    role: str = ""
    look: str = ""
    voice: str = ""
    mood: str = ""
    status: str = "alive"
    harm: int = 0
    conditions: tuple[str, ...] = ()
    """Slots of the `condition` facts: hidden, hurt, down."""
    holds: tuple[Thing, ...] = ()
    regard: dict[str, int] = msgspec.field(default_factory=dict)
    """Trust, affection, respect, fear, debt towards the acting character, -100 to 100."""

    @property
    def attitude(self) -> str:
        """warm, guarded or hostile: the one word the storyteller's lines are sorted by."""
        warmth = self.regard.get("trust", 0) + self.regard.get("affection", 0) + self.regard.get("respect", 0) // 2
        if warmth >= 30:
            return "warm"
        return "hostile" if warmth <= -30 else "guarded"


class Thread(msgspec.Struct, frozen=True):
    """A plot thread with objectives; `beat` counts how far it has come."""

    id: str
    name: str
    about: str = ""
    status: str = "open"
    beat: int = 0
    idle_turns: int = 0
    topics: tuple[str, ...] = ()
    """Entity ids and words that belong to it: touching one of them touches the thread."""
    clock: str = ""
    """Whose clock runs against it."""
    size: int = 0
    """How many beats it has; 0 when nobody has said."""


class ClockFace(msgspec.Struct, frozen=True):
    id: str
    name: str
    filled: int
    size: int


class Secret(msgspec.Struct, frozen=True):
    """For the rules only: it enters a telling when an outcome reveals it."""

    id: str
    holder: str
    text: str
    topics: tuple[str, ...] = ()


class Known(msgspec.Struct, frozen=True):
    """Something the actor has heard of that is not here: enough to recognise its name."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    world: str
    title: str
    preset: str
    rules: str
    timeline: str
    head: int
    scene: str
    turn: str
    turn_number: int
    seed: int
    """Derived from the world's seed and the turn id."""
    now: int
    weather: str
    actor: Person
    stats: dict[str, int]
    place: Place
    present: tuple[Person, ...] = ()
    elsewhere: tuple[Known, ...] = ()
    threads: tuple[Thread, ...] = ()
    clocks: tuple[ClockFace, ...] = ()
    secrets: tuple[Secret, ...] = ()
    """Those the actor does not know yet."""
    focus: str = ""
    """The person last spoken with along this path, for pronouns and words spoken to nobody by name."""
