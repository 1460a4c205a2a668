"""One look at a session: may it speak, what would it say, is that still right when it is written, and was it said."""

from __future__ import annotations

import msgspec
import structlog

from talekeeper.agents.companion.hearthkeeper import Observation, observe
from talekeeper.agents.companion.policy import Decision
from talekeeper.agents.companion.style import faults
from talekeeper.doors.stream.clipping import EVERY, keep_clips
from talekeeper.doors.stream.keeper import Keeper
from talekeeper.doors.stream.outgoing import Delivery
from talekeeper.loops.companion.actions import Action, actions_of
from talekeeper.loops.companion.speaking import HEARTHKEEPER, POSTED, DecisionMade, Step, keep_step
from talekeeper.observe.ids import random_id

log = structlog.get_logger("talekeeper.stream")

TRY_AGAIN = 300.0
PROMPT, CLIP = "HEARTHKEEPER_PROMPT", "CLIP_CANDIDATE"


class Tick(msgspec.Struct, kw_only=True):
    session_id: str
    reason: str
    actions_taken: list[str] = msgspec.field(default_factory=list)
    agent_response: str | None = None
    delivery: Delivery | None = None


async def tick(keeper: Keeper) -> Tick:
    async with keeper.speaking:
        live = (await keeper.mouth.reach.status.get()).is_live
        decision = keeper.decide(live=live)
        look = Tick(session_id=keeper.session.id, reason=decision.tick_reason)
        hindrance = _hindrance(keeper) if decision.speak else None
        if hindrance is not None:
            look.reason = hindrance.reason
            await keeper.note(hindrance)
        elif decision.speak:
            await _speak(keeper, look, decision, live=live)
        else:
            await keeper.note(made_of(decision, keeper.now))
        if keeper.now - keeper.looked_for_clips_at >= EVERY and not keeper.closed:
            look.actions_taken.extend(CLIP for _ in await keep_clips(keeper))
        return look


def _hindrance(keeper: Keeper) -> DecisionMade | None:
    """Why nothing is even written, though it could be said."""
    if not keeper.mouth.connected:
        return DecisionMade(keeper.now, False, "not_connected", ("There is no connection to the chat.",))
    if keeper.now < keeper.not_before:
        return DecisionMade(keeper.now, False, "not_delivered", ("The last line did not arrive; it waits a while.",))
    return None


def made_of(decision: Decision, at: float) -> DecisionMade:
    return DecisionMade(at, decision.speak, decision.reason, decision.details)


async def _speak(keeper: Keeper, look: Tick, decision: Decision, *, live: bool) -> None:
    made = made_of(decision, keeper.now)
    observation = await written(keeper, decision)
    if keeper.closed:
        look.reason = "session_ended"
        return
    if observation is None:
        look.reason = "hearthkeeper_error"
        await keeper.note(DecisionMade(keeper.now, False, "hearthkeeper_error", ("Nothing fit to be said was found.",)))
        keeper.not_before = keeper.now + TRY_AGAIN
        return
    # People may have spoken while it was written; then it is their turn.
    again = keeper.decide(live=live)
    if not again.speak:
        look.reason = again.tick_reason
        await keeper.note(made_of(again, keeper.now))
        return
    await keeper.note(made)
    if keeper.settings.approval:
        await _hold(keeper, observation, made)
        return
    look.delivery = await keeper.mouth.say(
        keeper.session, observation.text, HEARTHKEEPER, made.reason, context_hash=observation.context_hash,
        approved_by="policy",
    )  # fmt: skip
    if look.delivery.state in POSTED:
        look.actions_taken.append(PROMPT)
        look.agent_response = observation.text
        keeper.said(observation.text, prompt=True)
    else:
        keeper.not_before = keeper.now + TRY_AGAIN


async def written(keeper: Keeper, decision: Decision) -> Observation | None:
    """Whatever a model does, the gate reads it once more before anything leaves."""
    try:
        observation = await observe(await keeper.context(), decision, keeper.model, keeper.reader)
    except Exception as error:
        log.error("hearthkeeper_failed", session=keeper.session.id, error=repr(error), exc_info=error)
        return None
    if observation is None or faults(observation.text, keeper.own):
        return None
    return observation


async def _hold(keeper: Keeper, observation: Observation, made: DecisionMade) -> None:
    """One line waits for the operator at a time; a newer one takes its place, and the quiet clock runs on as if said."""
    session = keeper.session
    waiting = await keeper.house.store.read(lambda conn: actions_of(conn, session.id, ("response",), states=("held",)))
    for older in waiting:
        dropped = msgspec.structs.replace(older, state="dropped")
        await keeper.house.command(keep_step, Step(action=dropped, why="a newer one took its place"))
    action = Action(
        id=random_id(), world=session.world, session=session.id, at=keeper.now, type="response", mode=HEARTHKEEPER,
        text=observation.text, reason=made.reason, state="held", context_hash=observation.context_hash,
    )  # fmt: skip
    await keeper.house.command(keep_step, Step(action=action))
    keeper.last_prompt_at = keeper.now
