"""Words sent as the companion by its operator: through the same gates as its own."""

from __future__ import annotations

from talekeeper.agents.companion.style import clean, faults
from talekeeper.doors.stream.admin_route import Refused
from talekeeper.doors.stream.keeper import Keeper
from talekeeper.doors.stream.outgoing import Delivery
from talekeeper.loops.companion.speaking import HEARTHKEEPER, POSTED

NOT_LIVE, SEND_FAILED, STYLE_GATE, HUSHED = "stream_not_live", "send_failed", "style_gate", "hushed"


async def say_as_companion(
    keeper: Keeper, text: str, mode: str, reason: str, *, action_id: str = "", context_hash: str = ""
) -> Delivery:
    if not await keeper.mouth.may_post():
        raise Refused(409, NOT_LIVE)
    if keeper.hushed:
        raise Refused(409, HUSHED)
    line = clean(text)
    wrong = faults(line, keeper.own) if line else ("There is nothing to say.",)
    if not wrong and keeper.reader is not None:
        # Where nobody answers, the rules and a person have read it: that will do.
        wrong = await keeper.reader.misgivings(line) or ()
    if wrong:
        raise Refused(422, {"code": STYLE_GATE, "reasons": wrong})
    delivery = await keeper.mouth.say(
        keeper.session, line, mode, reason, approved_by="operator", action_id=action_id, context_hash=context_hash
    )
    if delivery.state in POSTED:
        keeper.said(line, prompt=mode == HEARTHKEEPER)
    if not delivery.sent:
        raise Refused(502, SEND_FAILED)
    return delivery
