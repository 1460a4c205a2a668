"""Gathers what a deed changes as claims: absolute values, within the bounds canon sets, one for each thing said."""

from __future__ import annotations

from talekeeper.agents.situation import ClockFace, Person, Situation, Thread
from talekeeper.canon.predicates import PREDICATES
from talekeeper.rules.clocks import ticked
from talekeeper.rules.pack import Pack
from talekeeper.timeline.ids import WORLD_ENTITY
from talekeeper.timeline.vocabulary import Claim, Value


class Changes:
    def __init__(self, pack: Pack, situation: Situation) -> None:
        self._pack = pack
        self._situation = situation
        self._claims: dict[tuple[str, str, str], Claim] = {}

    def claims(self) -> tuple[Claim, ...]:
        return tuple(self._claims.values())

    def say(self, subj: str, pred: str, obj: Value, slot: str = "") -> None:
        self._claims[(subj, pred, slot)] = Claim(subj, pred, obj, slot)

    def unsay(self, subj: str, pred: str, slot: str = "") -> None:
        self._claims[(subj, pred, slot)] = Claim(subj, pred, slot=slot, retract=True)

    def regard(self, person: Person, towards: str, nudges: dict[str, int]) -> None:
        for relation, nudge in nudges.items():
            before = person.regard.get(relation, 0)
            after = _bounded(relation, before + nudge)
            if after != before:
                self.say(person.id, relation, after, towards)

    def mood(self, person: Person, mood: str) -> None:
        if mood and mood != person.mood:
            self.say(person.id, "mood", mood)

    def harm(self, person: Person, amount: int) -> None:
        """More or less harm, and the conditions that come and go with it. Counts on from what was already said."""
        earlier = self._claims.get((person.id, "harm", ""))
        before = earlier.obj if earlier is not None and isinstance(earlier.obj, int) else person.harm
        after = max(0, min(self._pack.harm.limit, before + amount))
        if after == before:
            return
        self.say(person.id, "harm", after)
        for slot, condition in self._pack.conditions.items():
            if condition.at_harm is None:
                continue
            if person.harm < condition.at_harm <= after:
                self.gain(person, slot)
            elif after < condition.at_harm <= person.harm:
                self.unsay(person.id, "condition", slot)
            else:
                self._claims.pop((person.id, "condition", slot), None)

    def gain(self, person: Person, slot: str) -> None:
        if slot not in person.conditions:
            self.say(person.id, "condition", self._pack.conditions[slot].name, slot)

    def tick(self, clock: ClockFace, segments: int) -> None:
        """Counts on from what was already said of this clock."""
        earlier = self._claims.get((clock.id, "clock", ""))
        before = earlier.obj if earlier is not None and isinstance(earlier.obj, int) else clock.filled
        after = _bounded("clock", ticked(before, clock.size, segments))
        if after != before:
            self.say(clock.id, "clock", after)

    def advance(self, thread: Thread) -> None:
        after = _bounded("thread_beat", thread.beat + 1)
        if after != thread.beat:
            self.say(thread.id, "thread_beat", after)
        if thread.size and after >= thread.size:
            self.say(thread.id, "thread", "resolved")

    def pass_time(self, minutes: int) -> None:
        if minutes > 0:
            self.say(WORLD_ENTITY, "time", self._situation.now + minutes)


def _bounded(pred: str, value: int) -> int:
    rule = PREDICATES[pred]
    low = value if rule.low is None else max(value, rule.low)
    return low if rule.high is None else min(low, rule.high)
