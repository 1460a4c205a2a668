"""Nothing of a stream lives in memory only: a restart, and a crash at any step of a line, change nothing people notice."""

from __future__ import annotations

import shutil

import pytest

from talekeeper.loops.companion.actions import Action
from talekeeper.loops.companion.speaking import Step, keep_step
from talekeeper.testing.house import settings_for

MINUTE = 60.0


@pytest.fixture
def crash(tmp_path):
    """The home as a process killed at this moment would leave it."""

    def copy(door):
        scratch = shutil.ignore_patterns("checkpoints*")  # in use, and read by nobody
        shutil.copytree(door.settings.home, tmp_path / "home", dirs_exist_ok=True, ignore=scratch)
        kept = door.settings.model_dump(exclude={"home", "store_database_url", "model_provider"})
        return settings_for(tmp_path / "home", **kept)

    return copy


async def live(door):
    door.status["hearth"].live = True
    await door.look()
    return door


async def test_everything_goes_on(open_door, door, crash, clock):
    await live(door)
    session = await door.begin()
    await door.json(
        "stream/dashboard", {"raw_markdown": "x", "content_angle": "What tides leave behind", "mood": "slow"}
    )
    await door.say(session, "a line that was said before the crash, long enough to be kept in the memory")
    await door.say(session, "Buy cheap viewers and followers, best price at viewers4u .com", "growth_guy")
    await door.json("companion/hush", {"minutes": 30})
    clock.advance(5 * MINUTE)
    before = (await door.get("stream/status")).json()

    again = await open_door(crash(door))
    again.status["hearth"].live = True
    after = (await again.get("stream/status")).json()
    assert after["session"] == before["session"]
    assert after["dashboard"] == before["dashboard"]
    assert after["hearthkeeper"] == before["hearthkeeper"]
    assert again.companion.current().hushed
    (flag,) = (await again.get("companion/flags")).json()["flags"]
    assert flag["name"] == "growth_guy"
    ledgers = [(await one.get("ledger", session_id=session)).json()["ledger"] for one in (door, again)]
    assert ledgers[0] == ledgers[1]


async def test_the_cooldown_outlives_the_process_and_the_session(open_door, door, crash, clock):
    await live(door)
    clock.advance(16 * MINUTE)
    (said,) = await door.look()
    assert said.agent_response
    again = await live(await open_door(crash(door)))
    clock.advance(2 * MINUTE)
    (look,) = await again.look()
    assert look.reason == "cooldown"
    session = await again.begin()
    await again.form("session/end", session_id=session)
    await again.begin()
    clock.advance(12 * MINUTE)
    assert again.companion.current().last_prompt_at == clock() - 14 * MINUTE
    assert said.agent_response in again.companion.current().own, "nor does it repeat itself"


async def test_a_prompt_nobody_took_up_is_still_known(open_door, door, crash, clock):
    await live(door)
    for _ in range(2):
        clock.advance(16 * MINUTE)
        await door.look()
    again = await live(await open_door(crash(door)))
    clock.advance(16 * MINUTE)
    (look,) = await again.look()
    assert (look.reason, again.transport.tried) == ("cooldown", [])


@pytest.mark.parametrize(
    ("reached", "becomes", "counts"),
    [("queued", "dropped", False), ("sending", "unknown", True), ("sent", "sent", True)],
)
async def test_a_crash_at_any_step_sends_nothing_twice(open_door, door, crash, clock, reached, becomes, counts):
    await live(door)
    session = door.companion.current().session
    clock.advance(16 * MINUTE)
    for state in ("queued", "sending", "sent"):
        action = Action(
            id="a1", world=session.world, session=session.id, at=clock(), type="response", mode="hearthkeeper",
            text="The lamp is still lit.", reason="inactive_chat", state=state,
        )  # fmt: skip
        await door.engine.command(keep_step, Step(action=action))
        if state == reached:
            break
    again = await live(await open_door(crash(door)))
    (kept,) = [one for one in (await again.get("companion/actions")).json()["actions"] if one["id"] == "a1"]
    assert kept["state"] == becomes
    assert "The lamp is still lit." not in [text for text, _ in again.transport.sent]
    assert (again.companion.current().last_prompt_at == clock()) is counts
    posted = (await again.get("stream/status")).json()["hearthkeeper"]["last_posted_message"]
    assert (posted == "The lamp is still lit.") is counts


async def test_a_held_line_waits_on(open_door, crash, clock):
    door = await live(await open_door(stream_channel="hearth", stream_approval=True))
    clock.advance(16 * MINUTE)
    await door.look()
    (held,) = (await door.get("companion/held")).json()["held"]
    again = await live(await open_door(crash(door)))
    assert (await again.json("companion/approve", {"id": held["id"]})).json()["sent"]
    assert again.transport.sent == [(held["text"], "")]


async def test_sessions_of_other_channels_are_there_as_well(open_door, door, crash):
    session = await door.begin("elsewhere")
    again = await open_door(crash(door))
    assert await again.begin("elsewhere") == session
    assert len(again.companion.keepers) == 2


async def test_a_session_that_was_live_ends_when_the_grace_is_over(open_door, door, crash, clock):
    await live(door)
    session = await door.begin()
    again = await open_door(crash(door))
    await again.look()
    clock.advance(11 * MINUTE)
    await again.look()
    assert not (await again.companion.session(session)).is_open
