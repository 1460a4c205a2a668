"""Answers to whoever spoke to the companion: gated like everything it says, and not more often than is polite."""

from __future__ import annotations

from collections import OrderedDict

import msgspec
import structlog

from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.steward import Command, answer
from talekeeper.agents.companion.style import faults
from talekeeper.doors.stream.keeper import Keeper
from talekeeper.doors.stream.outgoing import Delivery
from talekeeper.loops.companion.actions import Action
from talekeeper.loops.companion.speaking import POSTED, STEWARD, Step, keep_step
from talekeeper.observe.ids import random_id

log = structlog.get_logger("talekeeper.stream")

BETWEEN_ANSWERS = 4.0
TO_ONE_PERSON = 20.0
MOST_PEOPLE = 1000
LONGEST = 1000
MOST_SENTENCES = 12


class Manners:
    """How often it lets itself be asked. Moderators may always ask."""

    def __init__(self) -> None:
        self._last = float("-inf")
        self._people: OrderedDict[str, float] = OrderedDict()

    def allow(self, line: ChatLine, now: float) -> bool:
        if not line.moderator and (
            now - self._last < BETWEEN_ANSWERS or now - self._people.get(line.name, float("-inf")) < TO_ONE_PERSON
        ):
            return False
        self._last = self._people[line.name] = now
        self._people.move_to_end(line.name)
        if len(self._people) > MOST_PEOPLE:
            self._people.popitem(last=False)
        return True


class Answer(msgspec.Struct):
    text: str
    delivery: Delivery | None = None


async def reply(keeper: Keeper, line: ChatLine, command: Command) -> Answer | None:
    """Says it in the chat, if it may."""
    if not keeper.at_liberty or not await keeper.mouth.may_post():
        return None
    text = await worded(keeper, line, command)
    if text is None or not _still_at_liberty(keeper):
        return None
    delivery = await keeper.mouth.say(
        keeper.session, text, STEWARD, f"asked by {line.name}", approved_by="policy", reply_to=line.id
    )
    if delivery.state in POSTED:
        keeper.said(text)
    return Answer(text, delivery)


def _still_at_liberty(keeper: Keeper) -> bool:
    """While the answer was written, the session may have ended or somebody asked for silence."""
    return keeper.at_liberty


async def show(keeper: Keeper, line: ChatLine, command: Command) -> str | None:
    """The same for the operator alone: recorded, and never posted."""
    text = await worded(keeper, line, command)
    if text is not None:
        session = keeper.session
        action = Action(
            id=random_id(), world=session.world, session=session.id, at=keeper.now, type="response", mode=STEWARD,
            text=text, reason=f"asked by {line.name}, in a test", state="shown", approved_by="operator",
        )  # fmt: skip
        await keeper.house.command(keep_step, Step(action=action))
    return text


async def worded(keeper: Keeper, line: ChatLine, command: Command) -> str | None:
    try:
        text = await answer(command, line, await keeper.context(), keeper.model, keeper.reader)
    except Exception as error:
        log.error("steward_failed", session=keeper.session.id, error=repr(error), exc_info=error)
        return None
    if text is None or faults(text, limit=LONGEST, sentences=MOST_SENTENCES):
        return None
    return text
