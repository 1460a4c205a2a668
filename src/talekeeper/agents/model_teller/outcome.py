"""The outcome in words: what a teller must hold to. Numbers and ids become sentences; what nobody could see is left out."""

from __future__ import annotations

from collections.abc import Iterator

from talekeeper.agents.model_teller.names import Names, called
from talekeeper.timeline.vocabulary import Claim, OutcomeResolved, Tier

_WENT: dict[Tier, str] = {
    "plain": "It happens as they meant it; nothing stood against it.",
    "triumph": "It goes better than they had hoped.",
    "success": "It works.",
    "cost": "It works, and there is a price.",
    "failure": "It does not work.",
    "disaster": "It goes badly wrong.",
    "blocked": "It cannot happen at all.",
}


def outcome_in_words(outcome: OutcomeResolved, names: Names) -> list[str]:
    lines = [f"{_deed(outcome, names)} {_WENT[outcome.tier]}"]
    if outcome.blocked:
        lines.append(f"Why not: {outcome.blocked}")
    if outcome.check is not None:
        why = f" ({outcome.check.why})" if outcome.check.why else ""
        lines.append(f"It was a test of {outcome.check.stat}, {outcome.check.ladder or 'hard enough'}{why}.")
    lines += [f"The price: {cost}." for cost in outcome.costs]
    lines += [f"So now: {said}." for claim in outcome.consequences for said in _said(claim, names)]
    return lines


def revealed(outcome: OutcomeResolved, names: Names) -> list[str]:
    """What comes into the open, and through whom or what."""
    return [f"Through {called(names, r.holder)} ({r.holder}) comes out: {r.text}" for r in outcome.reveals]


def _deed(outcome: OutcomeResolved, names: Names) -> str:
    done_to = ", ".join(called(names, target) for target in outcome.targets)
    about = called(names, outcome.topic) if outcome.topic not in outcome.targets else ""
    parts = [outcome.verb, f" ({done_to})" if done_to else "", f", about {about}" if about else ""]
    return f"The rules read it as: {''.join(parts)}."


def _said(claim: Claim, names: Names) -> Iterator[str]:
    """Only what can be seen: regard, clocks and what somebody now knows are not."""
    who, value = called(names, claim.subj), called(names, str(claim.obj))
    match claim.pred:
        case "at":
            yield f"{who} is {'with' if str(claim.obj).startswith('person/') else 'at'} {value}"
        case "harm":
            yield f"{who} is hurt" if claim.obj else f"{who} is unhurt again"
        case "condition":
            slot = claim.slot.replace("-", " ")
            yield f"{who} is no longer {slot}" if claim.retract else f"{who} is {value or slot}"
        case "mood" if not claim.retract:
            yield f"{who} seems {value}"
        case "state" if not claim.retract:
            yield f"{who} is {value}"
        case "barred":
            way = f"the way from {who} to {called(names, claim.slot)}"
            yield f"{way} is open" if claim.retract else f"{way} is barred: {value}"
        case "thread_beat":
            yield f"the matter of {who} has come a step further"
