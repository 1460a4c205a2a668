"""What canon refuses and why: one accepted and one refused case for every rule, and the fact in the way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.canon.predicates import PREDICATES
from talekeeper.canon.validators import Objection, Update, reachable, validate
from talekeeper.canon.view import CanonView
from talekeeper.timeline.vocabulary import Claim, ProposalDecided, decode_body, encode_body

GOOD = {
    "a text": Claim("person/mara", "mood", "wary"),
    "a whole number": Claim("person/mara", "harm", 3),
    "a flag": Claim("item/lantern", "fixed", True),
    "one of several values": Claim("person/mara", "trait", "blunt", slot="blunt"),
    "towards an entity": Claim("person/tam", "fear", -5, slot="faction/guild"),
    "a move along a way": Claim("person/mara", "at", "place/tavern"),
    "staying": Claim("person/mara", "at", "place/quay"),
    "an item laid down where its holder stands": Claim("item/lantern", "at", "place/quay"),
    "time goes on": Claim("world", "time", 601),
    "time stands still": Claim("world", "time", 600),
    "a retraction": Claim("person/tam", "trust", slot="person/mara", retract=True),
    "a new entity": Claim("person/ivo", "name", "Ivo"),
    "a fact about the dead that is no deed": Claim("person/old-jory", "note", "He is missed.", slot="missed"),
    "a span of story time": Claim("person/mara", "note", "on watch", slot="watch", valid_from=600, valid_to=700),
}

BAD = {
    "unknown predicate": (Claim("person/mara", "shoe_size", 39), "`shoe_size` is not something canon can say"),
    "no id": (Claim("mara", "mood", "wary"), "'mara' is not the id"),
    "a kind it is not said of": (Claim("place/quay", "mood", "wary"), "not said of a place"),
    "empty words": (Claim("person/mara", "mood", "  "), "needs words"),
    "a number where words belong": (Claim("person/mara", "mood", 3), "needs words"),
    "words where a number belongs": (Claim("person/mara", "harm", "3"), "is a number"),
    "yes where a number belongs": (Claim("person/mara", "harm", True), "is a number"),
    "a fraction": (Claim("person/mara", "harm", 1.5), "whole number"),
    "out of range": (Claim("person/mara", "harm", 11), "between 0 and 10"),
    "not yes or no": (Claim("item/lantern", "fixed", "very"), "yes or no"),
    "too long": (Claim("person/mara", "mood", "x" * 2001), "longer than 2000"),
    "control characters": (Claim("person/mara", "mood", "a\x07b"), "control characters"),
    "half a character": (Claim("person/mara", "mood", "a\ud800"), "control characters"),
    "pointing at the wrong kind": (Claim("person/mara", "at", "item/lantern"), "points at a place or person"),
    "pointing at no id": (Claim("person/mara", "at", "place/"), "not the id of an entity"),
    "a slot it does not have": (Claim("person/mara", "mood", "wary", slot="x"), "one value only"),
    "no slot where one is needed": (Claim("person/mara", "trait", "blunt"), "needs to say which"),
    "an unreadable slot": (Claim("person/mara", "trait", "blunt", slot="a\nb"), "does not read"),
    "an unknown subject": (Claim("person/ivo", "mood", "wary"), "Nobody has heard of person/ivo"),
    "an unknown object": (Claim("person/mara", "at", "place/moon"), "Nobody has heard of place/moon"),
    "an unknown slot": (Claim("person/tam", "fear", 1, slot="person/ivo"), "Nobody has heard of person/ivo"),
    "towards the wrong kind": (Claim("person/tam", "fear", 1, slot="place/quay"), "towards a person or faction"),
    "the end before the beginning": (
        Claim("person/mara", "note", "x", slot="x", valid_from=9, valid_to=9),
        "end before it begins",
    ),
    "past the end of time": (Claim("person/mara", "note", "x", slot="x", valid_to=2**70), "past the end of time"),
    "a time that cannot be kept": (Claim("world", "time", 2**70), "lies between"),
}  # fmt: skip

CONTRADICTED = {
    "the dead do not act": (
        Claim("person/old-jory", "at", "place/quay"),
        "Old Jory is dead.",
        "Old Jory is dead [t1@1]",
    ),
    "no way leads there": (
        Claim("person/tam", "at", "place/island"),
        "No way leads from The Otter to Gull Island.",
        "Tam is at The Otter [t1@1]",
    ),
    "a person is not carried": (
        Claim("person/tam", "at", "person/mara"),
        "Tam cannot be held by Mara.",
        "Tam is at The Otter [t1@1]",
    ),
    "one holder, and within reach": (
        Claim("item/lantern", "at", "person/tam"),
        "the lantern is not within reach: it is at The Quay, and that is at The Otter.",
        "the lantern is at Mara [t1@1]",
    ),
    "time does not run backwards": (
        Claim("world", "time", 599),
        "Time does not run backwards.",
        "it is minute 600 [t1@1]",
    ),
    "time is not taken back": (
        Claim("world", "time", retract=True),
        "Time does not run backwards.",
        "it is minute 600 [t1@1]",
    ),
    "an axiom": (
        Claim("person/ivo", "at", "place/tower"),
        "An axiom of this world forbids it: never person/* at place/tower.",
        "never person/* at place/tower [t1@1]",
    ),
}


@pytest.mark.parametrize("claim", GOOD.values(), ids=GOOD)
def test_accepted(lasting_town, claim: Claim) -> None:
    assert lasting_town.see(lambda view: validate(view, Update((claim,)))) is None


@pytest.mark.parametrize(("claim", "reason"), BAD.values(), ids=BAD)
def test_refused_for_what_it_is(lasting_town, claim: Claim, reason: str) -> None:
    objection = lasting_town.see(lambda view: validate(view, Update((claim,))))
    assert objection is not None
    assert reason in objection.reason


@pytest.mark.parametrize(("claim", "reason", "fact"), CONTRADICTED.values(), ids=CONTRADICTED)
def test_refused_for_what_is_already_true(lasting_town, claim: Claim, reason: str, fact: str) -> None:
    update = Update((Claim("person/ivo", "name", "Ivo"), claim)) if claim.subj == "person/ivo" else Update((claim,))
    assert lasting_town.see(lambda view: validate(view, update)) == Objection(reason, fact)


def test_an_update_that_claims_nothing(lasting_town) -> None:
    assert lasting_town.see(lambda view: validate(view, Update(()))) == Objection("It claims nothing.")


def test_two_words_about_one_thing(lasting_town) -> None:
    update = Update((Claim("person/mara", "mood", "wary"), Claim("person/mara", "mood", "glad")))
    objection = lasting_town.see(lambda view: validate(view, update))
    assert "two things at once about `mood` of person/mara" in objection.reason


def test_claims_of_one_update_may_lean_on_each_other(lasting_town) -> None:
    """Whoever is named in it exists for it, and an item may follow who takes it along."""
    newcomer = Update((Claim("person/ivo", "name", "Ivo"), Claim("person/ivo", "at", "place/quay")))
    handover = Update((Claim("person/tam", "at", "place/quay"), Claim("item/lantern", "at", "person/tam")))
    assert lasting_town.see(lambda view: validate(view, newcomer)) is None
    assert lasting_town.see(lambda view: validate(view, handover)) is None


def test_where_no_map_is_drawn_everything_is_near(lasting_town) -> None:
    assert lasting_town.see(lambda view: reachable(view, "place/island", "place/quay"))
    assert lasting_town.see(lambda view: reachable(view, "place/quay", "place/tavern"))
    assert not lasting_town.see(lambda view: reachable(view, "place/quay", "place/island"))


def test_stale_evidence_names_what_has_changed_since(town) -> None:
    staged = town.scribe.stage(Claim("person/mara", "mood", "wary"))
    update = Update((Claim("person/mara", "mood", "wary"),), staged_seq=staged.seq)
    assert town.see(lambda view: validate(view, update)) is None
    changed = town.scribe.decide(Claim("person/mara", "mood", "glad"))
    objection = town.see(lambda view: validate(view, update))
    assert objection == Objection("`mood` of Mara has changed since.", f"Mara seems glad [{changed.id}]")


def test_what_the_same_batch_has_changed_counts_and_is_cited_as_such(lasting_town) -> None:
    def look(view: CanonView) -> Objection | None:
        view.apply([Claim("person/tam", "status", "dead")])
        return validate(view, Update((Claim("person/tam", "mood", "glad"),)))

    assert lasting_town.see(look) == Objection("Tam is dead.", "Tam is dead [decided just now]")


VALUES = st.one_of(
    st.text(max_size=30), st.integers(), st.floats(), st.booleans(), st.sampled_from(["person/mara", "place/quay"])
)


@given(
    subj=st.one_of(st.sampled_from(["person/mara", "place/quay", "item/lantern", "world"]), st.text(max_size=12)),
    pred=st.one_of(st.sampled_from(sorted(PREDICATES)), st.text(max_size=12)),
    obj=VALUES,
    slot=st.one_of(st.just(""), st.sampled_from(["person/tam", "x"]), st.text(max_size=8)),
    retract=st.booleans(),
    valid_to=st.one_of(st.none(), st.integers()),
)
def test_whatever_is_claimed_the_answer_is_a_verdict(lasting_town, subj, pred, obj, slot, retract, valid_to) -> None:
    """No claim, however odd, raises; and what passes can be kept and read again."""
    claim = Claim(subj, pred, obj, slot, retract=retract, valid_to=valid_to)
    objection = lasting_town.see(lambda view: validate(view, Update((claim,))))
    if objection is None:
        decided = ProposalDecided(decision="accepted", role="owner", claims=(claim,))
        assert decode_body(decided.kind, encode_body(decided)) == decided
    else:
        assert objection.reason
