"""A character's prompt: what this one knows, remembers, saw and heard, and nothing else."""

from __future__ import annotations

import msgspec

from talekeeper.agents.guard.suspicion import caution
from talekeeper.agents.model_teller.names import Names, called, names_in_voicing
from talekeeper.agents.model_teller.outcome import outcome_in_words
from talekeeper.agents.model_teller.prompt import Prompt, hour, world_blocks
from talekeeper.agents.prompts import fill
from talekeeper.agents.prompts.blocks import block, bullets, inline
from talekeeper.agents.situation import Person
from talekeeper.agents.teller import Voicing
from talekeeper.presets.preset import PresetCard
from talekeeper.timeline.vocabulary import OutcomeResolved

_BRIEF_FACTS, _BRIEF_MEMORIES = 6, 1


def voice_prompt(voicing: Voicing, card: PresetCard | None, *, brief: bool = False) -> Prompt:
    """`brief`: for a model too small to read much."""
    speaker, to = voicing.speaker, voicing.to
    names = names_in_voicing(voicing)
    about = called(names, voicing.about)
    return Prompt(
        system=fill(
            "voice_brief" if brief else "voice_system",
            world=world_blocks(voicing.premise, "" if brief else voicing.tone, card),
            speaker=block("speaker", *_self(voicing)),
        ),
        turn=fill(
            "voice_turn",
            name=inline(speaker.name),
            to=inline(to.name),
            about=f" about {inline(about)}" if about else "",
            scene=block("scene", f"{voicing.place}. {hour(voicing.now, voicing.weather, card)}", *_met(speaker, to)),
            knows=block("knows", bullets(voicing.knows[: _BRIEF_FACTS if brief else None])),
            remembers=block("remembers", bullets(voicing.remembers[: _BRIEF_MEMORIES if brief else None])),
            directives=block("directives", *voicing.directives),
            told=block("told_so_far", voicing.told_so_far),
            action="\n".join(filter(None, (block("action", voicing.action), caution(voicing.action)))),
            outcome=block("outcome", *outcome_in_words(_in_sight(voicing.outcome, names), names)),
            reveals=block("lets_out", bullets(voicing.may_reveal)),
        ),
    )


def _in_sight(outcome: OutcomeResolved, names: Names) -> OutcomeResolved:
    """What became of others is theirs to tell."""
    return msgspec.structs.replace(
        outcome, consequences=tuple(claim for claim in outcome.consequences if claim.subj in names)
    )


def _self(voicing: Voicing) -> list[str]:
    """What stays the same from one answer to the next."""
    who = voicing.speaker
    return [
        f"{who.name} ({who.id}){f', {who.role}' if who.role else ''}.",
        f"Looks: {who.look}." if who.look else "",
        f"Speaks: {who.voice}." if who.voice else "",
        f"Is: {'; '.join(voicing.traits)}." if voicing.traits else "",
        f"Wants: {'; '.join(voicing.goals)}." if voicing.goals else "",
    ]


def _met(speaker: Person, to: Person) -> list[str]:
    marks = "; ".join(filter(None, (to.role, to.look)))
    feeling = f", and seems {speaker.mood}" if speaker.mood else ""
    return [
        f"Before {speaker.name} stands {to.name}{f': {marks}' if marks else ''}.",
        f"Towards {to.name} {speaker.name} is {speaker.attitude}{feeling}.",
    ]
