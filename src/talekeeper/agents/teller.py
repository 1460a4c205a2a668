"""The teller port: who turns an outcome into tagged prose. Two adapters: a model, and the built-in storyteller."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol

import msgspec

from talekeeper.agents.context import Section
from talekeeper.agents.situation import ClockFace, Person, Place, Thread
from talekeeper.timeline.vocabulary import OutcomeResolved, RollMade

NARRATOR_TAGS = ("narration", "do", "cue", "propose")
"""<narration lines="id id">prose</narration> · <do who="person/x">deed</do> · <cue who="person/x" about="topic"/> ·
<propose subj= pred= obj= slot=>why</propose>. At most two cues a turn are honoured."""

VOICE_TAGS = ("say", "do", "propose")
"""<say who="person/x" line="id">words</say>, from that character's knowledge alone."""


class Telling(msgspec.Struct, frozen=True, kw_only=True):
    """What the acting character can perceive, and what the rules decided. No secret but `outcome.reveals`."""

    world: str
    title: str
    preset: str
    tone: str = ""
    turn_number: int
    now: int
    weather: str
    place: Place
    arrived_from: Place | None = None
    """Set when the outcome moved the actor: `place` is then where they are now."""
    actor: Person
    cast: tuple[Person, ...] = ()
    action: str
    outcome: OutcomeResolved
    rolls: tuple[RollMade, ...] = ()
    threads: tuple[Thread, ...] = ()
    clocks: tuple[ClockFace, ...] = ()
    premise: tuple[str, ...] = ()
    """What the world is, and what always holds in it; the same every turn."""
    context: tuple[Section, ...] = ()
    """The assembled context, stable part first, for tellers that read prose."""
    recent: tuple[str, ...] = ()
    """The last turns as told, oldest first."""
    directives: tuple[str, ...] = ()
    used: frozenset[str] = frozenset()
    """Line ids already told along this path; none of them may come again."""
    tags: tuple[str, ...] = NARRATOR_TAGS
    seed: int


class Voicing(msgspec.Struct, frozen=True, kw_only=True):
    """One character's turn to speak, with what this character knows and nothing else."""

    world: str
    title: str
    preset: str
    tone: str = ""
    premise: tuple[str, ...] = ()
    """As in a telling."""
    now: int
    weather: str
    place: str
    speaker: Person
    goals: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    to: Person
    about: str = ""
    """The cue's topic: an entity or thread id where known, else words."""
    action: str
    outcome: OutcomeResolved
    knows: tuple[str, ...] = ()
    """Facts this character may know, as sentences."""
    remembers: tuple[str, ...] = ()
    """What this character recalls of it, strongest first."""
    may_reveal: tuple[str, ...] = ()
    """The text of secrets this outcome lets out through this character."""
    told_so_far: str = ""
    """What this character saw and heard of this turn."""
    directives: tuple[str, ...] = ()
    used: frozenset[str] = frozenset()
    tags: tuple[str, ...] = VOICE_TAGS
    seed: int


class Teller(Protocol):
    @property
    def name(self) -> str:
        """Shown at start and kept with each narration."""

    def tell(self, telling: Telling) -> AsyncIterator[str]:
        """The turn's narration as a stream of tagged text."""

    def voice(self, voicing: Voicing) -> AsyncIterator[str]:
        """One character's answer as a stream of tagged text."""
