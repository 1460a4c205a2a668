"""Weighs a deed before the dice fall: impossible, plain, or a check whose difficulty has its reasons."""

from __future__ import annotations

import msgspec

from talekeeper.agents.resolver.obstacles import obstacle
from talekeeper.agents.resolver.recognise import Recognised, recognise
from talekeeper.agents.resolver.secrets import within_reach
from talekeeper.agents.resolver.surroundings import Surroundings
from talekeeper.agents.resolver.words import read_line
from talekeeper.agents.situation import Situation
from talekeeper.rules.check import make_check
from talekeeper.rules.pack import Lean, Pack, When
from talekeeper.timeline.ids import entity_kind
from talekeeper.timeline.vocabulary import Check, Verb

AFRAID = 30
INDEBTED = 20
_AGAINST: dict[Verb, frozenset[When]] = {
    "examine": frozenset(("secret",)),
    "ask": frozenset(("secret",)),
    "take": frozenset(("held", "watched")),
    "use": frozenset(("barred",)),
    "open": frozenset(("barred",)),
    "rest": frozenset(("watched",)),
}
"""What makes a resisted verb a matter for the dice."""


class Advice(msgspec.Struct, frozen=True):
    """How a free attempt should be weighed, when somebody who read it says so."""

    verb: Verb
    stat: str
    step: str
    why: str = ""


class Judgement(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a deed is, and what must be rolled for it. Written down before the dice fall."""

    text: str
    action: Recognised
    check: Check | None = None
    blocked: str = ""

    @property
    def verb(self) -> Verb:
        return self.action.verb


def judge(pack: Pack, situation: Situation, text: str) -> Judgement:
    return weigh(pack, situation, text, recognise(situation, text))


def weigh(pack: Pack, situation: Situation, text: str, action: Recognised, advice: Advice | None = None) -> Judgement:
    around = Surroundings(pack, situation)
    blocked = obstacle(action, around)
    if blocked:
        return Judgement(text, action, blocked=blocked)
    found = circumstances(action, text, around)
    if not _rolls(pack, action, text, found):
        return Judgement(text, action)
    return Judgement(text, action, _check(pack, action, text, around, found, advice))


def circumstances(action: Recognised, text: str, around: Surroundings) -> set[When]:
    """What stands for and against a deed."""
    found: set[When] = set()
    person = around.person(action.targets)
    first = action.targets[0] if action.targets else ""
    holder = around.holder(first)
    if person is None:
        person = holder
    if person is not None:
        found |= _standing(person.attitude, person.regard)
        if around.down(person):
            found.add("foe_down")
    if within_reach(around.situation, action, text):
        found.add("secret")
    way = around.way(action.targets)
    if (way is not None and way.barred) or around.closed(action.targets) is not None:
        found.add("barred")
    if action.verb == "take" and person is not None and "foe_down" not in found:
        found.add("held")
    if any(target in around.carried for target in (action.targets[1:] if action.verb != "use" else action.targets[:1])):
        found.add("tool")
    if around.watchers():
        found.add("watched")
    return found


def _standing(attitude: str, regard: dict[str, int]) -> set[When]:
    found: set[When] = {"warm" if attitude == "warm" else "hostile" if attitude == "hostile" else "guarded"}
    if regard.get("fear", 0) >= AFRAID:
        found.add("afraid")
    if regard.get("debt", 0) >= INDEBTED:
        found.add("indebted")
    return found


def _rolls(pack: Pack, action: Recognised, text: str, found: set[When]) -> bool:
    if action.idle or action.laid_down:
        return False
    if action.verb == "attempt" and action.targets and not called_for(pack, text):
        # Signing the register, buttoning the coat: handling a thing in a way no stat speaks of simply happens.
        return any(entity_kind(target) != "item" for target in action.targets)
    rolls = pack.verbs[action.verb].rolls
    if rolls == "resisted":
        return not found.isdisjoint(_AGAINST.get(action.verb, frozenset()))
    return rolls == "always"


def _check(
    pack: Pack, action: Recognised, text: str, around: Surroundings, found: set[When], advice: Advice | None
) -> Check:
    rule = pack.verbs[action.verb]
    stat, rung, why = rule.stat, pack.rung(rule.step), []
    if advice is not None:
        stat, rung = advice.stat, pack.rung(advice.step)
        why += [advice.why] if advice.why else []
    elif action.verb == "attempt":
        stat = called_for(pack, text) or stat
    leans: list[Lean] = []
    person = around.person(action.targets) or (around.holder(action.targets[0]) if action.targets else None)
    for adjustment in pack.adjustments:
        if adjustment.when in found and action.verb in adjustment.verbs:
            rung += adjustment.steps
            leans += [adjustment.lean] if adjustment.lean else []
            why.append(adjustment.says.format(target=person.name if person is not None else "it"))
    for slot in around.actor.conditions:
        condition = pack.conditions.get(slot)
        if condition is not None and action.verb in condition.helps:
            leans.append("advantage")
            why.append(f"you are {condition.name}")
        if condition is not None and action.verb in condition.hinders:
            leans.append("disadvantage")
            why.append(f"you are {condition.name}")
    return make_check(pack, stat=stat, value=around.situation.stats.get(stat, 0), rung=rung, leans=leans, why=why)


def called_for(pack: Pack, text: str) -> str:
    """The stat whose word comes first in a free attempt."""
    by_word = {word: stat for stat, rule in pack.stats.items() for word in rule.words}
    for word in read_line(text).words:
        for form in (word.text, word.stem, word.stem.removesuffix("ing"), word.stem.removesuffix("ed")):
            if form in by_word:
                return by_word[form]
    return ""
