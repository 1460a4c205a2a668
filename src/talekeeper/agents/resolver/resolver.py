"""The resolver agent: adjudicates one action in two steps, so that the difficulty is written down before the dice fall."""

from __future__ import annotations

from typing import Protocol

import msgspec

from talekeeper.agents.resolver.judge import Advice, Judgement, weigh
from talekeeper.agents.resolver.recognise import recognise
from talekeeper.agents.resolver.settle import settle
from talekeeper.agents.situation import Situation
from talekeeper.rules.check import throw
from talekeeper.rules.pack import Pack
from talekeeper.timeline.vocabulary import Check, OutcomeResolved, RollMade


class Adviser(Protocol):
    """Reads a free attempt and says how to weigh it. Advice only: the dice stay ours."""

    async def advise(self, pack: Pack, situation: Situation, text: str) -> Advice | None:
        """None when it has nothing usable to say; the rules then decide alone."""


class Resolver:
    def __init__(self, pack: Pack, adviser: Adviser | None = None) -> None:
        self.pack = pack
        self._adviser = adviser

    async def judge(self, situation: Situation, text: str) -> Judgement:
        """What the action is, and what must be rolled for it."""
        action = recognise(situation, text)
        judgement = weigh(self.pack, situation, text, action)
        if action.verb != "attempt" or judgement.check is None or self._adviser is None:
            return judgement
        advice = await self._adviser.advise(self.pack, situation, text)
        if advice is None:
            return judgement
        advised = weigh(self.pack, situation, text, msgspec.structs.replace(action, verb=advice.verb), advice)
        # Advice may change how it is weighed, never whether it is: what would need no dice, or could not be, is ignored.
        return judgement if advised.check is None else advised

    def throw(self, check: Check, seed: int, index: int = 0) -> RollMade:
        """Let the dice fall: the `index`-th roll of the turn whose seed is `seed`."""
        return throw(self.pack, check, seed, index)

    def settle(self, situation: Situation, judgement: Judgement, roll: RollMade | None) -> OutcomeResolved:
        """What became of it."""
        return settle(self.pack, situation, judgement, roll)
