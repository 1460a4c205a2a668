"""What enters the history: only what was performed, cut where it was cut; a guess until the game says so."""

from __future__ import annotations

import asyncio


async def answered(game, speaker, words, text="Go on", **report):
    """A whole turn, reported as the game says."""
    speaker.next(words)
    await game.say(text)
    turn = await game.turn(type="agent_turn_finished")
    if report.pop("reported", True):
        await game.report(turn, **report)
    return turn


async def history(game, speaker):
    """What the speaker is shown of the past in the next turn."""
    script = speaker.next("<say>(end)</say>")
    await game.say("What did you say?")
    await game.turn(type="agent_turn_finished")
    return script.performance.history


def said(exchange):
    return [(piece.tag, piece.text) for piece in exchange.said]


async def test_what_was_performed_is_remembered_as_said(game, speaker):
    await answered(game, speaker, "<emote>nods</emote><say>Aye.</say>", "Is it far?")
    (past,) = await history(game, speaker)
    assert past.perceived == "Ana says to Mara: Is it far?"
    assert said(past) == [("emote", "nods"), ("say", "Aye.")]
    assert past.confirmed


async def test_a_partial_line_is_cut_where_the_game_stopped(game, speaker):
    turn = await answered(game, speaker, "<say>Once upon a time.</say>", reported=False)
    segment = {"tag_id": "1", "tag": "say", "text": "Once upon a time.", "outcome": "partial", "performed_chars": 9.0}
    await game.report(turn, "interrupted", segments=[segment])
    (past,) = await history(game, speaker)
    assert said(past) == [("say", "Once upon")]
    assert past.cut_short


async def test_what_was_skipped_was_never_said(game, speaker):
    turn = await answered(game, speaker, "<say>Hello.</say><action>leaves</action>", reported=False)
    segments = [
        {"tag_id": "1", "tag": "say", "text": "Hello.", "outcome": "performed"},
        {"tag_id": "2", "tag": "action", "text": "leaves", "outcome": "failed", "reason": "the door is locked"},
    ]
    await game.report(turn, "partial", segments=segments)
    (past,) = await history(game, speaker)
    assert said(past) == [("say", "Hello.")]


async def test_a_report_without_texts_means_what_was_sent(game, speaker):
    turn = await answered(game, speaker, "<say>Hello.</say>", reported=False)
    await game.report(turn, segments=[{"tag_id": "1", "tag": "say", "outcome": "performed"}])
    (past,) = await history(game, speaker)
    assert said(past) == [("say", "Hello.")]


async def test_nothing_performed_means_no_answer_and_never_two_questions_in_a_row(game, speaker):
    turn = await answered(game, speaker, "<say>Hello.</say>", "First", reported=False)
    await game.report(turn, "failed", segments=[])
    await answered(game, speaker, "<say>Yes.</say>", "Second")
    (past,) = await history(game, speaker)
    assert past.perceived.splitlines() == ["Ana says to Mara: First", "Ana says to Mara: Second"]
    assert said(past) == [("say", "Yes.")]


async def test_without_a_report_what_was_sent_counts_but_is_not_certain(game, speaker):
    await answered(game, speaker, "<say>I said so.</say>", reported=False)
    (past,) = await history(game, speaker)
    assert said(past) == [("say", "I said so.")]
    assert not past.confirmed


async def test_a_late_report_replaces_the_guess_and_the_first_report_stands(open_tavern, speaker, limits, lines, until):
    async with open_tavern(speaker, limits=limits(result_seconds=0.01)) as tavern, tavern.game() as game:
        turn = await answered(game, speaker, "<say>The king is dead.</say>", reported=False)
        await until(lambda: lines(tavern, by="person/mara") == ["The king is dead."])
        cut = {"tag_id": "1", "tag": "say", "text": "The king is dead.", "outcome": "partial", "performed_chars": 8}
        await game.report(turn, "partial", segments=[cut])
        (past,) = await history(game, speaker)
        assert said(past) == [("say", "The king")]
        assert past.confirmed
        await game.report(turn, segments=[{"tag_id": "1", "tag": "say", "text": "Other", "outcome": "performed"}])
        await tavern.quiet()
        heard = [line for line in lines(tavern, by="person/mara") if line]
        assert heard[0] == "The king"
        assert "Other" not in heard


async def test_a_report_may_come_on_another_connection_after_a_restart(open_tavern, speaker, lines):
    async with open_tavern(speaker) as tavern:
        async with tavern.game() as game:
            turn = await answered(game, speaker, "<say>Bread and salt.</say>", reported=False)
        settings = tavern.settings
    async with open_tavern(speaker, settings=settings) as tavern, tavern.game() as game:
        cut = {"tag_id": "1", "tag": "say", "text": "Bread and salt.", "outcome": "partial", "performed_chars": 5}
        await game.report(turn, segments=[cut])
        (past,) = await history(game, speaker)
        assert said(past) == [("say", "Bread")]


async def test_a_report_of_a_turn_nobody_knows(game):
    await game.send("agent_turn_result", turn_id="turn-x", agent_id="mara", status="completed", segments=[])
    refused = await game.until("error")
    assert (refused["code"], refused["turn_id"]) == ("stale_turn", "turn-x")


async def test_an_interrupted_turn_is_kept_as_far_as_it_was_sent(game, speaker):
    speaker.next("<say>It all began when", asyncio.Event())
    await game.say("How did it begin?")
    await game.until("agent_tag_chunk")
    (past,) = await history(game, speaker)
    assert said(past) == [("say", "It all began when")]
    assert past.cut_short


async def test_a_crash_keeps_what_was_heard(open_tavern, speaker, crash):
    async with open_tavern(speaker) as tavern, tavern.game() as game:
        speaker.next("<say>Half a sent", asyncio.Event())
        await game.say("Remember the word saltpetre")
        await game.until("agent_tag_chunk")
        settings = crash(tavern)
    async with open_tavern(speaker, settings=settings) as tavern, tavern.game() as game:
        script = speaker.next("<say>Saltpetre.</say>")
        await game.say("What was the word?")
        await game.turn(type="agent_turn_finished")
        shown = [*script.performance.noticed, *script.performance.remembers]
        assert any("saltpetre" in text for text in shown)
