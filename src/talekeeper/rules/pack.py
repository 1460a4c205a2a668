"""A rules pack: which dice are rolled for what, against which difficulty, and what follows. Data, not code."""

from __future__ import annotations

from typing import Literal

import msgspec

from talekeeper.timeline.vocabulary import Tier, Verb

When = Literal[
    "warm", "guarded", "hostile", "afraid", "indebted", "secret", "barred", "held", "tool", "watched", "foe_down"
]
"""What the judge may find in a situation and a pack may weigh.

warm, guarded, hostile: the target's attitude · afraid: the target fears the actor · indebted: the target owes the
actor · secret: the target would rather not say · barred: a closed way · held: somebody else has it · tool: a fitting
thing is used · watched: somebody hostile looks on · foe_down: the target can no longer fight back.
"""

Rolls = Literal["always", "never", "resisted"]
"""`resisted`: only when something stands against it (a secret, a holder, a closed way, a hostile witness)."""

Lean = Literal["advantage", "disadvantage"]
Nudges = dict[str, int]


class Dice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    plain: str
    advantage: str
    disadvantage: str
    aim: Literal["over", "under"] = "over"
    """over: dice + stat must reach the difficulty. under: dice must not pass stat + difficulty."""


class Stat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    about: str = ""
    words: tuple[str, ...] = ()
    """Words in a free attempt that call for this stat."""


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rung of the difficulty ladder, from the easiest up."""

    word: str
    value: int


class TierRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Reached by a margin of at least this much, or by the dice alone showing one of these numbers."""

    tier: Tier
    margin: int | None = None
    natural: tuple[int, int] | None = None


class Adjustment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    when: When
    verbs: tuple[Verb, ...]
    says: str
    steps: int = 0
    lean: Lean | None = None


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A state of a person that weighs on rolls until one of `ends` is done."""

    name: str
    helps: tuple[Verb, ...] = ()
    hinders: tuple[Verb, ...] = ()
    ends: tuple[Verb, ...] = ()
    at_harm: int | None = None
    """Present from this much harm on."""


class Harm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    limit: int
    down: str
    """The condition at the limit."""
    rest_minutes: int
    """How long a rest takes one harm away."""
    dealt: dict[Tier, int] = {}
    taken: dict[Tier, int] = {}


class Cost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    says: str
    minutes: int = 0
    harm: int = 0
    ticks: int = 0
    """Segments on the clock that runs against the thread touched, else on the fullest one."""


class VerbRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rolls: Rolls
    minutes: int
    stat: str = ""
    step: str = ""
    """The rung it starts from."""
    gains: str = ""
    """The condition a success gives the actor."""
    nudges: dict[Tier, Nudges] = {}
    """How the target's regard for the actor shifts."""
    moods: dict[Tier, str] = {}
    costs: dict[Tier, Cost] = {}


class ClockRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    hours_per_segment: int


class Pace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    longest_minutes: int
    """The longest one wait or rest may last."""
    rolled_idle_turns: int
    """How many turns a thread rests before a won roll moves it again; its first beat comes at once."""
    plain_idle_turns: int
    """The same for a touch without a roll."""


class Pack(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str
    about: str
    dice: Dice
    stats: dict[str, Stat]
    ladder: tuple[Step, ...]
    tiers: tuple[TierRule, ...]
    """From the best to the worst; the last takes whatever is left."""
    verbs: dict[Verb, VerbRule]
    harm: Harm
    clocks: ClockRule
    pace: Pace
    adjustments: tuple[Adjustment, ...] = ()
    conditions: dict[str, Condition] = {}

    def rung(self, word: str) -> int:
        return next(i for i, step in enumerate(self.ladder) if step.word == word)
