"""At the table rather than in the world: corrections, rolls, decisions, directives, the X-card, the end of a scene."""

from __future__ import annotations

import pytest

from talekeeper.errors import BadInput, HeadMoved, NotAllowed, NotFound
from talekeeper.loops.intents import Decide, Direct, Edit, EndScene, Hear, Roll, XCard
from talekeeper.loops.scene.commands import (
    close_scene,
    decide_proposal,
    edit_narration,
    give_directive,
    hear,
    play_x_card,
    roll_dice,
)
from talekeeper.memory.recall import recall
from talekeeper.rules.dice import replay
from talekeeper.testing.house import WORLD
from talekeeper.testing.scripted_teller import ScriptedTeller
from talekeeper.timeline.lineage import path
from talekeeper.timeline.transcript import transcript
from talekeeper.timeline.vocabulary import (
    PUBLIC,
    UNSEEN,
    ChatSaid,
    Claim,
    Draft,
    LineSpoken,
    NarrationTold,
    ProposalDecided,
    ProposalStaged,
    RollMade,
    SceneEnded,
    SceneOpened,
)

SLY = '<propose subj="person/nan" pred="trait" slot="sly" obj="sly">she winked</propose>'
DEAD = '<propose subj="person/nan" pred="status" obj="dead">the narrator got carried away</propose>'
SOUR = '<propose subj="person/nan" pred="mood" obj="sour">she frowned</propose>'


@pytest.fixture
def claimed(seat):
    """A table where one turn has told something and claimed what the test wants."""

    async def play(*claims: str):
        table = seat(ScriptedTeller([[f"<narration>Nan winked.</narration>{''.join(claims)}"]]))
        await table.act("look at Nan")
        return table

    return play


async def test_correcting_a_narration(claimed) -> None:
    table = await claimed()
    told = next(e for e in table.events(NarrationTold) if e.turn)
    head = table.events()[-1].seq
    await table.do(edit_narration, Edit, event=told.id, text="Nan frowned.", expected_head=head)
    where = table.active
    turns = table.engine.store.read_now(lambda conn: transcript(conn, path(conn, WORLD, where)))
    assert [p.text for p in turns[-1].passages if p.kind == "narration.told"] == ["Nan frowned."]
    memories = table.engine.store.read_now(lambda c: recall(c, path(c, WORLD, where), "person/nan", "winked frowned"))
    assert "Nan frowned." in [m.text for m in memories]
    assert "Nan winked." not in [m.text for m in memories]
    with pytest.raises(HeadMoved):
        await table.do(edit_narration, Edit, event=told.id, text="Nan slept.", expected_head=head)


async def test_only_what_the_narrator_told_here_can_be_corrected(claimed) -> None:
    table = await claimed()
    action = next(e for e in table.events() if e.kind == "action.taken")
    with pytest.raises(BadInput):
        await table.do(edit_narration, Edit, event=action.id, text="I did not.")
    with pytest.raises(NotFound):
        await table.do(edit_narration, Edit, event="t1@9999", text="What?")
    with pytest.raises(BadInput):
        await table.do(edit_narration, Edit, event="yesterday", text="What?")


async def test_a_roll_at_the_table_can_be_checked_by_anyone(table) -> None:
    made = await table.do(roll_dice, Roll, notation="2d6+1")
    (event,) = table.events(RollMade)
    assert event.body == made
    assert event.witnesses == PUBLIC
    again = replay(made.notation, made.seed)
    assert (again.total, again.detail) == (made.total, made.detail)
    await table.do(roll_dice, Roll, notation="1d20", secret=True)
    assert table.events(RollMade)[-1].witnesses == UNSEEN
    with pytest.raises(BadInput):
        await table.do(roll_dice, Roll, notation="banana")


async def test_a_person_decides_with_reasons(claimed) -> None:
    table = await claimed(SLY)
    (staged,) = table.events(ProposalStaged)
    body = await table.do(decide_proposal, Decide, proposal=staged.id, decision="accepted", role="game_master")
    assert (body.decision, body.proposal) == ("accepted", staged.id)
    assert table.canon("person/nan", "trait", "sly") == "sly"
    with pytest.raises(BadInput, match="already accepted"):
        await table.do(decide_proposal, Decide, proposal=staged.id, decision="rejected")
    with pytest.raises(BadInput, match="needs a note"):
        await table.do(decide_proposal, Decide, proposal=staged.id, decision="rejected", overrule=True)
    await table.do(decide_proposal, Decide, proposal=staged.id, decision="rejected", overrule=True, note="I was wrong.")
    with pytest.raises(NotFound):
        await table.do(decide_proposal, Decide, proposal="t1@1", decision="accepted")


async def test_a_player_may_not_decide_either_way(claimed) -> None:
    table = await claimed(SLY)
    (staged,) = table.events(ProposalStaged)
    before = table.events()
    for decision in ("accepted", "rejected"):
        with pytest.raises(NotAllowed):
            await table.do(decide_proposal, Decide, proposal=staged.id, decision=decision, role="player")
    assert table.events() == before


