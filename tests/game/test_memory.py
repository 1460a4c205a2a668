"""NPCs are people of a world: they are made from their first snapshot, remember, feel, and know only what is theirs."""

from __future__ import annotations

import asyncio

import pytest

from talekeeper.canon.pages import page
from talekeeper.canon.view import CanonView
from talekeeper.timeline.lineage import path
from talekeeper.timeline.outbox import list_jobs


def canon(tavern, entity, world="game"):
    def read(conn):
        view = CanonView(conn, path(conn, world, "t1"))
        return {(f.pred, f.slot): f.obj for f in view.facts_of(entity)}

    return tavern.engine.store.read_now(read)


async def test_an_npc_is_made_from_its_first_snapshot(tavern, game, speaker):
    game.specs["mara"] = {
        "name": "Mara Quill",
        "role": "innkeeper",
        "persona": "Dry and fair.",
        "speech_style": "in short sentences",
        "goals": ["peace and quiet"],
        "relationships": [{"id": "tom", "name": "Tom", "attitude": "dislikes", "notes": "waters the ale"}],
    }
    game.extra = {"state": {"mood": "busy", "location": "The Crooked Lantern"}}
    speaker.next("<say>Yes?</say>")
    await game.say("Hello")
    await game.turn()
    facts = canon(tavern, "person/mara")
    assert facts["name", ""] == "Mara Quill"
    assert facts["role", ""] == "innkeeper"
    assert facts["goal", "1"] == "peace and quiet"
    assert facts["mood", ""] == "busy"
    assert facts["at", ""].startswith("place/the-crooked-lantern")
    assert facts["trust", "person/tom"] < 0
    assert canon(tavern, "person/ana")["name", ""] == "Ana"
    why = tavern.engine.store.read_now(lambda conn: page(conn, path(conn, "game", "t1"), "Mara Quill"))
    assert why.facts[0].role == "game"


async def test_an_npc_that_canon_knows_is_not_rewritten_by_a_game(open_tavern, speaker, sqlite_house):
    settings = sqlite_house.settings(store_synchronous="NORMAL")
    async with open_tavern(speaker, settings=settings, world="low-water") as tavern, tavern.game() as game:
        before = canon(tavern, "person/dorcas", "low-water")
        game.specs["dorcas"] = {"name": "Doctor Evil", "role": "villain"}
        script = speaker.next("<say>Yes?</say>")
        await game.say("Hello Dorcas", "dorcas")
        await game.turn()
        after = canon(tavern, "person/dorcas", "low-water")
        assert after["name", ""] == before["name", ""] != "Doctor Evil"
        assert after["role", ""] == before["role", ""]
        assert script.performance.knows


@pytest.mark.parametrize("agent", ["mara", "npc_mara_01", "Mara Quill", "персона", "a/b?c", "person/mara"])
async def test_any_id_becomes_an_entity(game, speaker, agent):
    speaker.next("<say>Yes?</say>")
    await game.say("Hello", agent)
    turn = await game.turn()
    assert turn[0]["agent_id"] == agent
    assert "error" not in [m["type"] for m in game.log]


async def test_what_was_said_yesterday_is_remembered_after_a_restart_on_another_connection(open_tavern, speaker):
    async with open_tavern(speaker) as tavern:
        async with tavern.game() as game:
            for n in range(30):
                speaker.next(f"<say>Answer {n}.</say>")
                text = "My horse is called Thunderhoof" if n == 0 else f"Something about number {n}"
                await game.say(text)
                await game.report(await game.turn())
        settings = tavern.settings
    async with open_tavern(speaker, settings=settings) as tavern, tavern.game() as game:
        script = speaker.next("<say>Thunderhoof.</say>")
        await game.say("Do you remember what my horse is called?")
        await game.turn()
        assert any("Thunderhoof" in memory for memory in script.performance.remembers)
        assert script.performance.met_before


async def test_nobody_remembers_what_they_did_not_witness(game, speaker):
    speaker.next("<say>Your secret is safe.</say>")
    await game.say("The gold is under the mill", "mara")
    await game.report(await game.turn())
    script = speaker.next("<say>What gold?</say>")
    await game.say("Where is the gold? Under the mill?", "tom")
    await game.turn()
    told = script.performance
    assert not told.remembers
    assert "secret" not in str(told)
    assert "The gold is under" not in str(told)


