"""A few things one could do next, for a player who looks at an empty line."""

from __future__ import annotations

import random
from collections.abc import Sequence


def suggest(
    *, people: Sequence[str], things: Sequence[str], exits: Sequence[str], matters: Sequence[str], seed: int
) -> tuple[str, ...]:
    """At most three short actions, each of another kind, from the names of what is here and what is at stake."""
    rng = random.Random(seed)
    found = []
    if people and matters:
        found.append(f"Ask {rng.choice(people)} about {rng.choice(matters)}")
    elif people:
        found.append(f"Talk to {rng.choice(people)}")
    if things:
        found.append(f"Examine the {rng.choice(things)}")
    if exits:
        found.append(f"Go to {rng.choice(exits)}")
    return tuple(found) or ("Look around", "Wait")
