"""Notifications: noticed, remembered, in the next prompt, and never answered by themselves."""

from __future__ import annotations

BELL = {"kind": "custom", "source": {"id": "bell", "kind": "world"}, "text": "The bell rings twice."}


async def asked(game, speaker, text="Hello", agent="mara"):
    script = speaker.next("<say>Yes?</say>")
    await game.say(text, agent)
    await game.turn(agent_id=agent)
    return script.performance


async def test_a_notification_is_in_the_next_prompt_and_starts_no_turn(game, speaker):
    await game.send("notification_event", agent_id="mara", event=BELL)
    await game.settle()
    assert [m["type"] for m in game.log] == ["pong"]
    assert (await asked(game, speaker)).noticed == ("The bell rings twice.",)
    later = await asked(game, speaker)
    assert later.noticed == ()
    assert "The bell rings twice." in later.history[0].perceived


async def test_a_notification_stays_for_as_many_turns_as_it_says(game, speaker):
    await game.send("notification_event", agent_id="mara", event=BELL, ttl_turns=2.0)
    for expected in (1, 1, 0):
        assert len((await asked(game, speaker)).noticed) == expected


async def test_several_agents_and_everybody(game, speaker):
    await asked(game, speaker, agent="ida")
    await game.send("notification_event", agent_ids=["mara", "tom"], event=BELL)
    assert (await asked(game, speaker, agent="mara")).noticed
    assert (await asked(game, speaker, agent="tom")).noticed
    assert not (await asked(game, speaker, agent="ida")).noticed
    await game.send("notification_event", agent_id="*", event={**BELL, "text": "Fire!"})
    for agent in ("mara", "tom", "ida"):
        assert (await asked(game, speaker, agent=agent)).noticed == ("Fire!",)


async def test_what_everybody_noticed_is_remembered_by_those_who_come_later(tavern, game, speaker):
    await game.send("notification_event", agent_id="*", event={**BELL, "text": "The lighthouse collapsed."})
    await game.settle()
    performance = await asked(game, speaker, "What about the lighthouse?", "newcomer")
    assert performance.remembers == ("The lighthouse collapsed.",)


async def test_what_one_noticed_the_others_did_not(game, speaker):
    await game.send("notification_event", agent_id="mara", event={**BELL, "text": "A purse falls behind the counter."})
    await game.settle()
    assert not (await asked(game, speaker, "Where is the purse?", "tom")).remembers


async def test_when_there_is_too_much_the_least_important_is_dropped(open_tavern, speaker, limits):
    async with open_tavern(speaker, limits=limits(noticed=2)) as tavern, tavern.game() as game:
        for n, salience in enumerate((0.9, 0.1, 0.5)):
            event = {**BELL, "text": f"Thing {n}", "salience": salience}
            await game.send("notification_event", agent_id="mara", event=event)
        assert (await asked(game, speaker)).noticed == ("Thing 0", "Thing 2")


async def test_a_notification_for_nobody_is_refused(game):
    await game.send("notification_event", event=BELL, id="n1")
    refused = await game.until("error")
    assert (refused["code"], refused["in_reply_to"]) == ("invalid_payload", "n1")
