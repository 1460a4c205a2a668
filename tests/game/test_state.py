"""get_agent_state and its answer: deadlines, revisions, updates nobody asked for, answers to something else."""

from __future__ import annotations

MINIMAL = {"name": "Mara"}


async def test_a_client_that_never_answers(open_tavern, speaker, limits):
    async with open_tavern(speaker, limits=limits(state_seconds=0.05)) as tavern, tavern.game() as game:
        game.answers_state = False
        event = await game.say("Hello")
        asked = await game.until("get_agent_state")
        assert asked["deadline_ms"] == 50
        refused = await game.until("error")
        assert (refused["code"], refused["in_reply_to"], refused["agent_id"]) == ("state_timeout", event, "mara")
        assert "agent_turn_started" not in [m["type"] for m in game.log]
        game.answers_state = True
        script = speaker.next("<say>Now I hear you.</say>")
        await game.say("Hello again")
        await game.turn()
        assert any("Hello" in noticed for noticed in script.performance.noticed)
        await game.snapshot(asked)
        await game.settle()
        assert [m["code"] for m in game.log if m["type"] == "error"] == ["state_timeout"]


async def test_a_known_revision_needs_only_the_state(game, speaker):
    game.extra = {"revision": "r1", "tags": [{"name": "speak", "stream": True}]}
    speaker.next("<speak>One.</speak>")
    await game.say("1")
    await game.turn()
    game.answers_state = False
    await game.say("2")
    asked = await game.until("get_agent_state")
    assert asked["known_revision"] == "r1"
    script = speaker.next("<speak>Two.</speak>")
    await game.send(
        "agent_state_snapshot", request_id=asked["request_id"], agent_id="mara", revision="r1", state={"mood": "tired"}
    )
    await game.turn()
    assert script.performance.sheet.spec.name == "Mara"
    assert script.performance.sheet.state.mood == "tired"
    assert [tag.name for tag in script.performance.sheet.tags] == ["speak"]


async def test_another_revision_needs_everything(game, speaker):
    game.extra = {"revision": 3.0}
    speaker.next("<say>One.</say>")
    await game.say("1")
    await game.turn()
    game.answers_state = False
    await game.say("2")
    asked = await game.until("get_agent_state")
    assert asked["known_revision"] == 3
    partial = {"request_id": asked["request_id"], "agent_id": "mara", "revision": 4.0, "state": {}}
    await game.send("agent_state_snapshot", **partial)
    assert (await game.until("error"))["code"] == "invalid_payload"
    speaker.next("<say>Two.</say>")
    await game.send("agent_state_snapshot", **partial, spec=MINIMAL)
    await game.turn()


async def test_revisions_are_known_on_their_own_connection_only(tavern, speaker):
    async with tavern.game() as first:
        first.extra = {"revision": "1"}
        speaker.next("<say>One.</say>")
        await first.say("1")
        await first.turn()
    async with tavern.game() as second:
        speaker.next("<say>Two.</say>")
        await second.say("2")
        asked = await second.until("get_agent_state")
        assert "known_revision" not in asked
        await second.turn()


async def test_an_update_nobody_asked_for_is_the_newest(game, speaker):
    await game.send("agent_state_snapshot", agent_id="mara", revision="a", spec=MINIMAL, state={"mood": "glad"})
    await game.settle()
    assert "error" not in [m["type"] for m in game.log]
    game.answers_state = False
    await game.say("Hello")
    asked = await game.until("get_agent_state")
    assert asked["known_revision"] == "a"
    script = speaker.next("<say>Hello.</say>")
    await game.send("agent_state_snapshot", request_id=asked["request_id"], agent_id="mara", revision="a")
    await game.turn()
    assert script.performance.sheet.state.mood == "glad"


async def test_a_snapshot_for_another_request_is_refused_and_the_right_one_still_counts(game, speaker):
    game.answers_state = False
    await game.say("Hello")
    asked = await game.until("get_agent_state")
    await game.send("agent_state_snapshot", request_id="nobody-asked", agent_id="mara", spec=MINIMAL)
    refused = await game.until("error")
    assert (refused["code"], refused["in_reply_to"]) == ("invalid_payload", "nobody-asked")
    await game.send("agent_state_snapshot", request_id=asked["request_id"], agent_id="tom", spec=MINIMAL)
    assert (await game.until("error"))["code"] == "invalid_payload"
    speaker.next("<say>Hello.</say>")
    await game.snapshot(asked)
    await game.turn()


async def test_the_first_snapshot_needs_a_spec(game):
    await game.send("agent_state_snapshot", agent_id="mara", state={})
    refused = await game.until("error")
    assert refused["code"] == "invalid_payload"
    assert "spec" in refused["message"]
