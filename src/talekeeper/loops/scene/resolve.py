"""The second node: rules and dice. The difficulty is in the row before the dice fall."""

from __future__ import annotations

from talekeeper.loops.frames import Roll
from talekeeper.loops.scene.work import Resolution, TurnWork, encode
from talekeeper.timeline.vocabulary import ActionTaken, Check, RollMade


async def resolve(work: TurnWork) -> None:
    if work.turn.state != "accepted":
        show_roll(work, work.resolution.check, work.resolution.roll)
        return
    resolver = work.services.resolver(work.world)
    situation = await work.situation()
    judgement = await resolver.judge(situation, work.action)
    action = ActionTaken(actor=work.turn.actor, text=work.action, verb=judgement.verb)
    roll: RollMade | None = None
    if judgement.check is not None:
        await work.write(outcome=encode(Resolution(action, judgement.check)))
        show_roll(work, judgement.check, None)
        roll = resolver.throw(judgement.check, situation.seed)
    outcome = resolver.settle(situation, judgement, roll)
    await work.write(outcome=encode(Resolution(action, judgement.check, roll, outcome)), state="resolved")
    if roll is not None:
        show_roll(work, judgement.check, roll)


def show_roll(work: TurnWork, check: Check | None, roll: RollMade | None) -> None:
    if check is None:
        return
    fell = {} if roll is None else {"total": roll.total, "detail": roll.detail, "tier": roll.tier}
    work.running.emit(
        Roll, notation=check.notation, stat=check.stat, difficulty=check.difficulty, ladder=check.ladder, why=check.why,
        **fell,
    )  # fmt: skip
