"""From a rung of the ladder to a check, and from the dice to a tier. Pure functions over a pack."""

from __future__ import annotations

from collections.abc import Iterable

from talekeeper.rules.dice import Rolled, roll
from talekeeper.rules.pack import Lean, Pack
from talekeeper.timeline.vocabulary import Check, RollMade, Tier


def make_check(
    pack: Pack, *, stat: str, value: int, rung: int, leans: Iterable[Lean] = (), why: Iterable[str] = ()
) -> Check:
    """The check for `stat` (worth `value` to the actor) at `rung`, kept within the ladder.

    Advantage and disadvantage cancel each other, however many of each there are.
    """
    step = pack.ladder[min(max(rung, 0), len(pack.ladder) - 1)]
    both = set(leans)
    dice = pack.dice.plain
    if both == {"advantage"}:
        dice = pack.dice.advantage
    elif both == {"disadvantage"}:
        dice = pack.dice.disadvantage
    over = pack.dice.aim == "over"
    return Check(
        stat=stat,
        notation=f"{dice}{value:+d}" if over and value else dice,
        difficulty=step.value if over else step.value + value,
        ladder=step.word,
        modifier=value,
        why="; ".join(why),
    )


def tier_of(pack: Pack, check: Check, *, total: int, natural: int) -> Tier:
    """What the dice show by themselves comes before any margin; then the best tier whose margin is reached."""
    for rule in pack.tiers:
        if rule.natural is not None and rule.natural[0] <= natural <= rule.natural[1]:
            return rule.tier
    margin = total - check.difficulty if pack.dice.aim == "over" else check.difficulty - total
    for rule in pack.tiers:
        if rule.margin is None or margin >= rule.margin:
            return rule.tier
    return pack.tiers[-1].tier


def throw(pack: Pack, check: Check, seed: int, index: int = 0) -> RollMade:
    """Let the dice of a check fall: the `index`-th roll of the turn whose seed is `seed`."""
    rolled = roll(check.notation, seed, index)
    tier = tier_of(pack, check, total=rolled.total, natural=rolled.natural)
    return recorded(rolled, stat=check.stat, difficulty=check.difficulty, tier=tier)


def recorded(
    rolled: Rolled, *, stat: str = "", difficulty: int | None = None, tier: str = "", secret: bool = False
) -> RollMade:
    """A roll as the event that keeps it."""
    return RollMade(
        notation=rolled.notation,
        total=rolled.total,
        detail=rolled.detail,
        index=rolled.index,
        seed=rolled.seed,
        stat=stat,
        difficulty=difficulty,
        tier=tier,
        secret=secret,
    )
