"""What each verb does to the world when it goes well, or badly: who moves, what changes hands, what opens, who is hurt."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from talekeeper.agents.resolver.changes import Changes
from talekeeper.agents.resolver.obstacles import stealable
from talekeeper.agents.resolver.recognise import Recognised
from talekeeper.agents.resolver.surroundings import Surroundings
from talekeeper.rules.pack import Pack
from talekeeper.timeline.ids import entity_kind
from talekeeper.timeline.vocabulary import Tier, Verb

_LETTING = frozenset("open unlock let unbar lift admit pass through".split())
GOOD: frozenset[Tier] = frozenset(("plain", "triumph", "success", "cost"))


class Deed(NamedTuple):
    pack: Pack
    action: Recognised
    tier: Tier
    minutes: int
    words: frozenset[str]
    """The stems of the player's words."""
    around: Surroundings
    changes: Changes

    @property
    def good(self) -> bool:
        return self.tier in GOOD


def carry_out(deed: Deed) -> None:
    _DEEDS.get(deed.action.verb, _nothing)(deed)
    _conditions(deed)


def _nothing(_deed: Deed) -> None:
    return


def _move(deed: Deed) -> None:
    way = deed.around.way(deed.action.targets)
    if way is not None and not way.barred and deed.good:
        deed.changes.say(deed.around.actor.id, "at", way.to)


def _take(deed: Deed) -> None:
    if not deed.good or not deed.action.targets:
        return
    item = deed.action.targets[0]
    person = deed.around.persons.get(item)
    if person is not None:
        item = stealable(person)
    if entity_kind(item) == "item":
        deed.changes.say(item, "at", deed.around.actor.id)


def _give(deed: Deed) -> None:
    item = next(target for target in deed.action.targets if target in deed.around.carried)
    person = next(target for target in deed.action.targets if target in deed.around.persons)
    deed.changes.say(item, "at", person)


def _attempt(deed: Deed) -> None:
    if deed.action.laid_down:
        deed.changes.say(deed.action.targets[0], "at", deed.around.situation.place.id)


def _open(deed: Deed) -> None:
    """Opens a barred way or a closed thing; with `use`, whatever the tool is used on."""
    if not deed.good:
        return
    way = deed.around.way(deed.action.targets)
    if way is not None:
        if way.barred and deed.action.becomes not in ("closed", "locked"):
            deed.changes.unsay(deed.around.situation.place.id, "barred", way.to)
        return
    closed = deed.around.closed(deed.action.targets)
    first = deed.around.thing(deed.action.targets[0]) if deed.action.targets else None
    thing = closed if closed is not None and not deed.action.becomes else first
    state = deed.action.becomes or ("open" if deed.action.verb == "open" or closed is not None else "")
    if thing is not None and state and state != thing.state:
        deed.changes.say(thing.id, "state", state)


def _attack(deed: Deed) -> None:
    around, harm = deed.around, deed.pack.harm
    target = deed.action.targets[0] if deed.action.targets else ""
    if entity_kind(target) == "item":
        if deed.good:
            deed.changes.say(target, "state", "broken" if deed.tier == "triumph" else "damaged")
        return
    foe = around.person(deed.action.targets)
    if foe is None:
        return
    deed.changes.harm(foe, harm.dealt.get(deed.tier, 0))
    if not around.down(foe):
        deed.changes.harm(around.actor, harm.taken.get(deed.tier, 0))


def _won_over(deed: Deed) -> None:
    """Somebody talked into handing over what they hold, or into opening the way."""
    if not deed.good:
        return
    if deed.action.handing:
        deed.changes.say(deed.action.topic, "at", deed.around.actor.id)
    way = deed.around.exits.get(deed.action.topic)
    if way is not None and way.barred and deed.words & _LETTING:
        deed.changes.unsay(deed.around.situation.place.id, "barred", way.to)


def _rest(deed: Deed) -> None:
    if deed.good:
        deed.changes.harm(deed.around.actor, -(deed.minutes // deed.pack.harm.rest_minutes))


def _conditions(deed: Deed) -> None:
    """What the deed ends, and what it brings."""
    rule = deed.pack.verbs[deed.action.verb]
    gains = rule.gains if deed.tier in ("triumph", "success", "cost") else ""
    for slot in deed.around.actor.conditions:
        condition = deed.pack.conditions.get(slot)
        if condition is not None and deed.action.verb in condition.ends and slot != gains:
            deed.changes.unsay(deed.around.actor.id, "condition", slot)
    if gains:
        deed.changes.gain(deed.around.actor, gains)


_DEEDS: dict[Verb, Callable[[Deed], None]] = {
    "move": _move, "sneak": _move, "take": _take, "give": _give, "attempt": _attempt, "open": _open, "use": _open,
    "attack": _attack, "rest": _rest, "persuade": _won_over, "threaten": _won_over, "deceive": _won_over,
}  # fmt: skip
