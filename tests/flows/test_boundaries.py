"""Lines, veils and the X-card hold in the prose itself: what the table does not want is not told, nor even shown."""

from __future__ import annotations

import pytest

from talekeeper.agents.storyteller import Storyteller
from talekeeper.errors import BadInput
from talekeeper.loops.command_line import read_line
from talekeeper.loops.frames import TagChunk, TagClose, TurnRestarted
from talekeeper.loops.intents import Backtrack, Bound, Direct, Fork, Switch, XCard
from talekeeper.loops.scene.commands import draw_boundary, give_directive, play_x_card
from talekeeper.loops.scene.travel import backtrack, fork_timeline, switch
from talekeeper.testing.scripted_teller import ScriptedTeller
from talekeeper.timeline.vocabulary import GuardActed, NarrationTold

CRAWLING = ["<narration>The lamp was lit. A spi", "der crawled over the sill. Nan ", "looked up.</narration>"]
CALM = ["<narration>The lamp was lit. Nan looked up.</narration>"]


def shown(frames) -> str:
    return "".join(frame.text for frame in frames if isinstance(frame, TagChunk))


def told(table) -> list[str]:
    return [event.body.text for event in table.events(NarrationTold)][-1:]


@pytest.mark.parametrize("veiled", [False, True])
async def test_what_crosses_a_line_or_a_veil_is_told_otherwise(seat, veiled: bool) -> None:
    table = seat(ScriptedTeller([CRAWLING, CALM]))
    await table.do(draw_boundary, Bound, text="spiders", veiled=veiled)
    frames = await table.act("wait")
    assert any(isinstance(frame, TurnRestarted) for frame in frames)
    assert "spider" not in shown(frames)
    assert told(table) == ["The lamp was lit. Nan looked up."]
    (acted,) = (event.body for event in table.events(GuardActed))
    assert (acted.guard, acted.action, acted.excerpt) == ("boundary", "regenerate", "")


async def test_what_crosses_it_again_is_taken_out(seat) -> None:
    table = seat(ScriptedTeller([CRAWLING, CRAWLING]))
    await table.do(draw_boundary, Bound, text="No spiders, please.")
    frames = await table.act("wait")
    assert "spider" not in shown(frames)
    assert shown(frames).split() == "The lamp was lit. The lamp was lit. Nan looked up.".split()
    assert [f.text for f in frames if isinstance(f, TagClose)] == ["The lamp was lit. Nan looked up."]
    assert told(table) == ["The lamp was lit. Nan looked up."]


async def test_the_x_cards_subject_stays_away(seat) -> None:
    teller = ScriptedTeller([CALM, CRAWLING, CALM])
    table = seat(teller)
    await table.act("wait")
    await table.do(play_x_card, XCard, note="spiders")
    assert "spider" not in shown(await table.act("wait"))
    assert "spiders" in teller.told[-1].directives[0]


async def test_a_line_taken_back_is_gone(seat) -> None:
    table = seat(ScriptedTeller([CRAWLING]))
    drawn = await table.do(draw_boundary, Bound, text="spiders")
    await table.do(give_directive, Direct, text="", lifts=drawn.id)
    assert "spider" in shown(await table.act("wait"))


async def test_what_is_shown_at_a_careful_table_is_all_that_is_told(seat) -> None:
    table = seat(Storyteller())
    await table.do(draw_boundary, Bound, text="spiders, needles; harm to animals")
    for action in ("look around", "ask Dorcas about my father", "search the room"):
        frames = await table.act(action)
        closed = [frame for frame in frames if isinstance(frame, TagClose)]
        assert closed
        for tag in closed:
            assert shown(f for f in frames if getattr(f, "tag_id", "") == tag.tag_id).split() == tag.text.split()


async def test_it_holds_wherever_the_table_goes(seat) -> None:
    teller = ScriptedTeller()
    table = seat(teller)

    def lines() -> int:
        return sum("spiders" in text for text in teller.told[-1].directives)

    await table.act("wait")
    await table.act("wait")
    await table.do(draw_boundary, Bound, text="spiders")
    for travel, intent, more in (
        (backtrack, Backtrack, {"to": 0}),
        (fork_timeline, Fork, {}),
        (switch, Switch, {"timeline": "t2"}),
        (backtrack, Backtrack, {"back": 1}),
    ):
        await table.do(travel, intent, **more)
        await table.act("wait")
        assert lines() == 1, f"after {travel.__name__}"
    await table.do(switch, Switch, timeline="t1")
    await table.act("wait")
    assert lines() == 1


async def test_an_older_timeline_gets_it_when_the_table_goes_there(seat) -> None:
    teller = ScriptedTeller()
    table = seat(teller)
    await table.act("wait")
    await table.do(fork_timeline, Fork)
    await table.do(play_x_card, XCard, note="spiders")
    await table.do(switch, Switch, timeline="t1")
    await table.act("wait")
    assert "spiders" in teller.told[-1].directives[0]


def test_they_are_drawn_in_a_word() -> None:
    assert read_line("w", "/line spiders") == Bound(world="w", text="spiders")
    assert read_line("w", "/veil torture, needles") == Bound(world="w", text="torture, needles", veiled=True)
    with pytest.raises(BadInput, match="What should not be told"):
        read_line("w", "/line")
