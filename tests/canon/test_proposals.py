"""Where a proposal stands is a fold over the path: another path, another answer."""

from __future__ import annotations

import pytest

from talekeeper.canon.proposals import get_proposal, open_proposals, proposals
from talekeeper.errors import NotAllowed, NotFound
from talekeeper.timeline.vocabulary import Claim

BLUNT = Claim("person/mara", "trait", "blunt", slot="blunt")
SOFT = Claim("person/mara", "trait", "soft", slot="soft")


def statuses(town, timeline: str = "t1") -> dict[str, str]:
    past = town.scribe.path(timeline)
    return {p.id: p.status for p in town.scribe.read(lambda conn: proposals(conn, past))}


def test_staged_then_decided(town) -> None:
    staged = town.scribe.stage(BLUNT)
    assert statuses(town) == {staged.id: "staged"}
    decided = town.scribe.decide(BLUNT, proposal=staged.id)
    past = town.scribe.path()
    found = town.scribe.read(lambda conn: get_proposal(conn, past, staged.id))
    assert (found.status, found.decided_by, found.decided_at) == ("accepted", "owner", decided.id)
    assert town.scribe.read(lambda conn: open_proposals(conn, past)) == []


def test_going_back_stages_it_again(town) -> None:
    staged = town.scribe.stage(BLUNT)
    town.scribe.decide(BLUNT, proposal=staged.id)
    branch = town.scribe.fork(at=staged.seq).id
    assert statuses(town) == {staged.id: "accepted"}
    assert statuses(town, branch) == {staged.id: "staged"}
    town.scribe.decide(BLUNT, proposal=staged.id, decision="rejected", timeline=branch)
    assert statuses(town) == {staged.id: "accepted"}
    assert statuses(town, branch) == {staged.id: "rejected"}
    assert town.see(lambda view: view.text("person/mara", "trait", "blunt")) == "blunt"
    assert town.see(lambda view: view.text("person/mara", "trait", "blunt"), branch) == ""


def test_before_it_was_staged_nobody_has_heard_of_it(town) -> None:
    staged = town.scribe.stage(BLUNT)
    branch = town.scribe.fork(at=staged.seq - 1).id
    past = town.scribe.path(branch)
    assert statuses(town, branch) == {}
    with pytest.raises(NotFound):
        town.scribe.read(lambda conn: get_proposal(conn, past, staged.id))


def test_it_may_be_decided_as_somebody_would_have_it(town) -> None:
    staged = town.scribe.stage(BLUNT)
    town.scribe.decide(SOFT, proposal=staged.id)
    past = town.scribe.path()
    assert town.scribe.read(lambda conn: get_proposal(conn, past, staged.id)).claims == (SOFT,)


def test_the_latest_decision_counts_and_review_leaves_it_open(town) -> None:
    staged = town.scribe.stage(BLUNT)
    town.scribe.decide(BLUNT, proposal=staged.id, decision="needs_review", role="canon_keeper")
    past = town.scribe.path()
    assert [p.status for p in town.scribe.read(lambda conn: open_proposals(conn, past))] == ["needs_review"]
    town.scribe.decide(BLUNT, proposal=staged.id, decision="rejected")
    town.scribe.decide(BLUNT, proposal=staged.id)
    assert statuses(town) == {staged.id: "accepted"}


def test_open_ones_of_this_scene_only(town) -> None:
    before = town.scribe.stage(BLUNT)
    after = town.scribe.stage(SOFT)
    past = town.scribe.path()
    assert [p.id for p in town.scribe.read(lambda c: open_proposals(c, past))] == [before.id, after.id]
    assert [p.id for p in town.scribe.read(lambda c: open_proposals(c, past, after=before.seq))] == [after.id]


def test_the_ledger_itself_refuses_a_decision_beyond_the_role(town) -> None:
    """Whoever appends: a decision in the name of a role that may not decide it becomes no fact and no event."""
    for role in ("narrator", "player", "npc_voice", "nobody"):
        with pytest.raises(NotAllowed):
            town.scribe.decide(Claim("person/mara", "secret", "hacked", slot="x"), role=role)
    assert len(town.scribe.events()) == 1