async def test_somebody_who_was_cut_short_is_still_annoyed_after_a_restart(open_tavern, speaker):
    async with open_tavern(speaker) as tavern:
        async with tavern.game() as game:
            game.extra = {"state": {"mood": "cheerful"}}
            speaker.next("<say>Let me tell you about the", asyncio.Event())
            await game.say("Any news?")
            await game.until("agent_tag_chunk")
            script = speaker.next("<say>I was talking.</say>")
            await game.say("Whatever. A beer!")
            await game.turn(type="agent_turn_finished")
            assert script.performance.mood == "annoyed"
            assert "cut short" in script.performance.grievance
        settings = tavern.settings
    async with open_tavern(speaker, settings=settings) as tavern, tavern.game() as game:
        game.extra = {"state": {"mood": "cheerful"}}
        script = speaker.next("<say>Hm.</say>")
        await game.say("Hello again")
        await game.turn()
        assert script.performance.mood == "annoyed"
        script = speaker.next("<say>Well, all right.</say>")
        await game.say("I am sorry I interrupted you")
        await game.turn()
        assert script.performance.mood == ""


async def test_the_game_may_change_a_mood_but_repeating_one_does_not(game, speaker):
    game.extra = {"state": {"mood": "cheerful"}}
    for words, mood in (("Hello", "cheerful"), ("You are a fool", "offended"), ("Well?", "offended")):
        script = speaker.next("<say>...</say>")
        await game.say(words)
        await game.turn()
        assert script.performance.mood == mood
    game.extra = {"state": {"mood": "asleep"}}
    script = speaker.next("<say>Zzz</say>")
    await game.say("Well?")
    await game.turn()
    assert script.performance.mood == "asleep"


@pytest.mark.parametrize(
    ("kind", "fields", "sign"),
    [
        ("gave_item", {"data": {"item": "a ring"}}, 1),
        ("attacked", {}, -1),
        ("player_said", {"text": "Thank you"}, 1),
        ("player_said", {"text": "You liar!"}, -1),
    ],
)
async def test_deeds_and_words_change_how_an_npc_feels(tavern, game, speaker, kind, fields, sign):
    speaker.next("<say>Oh.</say>")
    await game.event("mara", kind, **fields)
    await game.turn()
    facts = canon(tavern, "person/mara")
    assert facts["affection", "person/ana"] * sign > 0


async def test_every_kind_of_event_is_understood(tavern, game, speaker, bodies):
    for kind, fields in (
        ("player_did", {"text": "kicks the table"}),
        ("approach", {}),
        ("leave", {}),
        ("gave_item", {"data": {"item": {"id": "i1", "name": "a lamp"}}}),
        ("attacked", {"text": "with a chair"}),
        ("timer", {"source": {"id": "clock", "kind": "world"}}),
        ("custom", {"text": "The bell rings", "source": {"id": "bell", "kind": "world"}}),
        ("npc_said", {"text": "Psst", "source": {"id": "tom", "name": "Tom", "kind": "npc"}}),
    ):
        speaker.next("<say>Hm.</say>")
        await game.event("mara", kind, **fields)
        await game.turn()
    assert bodies(tavern) == [
        ("deed.done", "person/ana", "kicks the table"),
        ("deed.done", "person/ana", "comes up to Mara"),
        ("deed.done", "person/ana", "walks away from Mara"),
        ("deed.done", "person/ana", "gives Mara a lamp"),
        ("deed.done", "person/ana", "attacks Mara: with a chair"),
        ("narration.told", "", "some time passes"),
        ("narration.told", "", "The bell rings"),
        ("line.spoken", "person/tom", "Psst"),
    ]


async def test_reports_and_observations_become_events(tavern, game, speaker, bodies):
    speaker.next("<emote>winks</emote><say>Done.</say>")
    await game.say("Well?")
    turn = await game.turn()
    await game.report(turn, observations=["The lamp fell over.", {"text": "A cat ran out."}])
    await game.settle()
    await tavern.quiet()
    assert tavern.engine.store.read_now(list_jobs), "effects follow, as after any turn"
    assert bodies(tavern)[1:] == [
        ("deed.done", "person/mara", "winks"),
        ("line.spoken", "person/mara", "Done."),
        ("narration.told", "", "The lamp fell over."),
        ("narration.told", "", "A cat ran out."),
    ]


@pytest.mark.postgres
async def test_the_same_on_postgres(open_tavern, speaker, postgres_house):
    settings = postgres_house.settings(world=False)
    async with open_tavern(speaker, settings=settings) as tavern, tavern.game() as game:
        speaker.next("<say>A fine name.</say>")
        await game.say("My horse is called Thunderhoof")
        turn = await game.turn()
        cut = {"tag_id": "1", "tag": "say", "text": "A fine name.", "outcome": "partial", "performed_chars": 6}
        await game.report(turn, "interrupted", segments=[cut])
        for n in range(25):
            speaker.next(f"<say>Answer {n}.</say>")
            await game.say(f"Something about number {n}")
            await game.report(await game.turn())
        script = speaker.next("<say>Thunderhoof.</say>")
        await game.say("What is my horse called?")
        await game.turn()
        assert any("Thunderhoof" in memory for memory in script.performance.remembers)
        assert script.performance.mood == "annoyed"
        assert canon(tavern, "person/mara")["affection", "person/ana"] < 0
