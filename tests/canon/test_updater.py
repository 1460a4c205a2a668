"""The universal updater: the only way into canon, whoever wants something, and what becomes of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.canon.authority import AUTHORITY, authority_of, may
from talekeeper.canon.predicates import PREDICATES
from talekeeper.canon.updater import decide, propose, propose_together
from talekeeper.canon.validators import Update
from talekeeper.errors import NotAllowed
from talekeeper.timeline.vocabulary import Claim, ProposalDecided, ProposalStaged, decode_body, encode_body

WARY = Claim("person/mara", "mood", "wary")
BLUNT = Claim("person/mara", "trait", "blunt", slot="blunt")
GLAD = Claim("person/mara", "mood", "glad")


def test_instant_claims_of_the_rules_are_decided_at_once(lasting_town) -> None:
    (decided,) = lasting_town.see(lambda view: propose(view, "rules", [Update((WARY,), "it was dark", ("t1@1",))]))
    assert decided == ProposalDecided(
        decision="accepted", role="rules", claims=(WARY,), reason="it was dark", evidence=("t1@1",)
    )


def test_a_narrator_only_stages(lasting_town) -> None:
    proposed = lasting_town.see(lambda view: propose(view, "narrator", [Update((WARY,)), Update((BLUNT,))]))
    assert [type(p) for p in proposed] == [ProposalStaged, ProposalStaged]


def test_what_is_accepted_is_seen_by_what_comes_after(lasting_town) -> None:
    updates = [
        Update((Claim("person/ivo", "name", "Ivo"),)),
        Update((Claim("person/ivo", "at", "place/quay"),)),
        Update((Claim("person/ivo", "status", "dead"),)),
        Update((Claim("person/ivo", "at", "place/tavern"),)),
    ]
    bodies = lasting_town.see(lambda view: propose(view, "world_builder", updates, decide=True))
    assert [b.decision for b in bodies] == ["accepted", "accepted", "accepted", "rejected"]
    assert bodies[3].contradicts == "Ivo is dead [decided just now]"


def test_a_refusal_is_kept_with_its_reason_and_the_fact_in_the_way(lasting_town) -> None:
    (body,) = lasting_town.see(lambda view: propose(view, "rules", [Update((Claim("world", "time", 1),))]))
    assert (body.decision, body.reason) == ("rejected", "Time does not run backwards.")
    assert body.contradicts == "it is minute 600 [t1@1]"


def test_many_instant_claims_of_one_cause_are_one_decision(lasting_town) -> None:
    """Those that do not stand are each refused on their own; of two words about one thing the later stands."""
    claims = [WARY, Claim("world", "time", 700), Claim("person/tam", "at", "place/island"), GLAD, BLUNT]
    whole, *refused = lasting_town.see(lambda view: propose_together(view, "rules", claims, "a storm"))
    assert (whole.decision, whole.claims, whole.reason) == ("accepted", (GLAD, Claim("world", "time", 700)), "a storm")
    assert [(r.decision, r.claims) for r in refused] == [
        ("rejected", (Claim("person/tam", "at", "place/island"),)),
        ("rejected", (BLUNT,)),
    ]


def test_deciding_a_staged_proposal(lasting_town) -> None:
    body = lasting_town.see(
        lambda view: decide(view, "game_master", "t1@9", Update((BLUNT,)), "accepted", reason="so it is", note="aye")
    )
    assert (body.proposal, body.decision, body.reason, body.note) == ("t1@9", "accepted", "so it is", "aye")


def test_accepting_what_does_not_stand_is_a_refusal_unless_overruled(lasting_town) -> None:
    update = Update((Claim("person/old-jory", "mood", "restless"),))
    refused = lasting_town.see(lambda view: decide(view, "owner", "t1@9", update, "accepted"))
    assert (refused.decision, refused.contradicts) == ("rejected", "Old Jory is dead [t1@1]")
    forced = lasting_town.see(
        lambda view: decide(view, "owner", "t1@9", update, "accepted", note="he is a ghost now", overrule=True)
    )
    assert (forced.decision, forced.note) == ("accepted", "he is a ghost now")
    assert forced.contradicts == "Old Jory is dead [t1@1]", "what stood against it is kept"


@pytest.mark.parametrize(
    "claims",
    [
        (Claim("person/mara", "shoe_size", 39),),
        (Claim("person/mara", "harm", "lots"),),
        (Claim("person/mara", "trait", "blunt"),),
        (WARY, GLAD),
        (),
    ],
)
def test_not_even_the_owner_can_store_what_canon_cannot_read(lasting_town, claims) -> None:
    body = lasting_town.see(
        lambda view: decide(view, "owner", "t1@9", Update(claims), "accepted", note="because", overrule=True)
    )
    assert body.decision == "rejected"


def test_a_verdict_either_way_needs_authority_and_passing_it_on_does_not(lasting_town) -> None:
    for decision in ("accepted", "rejected"):
        with pytest.raises(NotAllowed, match="may not decide `trait`"):
            lasting_town.see(lambda view, d=decision: decide(view, "narrator", "t1@9", Update((BLUNT,)), d))
    body = lasting_town.see(lambda view: decide(view, "canon_keeper", "t1@9", Update((WARY,)), "needs_review"))
    assert body.decision == "needs_review"


def test_the_table_denies_by_default() -> None:
    for role in ("", "admin", "system", "Owner", "owner ", "narrator\x00", "*"):
        authority = authority_of(role)
        assert (authority.stage, authority.decide, authority.retract) == ((), (), ())
    assert authority_of("spectator").stage == ()


@pytest.mark.parametrize("role", sorted(AUTHORITY))
def test_what_a_role_may_decide_it_may_also_claim(role: str) -> None:
    authority = authority_of(role)
    for pred in PREDICATES:
        assert not may(authority.decide, pred) or may(authority.stage, pred)


@pytest.mark.parametrize("pred", ["secret", "knows", "axiom", "stat", "clock", "time", "trust", "at", "member_of"])
def test_a_narrator_cannot_touch_what_the_rules_and_the_game_master_keep(lasting_town, pred: str) -> None:
    claim = Claim("person/mara", pred, 1, slot="person/tam")
    (body,) = lasting_town.see(lambda view: propose(view, "narrator", [Update((claim,))]))
    assert (body.decision, body.reason) == ("rejected", f"The role narrator may not claim `{pred}`.")


def test_taking_back_needs_its_own_authority(lasting_town) -> None:
    update = Update((Claim("person/mara", "alias", slot="harbourmaster", retract=True),))
    with pytest.raises(NotAllowed, match="may not take back `alias`"):
        lasting_town.see(lambda view: decide(view, "canon_keeper", "t1@9", update, "accepted"))
    assert lasting_town.see(lambda view: decide(view, "owner", "t1@9", update, "accepted")).decision == "accepted"


ODD_CLAIMS = st.builds(
    Claim,
    subj=st.one_of(st.sampled_from(["person/mara", "world", "item/lantern"]), st.text(max_size=20)),
    pred=st.one_of(st.sampled_from(sorted(PREDICATES)), st.text(max_size=20)),
    obj=st.one_of(st.text(max_size=40), st.integers(), st.floats(), st.booleans()),
    slot=st.text(max_size=10),
    retract=st.booleans(),
)


@given(
    role=st.one_of(st.sampled_from(sorted(AUTHORITY)), st.text(max_size=12)), claims=st.lists(ODD_CLAIMS, max_size=4)
)
def test_whoever_proposes_whatever_nothing_passes_beyond_their_authority(lasting_town, role, claims) -> None:
    """A hijacked narrator may say what it likes: the table and the validators are not asked nicely, they are asked."""
    (body,) = lasting_town.see(lambda view: propose(view, role, [Update(tuple(claims))]))
    authority = authority_of(role)
    if isinstance(body, ProposalStaged) or body.decision == "accepted":
        assert all(may(authority.stage, claim.pred) for claim in claims)
    if isinstance(body, ProposalDecided) and body.decision == "accepted":
        assert all(may(authority.decide, claim.pred) and PREDICATES[claim.pred].instant for claim in claims)
    assert type(decode_body(body.kind, encode_body(body))) is type(body), "what is refused is kept, and reads again"
