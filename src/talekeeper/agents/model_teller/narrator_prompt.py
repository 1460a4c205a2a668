"""The narrator's prompt: what the acting character can perceive, and what the rules decided."""

from __future__ import annotations

from collections.abc import Iterable

from talekeeper.agents.context import Section
from talekeeper.agents.guard.suspicion import caution
from talekeeper.agents.model_teller.names import names_in_telling, seen, surveyed
from talekeeper.agents.model_teller.outcome import outcome_in_words, revealed
from talekeeper.agents.model_teller.prompt import Prompt, hour, world_blocks
from talekeeper.agents.prompts import fill
from talekeeper.agents.prompts.blocks import block, inline
from talekeeper.agents.teller import Telling
from talekeeper.presets.preset import PresetCard
from talekeeper.timeline.ids import slugify

_ELSEWHERE = frozenset({"World", "Directives"})
"""Sections with a place of their own in the prompt."""
_BRIEF = frozenset({"Place", "Present", "Recent turns"})
_BRIEF_LETTERS = 400
"""What is left of each section for a small model: its end."""


def narrator_prompt(telling: Telling, card: PresetCard | None, *, brief: bool = False) -> Prompt:
    """`brief`: for a model too small to follow many instructions."""
    player = inline(telling.actor.name)
    names = names_in_telling(telling)
    sections = _shortened(telling.context) if brief else telling.context
    context = [
        block(slugify(section.name).replace("-", "_"), *section.texts)
        for section in sections
        if section.name not in _ELSEWHERE
    ]
    return Prompt(
        system=fill(
            "narrator_brief" if brief else "narrator_system",
            player=player,
            world=world_blocks(telling.premise, "" if brief else telling.tone, card),
        ),
        turn=fill(
            "narrator_turn",
            player=player,
            context="\n".join(filter(None, context)),
            directives=block("directives", *telling.directives),
            action="\n".join(filter(None, (block("action", telling.action), caution(telling.action)))),
            outcome=block("outcome", *outcome_in_words(telling.outcome, names), *revealed(telling.outcome, names)),
            now=block("now", hour(telling.now, telling.weather, card), *_arrived(telling)),
        ),
    )


def _shortened(sections: Iterable[Section]) -> list[Section]:
    return [
        Section(section.name, ("\n".join(section.texts)[-_BRIEF_LETTERS:],))
        for section in sections
        if section.name in _BRIEF
    ]


def _arrived(telling: Telling) -> list[str]:
    """The context was read before the outcome; whoever went somewhere sees a new place now."""
    if telling.arrived_from is None:
        return []
    here = [f"{telling.actor.name} has come here from {telling.arrived_from.name}.", *surveyed(telling.place)]
    present = [f"Present: {seen(person, telling.actor.name)}" for person in telling.cast]
    return [*here, *(present or ["Nobody else is here."])]
