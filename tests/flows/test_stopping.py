"""Stopped in the middle: the text so far stays, the outcome stands, half a claim is no claim."""

from __future__ import annotations

import asyncio
import itertools

import pytest

from talekeeper.loops.frames import TagClose, TurnEnded
from talekeeper.testing.scripted_teller import ScriptedTeller
from talekeeper.timeline.vocabulary import GuardActed, LineSpoken, NarrationTold, OutcomeResolved, ProposalStaged

NEVER = asyncio.Event


async def stopped(table, teller: ScriptedTeller, action: str = "search the room"):
    turn = await table.begin(action)
    await teller.reached.wait()
    assert await table.stop()
    return [frame async for frame in turn.watch()]


def told(table) -> list[str]:
    return [e.body.text for e in table.events(NarrationTold, LineSpoken) if e.turn is not None]


async def test_the_text_so_far_stays_and_the_outcome_stands(seat) -> None:
    teller = ScriptedTeller([["<narration>The lid came up. Under it", NEVER()]])
    table = seat(teller)
    frames = await stopped(table, teller)
    assert frames[-1].state == "interrupted"
    assert [f.reason for f in frames if isinstance(f, TagClose)] == ["interrupted"]
    assert told(table) == ["The lid came up. Under it"]
    assert len(table.events(OutcomeResolved)) == 1
    assert table.turn("t1#1").state == "interrupted"
    frames = await table.act("look around")
    assert (frames[-1].state, frames[0].number) == ("done", 2)


async def test_half_a_claim_is_dropped_and_a_whole_one_is_kept(seat) -> None:
    whole = '<propose subj="person/nan" pred="mood" obj="sour">she frowned</propose>'
    half = '<propose subj="person/nan" pred="trait" slot="sly" obj="sly">she'
    teller = ScriptedTeller([[f"<narration>Nan frowned.</narration>{whole}{half}", NEVER()]])
    table = seat(teller)
    await stopped(table, teller)
    assert [e.body.claims[0].pred for e in table.events(ProposalStaged)] == ["mood"]


async def test_stopped_before_a_word_was_said(seat) -> None:
    teller = ScriptedTeller([[NEVER()]])
    table = seat(teller)
    frames = await stopped(table, teller)
    assert frames[-1].state == "interrupted"
    assert told(table) == []
    assert len(table.events(OutcomeResolved)) == 1


async def test_stopped_while_somebody_speaks_both_keep_what_they_said(seat) -> None:
    teller = ScriptedTeller(
        [
            [
                '<narration>Nan looked up.</narration><narration>The room <cue who="person/nan" about="the dam"/>',
                " went on.",
            ]
        ],
        [["<say>I never said", NEVER()]],
    )
    table = seat(teller)
    frames = await stopped(table, teller, "ask Nan about the dam")
    assert frames[-1].state == "interrupted"
    assert told(table) == ["Nan looked up.", "I never said", "The room"]


@pytest.mark.parametrize("cut", range(0, 60, 7))
async def test_wherever_it_is_cut_the_record_is_what_was_shown(seat, cut: int) -> None:
    text = "<narration>One &amp; two.</narration><do who='person/nan'>nods</do><narration>Three."
    teller = ScriptedTeller([[text[:cut], NEVER()]])
    table = seat(teller)
    frames = await stopped(table, teller)
    shown = [f.text.strip() for f in frames if isinstance(f, TagClose) and f.text.strip()]
    kept = [e.body.text for e in table.events() if e.turn and e.kind in ("narration.told", "deed.done")]
    assert kept == shown
    assert isinstance(frames[-1], TurnEnded)


async def test_there_may_be_nothing_to_stop(table) -> None:
    assert not await table.stop()
    await table.act("look around")
    assert not await table.stop()


@pytest.mark.parametrize("shape", ["<narration>{}</narration>", "<narration>{}", "{}"])
async def test_a_teller_that_finds_no_end_is_left_talking_to_itself(seat, shape: str) -> None:
    class Endless(ScriptedTeller):
        async def tell(self, telling):
            for start in itertools.count(step=500):
                yield shape.format(" ".join(map(str, range(start, start + 500))))
                await asyncio.sleep(0)

    table = seat(Endless([]))
    frames = await table.act("wait")
    assert frames[-1].state == "done"
    assert any(text.startswith("0 1 2 3") for text in told(table))
    (left_off,) = table.events(GuardActed)
    assert (left_off.body.guard, left_off.body.action) == ("length", "stop")
