"""What every transport does alike, whichever wires it has."""

from __future__ import annotations

from typing import Any

import pytest

from talekeeper.doors.stream.transport.port import LineRemoved


@pytest.fixture(params=["eventsub", "irc"])
def transport(request: pytest.FixtureRequest) -> Any:
    return request.getfixturevalue(request.param)()


async def test_hears_what_is_taken_back(twitch: Any, transport: Any, start: Any, listener: Any) -> None:
    await start(transport).connected()
    said = await twitch.says("ada", "my address is ...")
    await twitch.deletes(said)
    await twitch.clears("ada")
    await twitch.clears()
    await listener.until(lambda one: one == LineRemoved())
    assert listener.heard[1:] == [LineRemoved(message=said), LineRemoved(name="ada"), LineRemoved()]


async def test_a_line_that_was_sent_has_an_id(twitch: Any, transport: Any, start: Any) -> None:
    running = start(transport)
    await running.connected()
    sent = await running.transport.send("The fire is low.")
    assert sent.message_id
    assert running.transport.state.last_error == ""
