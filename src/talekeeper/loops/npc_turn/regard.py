"""How an NPC takes what is done to it: feelings and mood change by rule, so that they last, model or no model."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from talekeeper.agents.npc.hearing import Remark, remark
from talekeeper.agents.npc.stimulus import Stimulus
from talekeeper.canon.updater import propose_together
from talekeeper.canon.view import CanonView
from talekeeper.timeline.ids import entity_kind
from talekeeper.timeline.vocabulary import Claim, ProposalDecided

ROLE = "rules"
_MOST = 100


class Reaction(msgspec.Struct, frozen=True):
    why: str
    regard: Mapping[str, int]
    mood: str = ""
    calms: bool = False
    """It takes a bad mood away."""


CUT_SHORT = Reaction("was cut short in mid-sentence", {"respect": -6, "affection": -6, "trust": -3}, mood="annoyed")

_REACTIONS: dict[Remark, Reaction] = {
    "blow": Reaction("was attacked", {"trust": -45, "affection": -35, "fear": 35}, mood="shaken and angry"),
    "threat": Reaction("was threatened", {"trust": -20, "fear": 15}, mood="tense"),
    "insult": Reaction("was insulted", {"respect": -8, "affection": -12}, mood="offended"),
    "gift": Reaction("was given something", {"affection": 12, "trust": 6}, calms=True),
    "apology": Reaction("was asked for forgiveness", {"affection": 5, "respect": 3}, calms=True),
    "thanks": Reaction("was thanked", {"affection": 2, "respect": 1}),
    "praise": Reaction("was praised", {"affection": 3}),
}
BAD_MOODS = frozenset(reaction.mood for reaction in (CUT_SHORT, *_REACTIONS.values()) if reaction.mood)


def react(view: CanonView, entity: str, source: str, stimulus: Stimulus) -> list[ProposalDecided]:
    """What a stimulus does to the NPC's feelings; nothing for most."""
    reaction = _REACTIONS.get(remark(stimulus))
    return [] if reaction is None else felt(view, entity, source, reaction)


def felt(view: CanonView, entity: str, source: str, reaction: Reaction) -> list[ProposalDecided]:
    if entity_kind(source) != "person" or source == entity or not view.exists(source):
        return []
    claims = [
        Claim(entity, pred, max(-_MOST, min(_MOST, view.number(entity, pred, source) + by)), slot=source)
        for pred, by in reaction.regard.items()
    ]
    mood = view.text(entity, "mood")
    if reaction.mood and mood != reaction.mood:
        claims.append(Claim(entity, "mood", reaction.mood))
    elif reaction.calms and mood in BAD_MOODS:
        claims.append(Claim(entity, "mood", retract=True))
    return propose_together(view, ROLE, claims, f"{view.name(entity)} {reaction.why} by {view.name(source)}")
