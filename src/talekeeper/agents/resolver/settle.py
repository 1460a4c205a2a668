"""From what the dice said to what became of it: consequences as claims, costs, secrets let out, time passed."""

from __future__ import annotations

from typing import get_args

from talekeeper.agents.resolver.changes import Changes
from talekeeper.agents.resolver.deeds import GOOD, Deed, carry_out
from talekeeper.agents.resolver.judge import Judgement
from talekeeper.agents.resolver.secrets import touched, within_reach
from talekeeper.agents.resolver.surroundings import Surroundings
from talekeeper.agents.resolver.words import read_line
from talekeeper.agents.situation import ClockFace, Person, Secret, Situation, Thread
from talekeeper.rules.clocks import segments_passed
from talekeeper.rules.pack import Pack
from talekeeper.timeline.ids import entity_kind
from talekeeper.timeline.vocabulary import OutcomeResolved, Reveal, RollMade, Tier

_BROUGHT_OUT: dict[Tier, int] = {"triumph": 2, "success": 1, "cost": 1}
"""How many secrets a deed may bring out."""


def settle(pack: Pack, situation: Situation, judgement: Judgement, roll: RollMade | None) -> OutcomeResolved:
    action = judgement.action
    if judgement.blocked:
        return OutcomeResolved(
            actor=situation.actor.id, verb=action.verb, tier="blocked", targets=action.targets, topic=action.topic,
            blocked=judgement.blocked, minutes=0,
        )  # fmt: skip
    tier = _tier(judgement, roll)
    rule = pack.verbs[action.verb]
    cost = rule.costs.get(tier)
    taken = 1 if action.idle else action.minutes or rule.minutes
    minutes = min(taken, pack.pace.longest_minutes) + (cost.minutes if cost else 0)
    around, changes = Surroundings(pack, situation), Changes(pack, situation)

    words = frozenset(word.stem for word in read_line(judgement.text).words)
    carry_out(Deed(pack, action, tier, minutes, words, around, changes))
    for person in _affected(judgement, around):
        changes.regard(person, situation.actor.id, rule.nudges.get(tier, {}))
        changes.mood(person, rule.moods.get(tier, ""))
    revealed = within_reach(situation, action, judgement.text)[: _BROUGHT_OUT.get(tier, 0)]
    for secret in revealed:
        changes.say(situation.actor.id, "knows", _how(secret, around), secret.id)
    threads = touched(situation, action, judgement.text, [topic for secret in revealed for topic in secret.topics])
    thread = threads[0] if threads else None
    if thread is not None and _moves(pack, thread, tier):
        changes.advance(thread)
    if cost is not None:
        changes.harm(situation.actor, cost.harm)
        clock = _against(situation, thread) if cost.ticks else None
        if clock is not None:
            changes.tick(clock, cost.ticks)
    _pass_time(pack, situation, changes, minutes)
    return OutcomeResolved(
        actor=situation.actor.id, verb=action.verb, tier=tier, targets=action.targets, topic=action.topic,
        check=judgement.check, consequences=changes.claims(),
        reveals=tuple(Reveal(s.id, s.holder, s.text, (situation.actor.id,)) for s in revealed),
        costs=(cost.says,) if cost is not None else (), minutes=minutes,
    )  # fmt: skip


def _tier(judgement: Judgement, roll: RollMade | None) -> Tier:
    if judgement.check is None:
        return "plain"
    if roll is None:
        raise RuntimeError("a check cannot be settled without its roll")
    for tier in get_args(Tier):
        if tier == roll.tier:
            return tier  # type: ignore[no-any-return]  # get_args forgets the literals
    raise RuntimeError(f"the roll has no tier: {roll.tier!r}")


def _affected(judgement: Judgement, around: Surroundings) -> list[Person]:
    """Whose regard a deed may shift: those it was done to, those it was taken from, those it was performed for."""
    action = judgement.action
    ids = [target for target in action.targets if target in around.persons]
    ids += [
        holder.id
        for target in action.targets
        if (holder := around.holder(target)) is not None and action.verb == "take"
    ]
    if not ids and action.verb == "perform":
        ids = list(around.persons)
    return [around.persons[i] for i in dict.fromkeys(ids) if around.persons[i].status != "dead"]


def _how(secret: Secret, around: Surroundings) -> str:
    return f"told by {around.name(secret.holder)}" if entity_kind(secret.holder) == "person" else "found out"


def _moves(pack: Pack, thread: Thread, tier: Tier) -> bool:
    if tier != "plain" and tier not in GOOD:
        return False
    rest = pack.pace.plain_idle_turns if tier == "plain" else pack.pace.rolled_idle_turns
    return thread.beat == 0 or thread.idle_turns >= rest


def _against(situation: Situation, thread: Thread | None) -> ClockFace | None:
    """The clock that runs against the thread touched, else the fullest one still running."""
    running = [clock for clock in situation.clocks if clock.filled < clock.size]
    if thread is not None and thread.clock:
        return next((clock for clock in running if clock.id == thread.clock), None)
    return max(running, key=lambda clock: (clock.filled / clock.size, clock.id), default=None)


def _pass_time(pack: Pack, situation: Situation, changes: Changes, minutes: int) -> None:
    changes.pass_time(minutes)
    for clock in situation.clocks:
        segments = segments_passed(
            clock.id, now=situation.now, minutes=minutes, hours_per_segment=pack.clocks.hours_per_segment
        )
        changes.tick(clock, segments)
