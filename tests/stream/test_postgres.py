"""The same evening on Postgres: kept, flagged, taken back, restarted, told."""

from __future__ import annotations

import pytest

from talekeeper.agents.companion.line import ChatLine
from talekeeper.doors.stream.transport.port import LineHeard, LineRemoved

pytestmark = pytest.mark.postgres


async def test_an_evening_on_postgres(open_door, postgres_house, clock):
    settings = postgres_house.settings(
        world=False, stream_admin_key="a key for tests", limits_requests=0, stream_channel="hearth"
    )
    door = await open_door(settings)
    door.status["hearth"].live = True
    await door.look()
    session = await door.begin()
    await door.json("stream/dashboard", {"raw_markdown": "x", "content_angle": "What tides leave behind"})
    for number, text in enumerate(
        (
            "the tide pools were full of small green glass this morning, nobody knows why",
            "hi\x00 there",
            "taken back soon",
        )
    ):
        line = ChatLine(id=f"m{number}", name=f"mara\x00{number}", text=text, at=clock())
        await door.transport.hear(LineHeard(line))
    await door.say(session, "Buy cheap viewers and followers, best price at viewers4u .com", "growth_guy")
    await door.transport.hear(LineRemoved(message="m2"))
    clock.advance(60 * 60)
    (look,) = await door.look()
    assert look.delivery.sent
    status = (await door.get("stream/status")).json()
    assert status["session"]["message_count"] == 4

    again = await open_door(settings)
    again.status["hearth"].live = True
    restored = (await again.get("stream/status")).json()
    assert (restored["session"], restored["hearthkeeper"]) == (status["session"], status["hearthkeeper"])
    assert len((await again.get("companion/flags")).json()["flags"]) == 1
    ledger = (await again.get("ledger", session_id=session)).json()["ledger"]
    assert "small green glass" in ledger
    assert "taken back soon" not in ledger