async def test_decided_as_somebody_would_have_it(claimed) -> None:
    table = await claimed(SLY)
    (staged,) = table.events(ProposalStaged)
    kinder = (Claim("person/nan", "trait", "shrewd", slot="sly"),)
    await table.do(decide_proposal, Decide, proposal=staged.id, decision="accepted", claims=kinder)
    assert table.canon("person/nan", "trait", "sly") == "shrewd"


async def test_the_end_of_a_scene_judges_what_was_claimed_in_it(claimed) -> None:
    table = await claimed(SLY, DEAD, SOUR)
    scene = await table.do(close_scene, EndScene, reason="night falls")
    assert scene == "t1/s2"
    verdicts = {e.body.claims[0].pred: e.body.decision for e in table.events(ProposalDecided) if e.body.proposal}
    assert verdicts == {"trait": "accepted", "mood": "accepted", "status": "needs_review"}
    assert table.canon("person/nan", "trait", "sly") == "sly"
    assert table.canon("person/nan", "status") != "dead"
    ended, opened = table.events(SceneEnded, SceneOpened)[-2:]
    assert (ended.body.scene, ended.body.reason, opened.body.scene) == ("t1/s1", "night falls", "t1/s2")
    await table.act("look around")
    assert table.turns()[-1].scene == "t1/s2"


async def test_a_claim_overtaken_by_events_is_refused_with_the_fact_in_the_way(claimed) -> None:
    table = await claimed(SOUR)
    merry = ProposalDecided(decision="accepted", role="owner", claims=(Claim("person/nan", "mood", "merry"),))
    append = table.engine.services.appender.append
    table.engine.store.write_now(lambda conn: append(conn, WORLD, "t1", [Draft(body=merry, by="owner")]))
    await table.do(close_scene, EndScene)
    (verdict,) = (e.body for e in table.events(ProposalDecided) if e.body.proposal)
    assert verdict.decision == "rejected"
    assert "merry" in verdict.contradicts
    assert "[t1@" in verdict.contradicts


async def test_a_scene_ends_by_itself_after_its_turns(seat, sqlite_house) -> None:
    table = seat(
        ScriptedTeller([[f"<narration>Nan winked.</narration>{SLY}"]]), sqlite_house.settings(play_max_scene_turns=2)
    )
    await table.act("look at Nan")
    assert table.canon("person/nan", "trait", "sly") is None
    frames = await table.act("wait")
    assert table.canon("person/nan", "trait", "sly") == "sly"
    assert len(table.events(SceneEnded)) == 1
    assert (frames[-1].state, frames[-1].head) == ("done", table.events()[-1].seq)
    await table.act("wait")
    assert [t.scene for t in table.turns()] == ["t1/s1", "t1/s1", "t1/s2"]


async def test_a_directive_reaches_the_teller_until_it_is_lifted(seat) -> None:
    teller = ScriptedTeller()
    table = seat(teller)
    given = await table.do(give_directive, Direct, text="No spiders.", turns=2)
    always = await table.do(give_directive, Direct, text="Keep it light.")
    for _ in range(3):
        await table.act("wait")
    assert [len(telling.directives) for telling in teller.told] == [2, 2, 1]
    await table.do(give_directive, Direct, text="", lifts=always.id)
    await table.act("wait")
    assert teller.told[-1].directives == ()
    assert given.body.until_turn == 2


async def test_the_x_card_comes_before_everything(seat) -> None:
    teller = ScriptedTeller()
    table = seat(teller)
    await table.do(give_directive, Direct, text="More gore.", priority=1000)
    await table.do(play_x_card, XCard, note="spiders", role="player")
    await table.act("wait")
    first, second = teller.told[-1].directives
    assert "X-card" in first
    assert "spiders" in first
    assert "More gore." in second


async def test_the_x_card_can_rewind_and_holds_there_too(seat) -> None:
    teller = ScriptedTeller()
    table = seat(teller)
    await table.do(play_x_card, XCard, rewind=True)
    assert table.active == "t1", "nothing has happened yet: there is nothing to rewind"
    await table.act("open the cellar")
    await table.do(play_x_card, XCard, rewind=True, note="cellars")
    assert (table.active, table.turns()) == ("t2", [])
    await table.act("wait")
    assert any("cellars" in line for line in teller.told[-1].directives)


async def test_what_is_heard_is_taken_once_and_is_no_canon(table) -> None:
    said = Draft(body=LineSpoken(speaker="person/crier", text="Oyez!"), by="game", witnesses=PUBLIC, idem="cry-1")
    chat = Draft(body=ChatSaid(session="s", message="m", name="viewer", text="hi"), by="stream")
    for _ in range(2):
        await table.do(hear, Hear, scene="t1/s9", drafts=(said, chat))
    assert [e.body.text for e in table.events(LineSpoken, ChatSaid)] == ["Oyez!", "hi", "hi"]
    forged = ProposalDecided(decision="accepted", role="owner", claims=(Claim("person/nan", "status", "dead"),))
    with pytest.raises(NotAllowed):
        await table.do(hear, Hear, scene="t1/s9", drafts=(said, Draft(body=forged, by="game")))
    assert table.canon("person/nan", "status") != "dead"
