"""What a turn leaves behind for canon to judge: a clue noticed, a promise, a debt, a lie believed. Sparingly."""

from __future__ import annotations

from talekeeper.agents.storyteller.lead import Step
from talekeeper.agents.storyteller.markup import tag
from talekeeper.agents.storyteller.naming import full_stop, in_prose
from talekeeper.agents.storyteller.stage import Stage

_KEPT = {
    "persuade": "{target} gave way to {actor}{about}.",
    "deceive": "{target} believes what {actor} said{about}.",
    "threaten": "{actor} has threatened {target}{about}.",
}


def proposals(stage: Stage, moved: list[Step]) -> list[str]:
    noticed = [
        tag(
            "propose",
            step.text,
            subj=step.thread.id,
            pred="note",
            obj=full_stop(step.name),
            slot=f"beat-{step.beat}",
        )
        for step in moved
    ]
    return noticed + _between(stage)


def _between(stage: Stage) -> list[str]:
    """What now stands between the player's character and the one addressed."""
    if stage.person is None or stage.verb not in _KEPT or stage.tier not in ("triumph", "success", "cost"):
        return []
    actor = stage.telling.actor.name
    about = f" about {in_prose(stage.topic_name)}" if stage.topic_name else ""
    note = _KEPT[stage.verb].format(target=stage.person.name, actor=actor, about=about)
    if stage.verb == "persuade" and stage.outcome.costs:
        note = f"{actor} owes {stage.person.name} a favour."
    slot = f"{stage.verb}-{stage.telling.turn_number}"
    return [tag("propose", f"{actor}: {stage.telling.action}", subj=stage.person.id, pred="note", obj=note, slot=slot)]
