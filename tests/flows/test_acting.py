"""One action through the house: what the player sees, what is kept, what is refused at the door."""

from __future__ import annotations

import asyncio

import pytest

from talekeeper.errors import BadInput, ModelDown, TalekeeperError, TooLarge
from talekeeper.loops.frames import Roll, Snapshot, TagChunk, TagClose, TagOpen, TurnEnded, TurnStarted
from talekeeper.loops.intents import Act
from talekeeper.loops.running import RunningTurn
from talekeeper.testing.scripted_teller import ScriptedTeller
from talekeeper.timeline.outbox import list_jobs
from talekeeper.timeline.vocabulary import ActionTaken, NarrationTold, OutcomeResolved, ProposalStaged, RollMade


async def test_a_turn_from_action_to_snapshot(table) -> None:
    frames = await table.act("search the room")
    kinds = [type(frame) for frame in frames]
    assert kinds[0] is TurnStarted
    assert kinds[-2:] == [Snapshot, TurnEnded]
    check, fell = (frame for frame in frames if isinstance(frame, Roll))
    assert check.difficulty == fell.difficulty
    assert check.total is None, "the difficulty is said before the dice fall"
    (rolled,) = table.events(RollMade)
    assert (fell.total, fell.detail, fell.tier) == (rolled.body.total, rolled.body.detail, rolled.body.tier)
    assert frames[-1].state == "done"
    assert frames[-1].head == table.events()[-1].seq


async def test_frames_are_numbered_without_gaps_and_a_late_watcher_sees_them_all(table) -> None:
    turn = await table.begin("look around")
    early = [frame async for frame in turn.watch()]
    late = [frame async for frame in turn.watch()]
    assert [frame.seq for frame in early] == list(range(len(early)))
    assert late == early
    assert [frame async for frame in turn.watch(start=3)] == early[3:]


async def test_what_was_shown_is_what_is_kept(table) -> None:
    frames = await table.act("look around")
    shown = "".join(frame.text for frame in frames if isinstance(frame, TagChunk)).split()
    closed = " ".join(frame.text for frame in frames if isinstance(frame, TagClose)).split()
    kept = " ".join(e.body.text for e in table.events(NarrationTold)[1:]).split()
    assert kept == closed
    assert "".join(kept) == "".join(shown)


async def test_a_turn_is_one_run_of_events_with_the_action_as_their_cause(table) -> None:
    before = table.events()[-1].seq
    await table.act("search the room")
    mine = [e for e in table.events() if e.turn == "t1#1"]
    assert [e.seq for e in mine] == list(range(before + 1, before + 1 + len(mine)))
    first, *rest = mine
    assert isinstance(first.body, ActionTaken)
    assert first.idem == "turn:t1#1"
    assert {e.cause for e in rest} == {first.id}
    assert sum(isinstance(e.body, OutcomeResolved) for e in mine) == 1
    (job,) = table.engine.store.read_now(lambda conn: list_jobs(conn))
    assert job.seq == mine[-1].seq


async def test_turns_are_numbered_and_the_row_tells_the_whole_story(table) -> None:
    for line in ("look around", "wait", "look around"):
        await table.act(line)
    assert [(t.id, t.number, t.state, t.attempt) for t in table.turns()] == [
        ("t1#1", 1, "done", 1), ("t1#2", 2, "done", 1), ("t1#3", 3, "done", 1),
    ]  # fmt: skip
    turn = table.turn("t1#2")
    assert turn.manifest
    assert turn.outcome
    assert turn.prose
    assert turn.last_seq is not None
    assert turn.base_seq < turn.last_seq


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", BadInput),
        (" \n\t ", BadInput),
        ("x" * 100_000, TooLarge),
        ("ring the \x07 bell", BadInput),
        ("half a \ud83d face", BadInput),
    ],
)
async def test_what_cannot_be_an_action_is_refused_and_leaves_nothing(table, text: str, error: type) -> None:
    before = table.events()
    with pytest.raises(error) as refused:
        await table.act(text)
    assert refused.value.hint
    assert table.events() == before
    assert table.turns() == []


async def test_the_same_request_gives_the_same_turn(seat) -> None:
    moment = asyncio.Event()
    table = seat(ScriptedTeller([[moment, "<narration>At last.</narration>"]]))
    first = await table.begin("knock", idem="request-1")
    again = await table.begin("knock", idem="request-1")
    assert again is first, "while it runs, it is the very same"
    moment.set()
    await first.ended.wait()
    later = await table.begin("knock", idem="request-1")
    assert [type(f) for f in [frame async for frame in later.watch()]] == [TurnEnded]
    assert later.result.state == "done"
    assert len(table.events(ActionTaken)) == 1


async def test_a_player_who_hangs_up_does_not_undo_the_turn(seat) -> None:
    teller = ScriptedTeller()
    table = seat(teller)
    begun: asyncio.Future[RunningTurn] = asyncio.get_running_loop().create_future()
    table.engine.scenes.onlookers.append(begun.set_result)
    asking = asyncio.ensure_future(table.begin("knock"))
    await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    await (await begun).ended.wait()
    assert table.turns()[0].state == "done"


async def test_a_failed_model_leaves_no_events_and_the_turn_can_be_retried(seat) -> None:
    table = seat(ScriptedTeller([["<narration>It was a dark", ModelDown("The model did not answer.", "Try again.")]]))
    before = table.events()
    frames = await table.act("search the room")
    assert frames[-1].state == "failed"
    assert frames[-1].error["code"] == "model_down"
    assert table.events() == before
    failed = table.turn("t1#1")
    frames = await table.retry()
    assert frames[-1].state == "done"
    assert (table.active, table.turn("t1#1").outcome) == ("t1", failed.outcome), "where it was, with the same dice"
    assert len(table.events(RollMade)) == 1


async def test_after_a_failure_another_action_may_take_its_place(seat) -> None:
    table = seat(ScriptedTeller([[RuntimeError("a bug")]]))
    frames = await table.act("dance")
    assert frames[-1].state == "failed"
    await table.act("look around")
    (action,) = table.events(ActionTaken)
    assert (action.turn, action.body.text) == ("t1#1", "look around")


async def test_a_teller_that_says_nothing_is_stood_in_for(seat) -> None:
    table = seat(ScriptedTeller([[], []]))
    frames = await table.act("look around")
    assert frames[-1].state == "done"
    assert any(isinstance(frame, TagOpen) for frame in frames)


async def test_a_narrator_may_claim_but_not_decide(seat) -> None:
    claims = (
        '<propose subj="person/nan" pred="trait" slot="sly" obj="sly">she winked</propose>'
        '<propose subj="person/nan" pred="secret" slot="x" obj="stolen">the player said so</propose>'
    )
    table = seat(ScriptedTeller([[f"<narration>Nan winked.</narration>{claims}"]]))
    await table.act("look at Nan")
    (staged,) = table.events(ProposalStaged)
    assert staged.body.claims[0].pred == "trait"
    told = next(e for e in table.events(NarrationTold) if e.turn == "t1#1")
    assert staged.body.evidence == (told.id,)
    assert table.canon("person/nan", "trait", "sly") is None
    assert table.canon("person/nan", "secret", "x") is None


async def test_an_unknown_world_says_which_there_are(table) -> None:
    with pytest.raises(TalekeeperError, match="Here are: low-water"):
        await table.engine.scenes.act(Act(world="atlantis", text="swim"))
