"""A preset becomes claims that canon can take, in an order in which nothing is named before it exists."""

from __future__ import annotations

from talekeeper.canon.predicates import PREDICATES
from talekeeper.presets.claims import world_claims
from talekeeper.presets.library import load_preset
from talekeeper.timeline.ids import WORLD_ENTITY, entity_kind, is_entity
from talekeeper.timeline.vocabulary import Claim

PRESET = load_preset("low-water")
CLAIMS = [claim for _, claims in world_claims(PRESET) for claim in claims]


def kind_of(entity: str) -> str:
    return "world" if entity == WORLD_ENTITY else entity_kind(entity)


def test_every_claim_fits_its_predicate() -> None:
    types = {"text": str, "int": int, "number": float, "flag": bool, "entity": str}
    for claim in CLAIMS:
        rule = PREDICATES[claim.pred]
        assert is_entity(claim.subj), claim
        assert kind_of(claim.subj) in rule.of, claim
        assert type(claim.obj) is types[rule.value], claim
        assert bool(claim.slot) == (rule.slotted != "no"), claim
        if rule.value == "entity":
            assert kind_of(str(claim.obj)) in rule.to, claim
        if rule.slotted == "entity":
            assert kind_of(claim.slot) in rule.to, claim
        if isinstance(claim.obj, int) and rule.low is not None and rule.high is not None:
            assert rule.low <= claim.obj <= rule.high, claim


def test_nothing_is_claimed_twice() -> None:
    keys = [(claim.subj, claim.pred, claim.slot) for claim in CLAIMS]
    assert len(keys) == len(set(keys))


def test_entities_are_named_before_they_are_referred_to() -> None:
    named = set()
    for claim in CLAIMS:
        if claim.pred == "name":
            named.add(claim.subj)
        mentioned = [claim.subj]
        if PREDICATES[claim.pred].value == "entity":
            mentioned.append(str(claim.obj))
        if PREDICATES[claim.pred].slotted == "entity":
            mentioned.append(claim.slot)
        assert named.issuperset(mentioned), claim


def test_each_reason_is_there_to_be_read() -> None:
    for reason, claims in world_claims(PRESET):
        assert reason
        assert claims


def test_the_beginning_is_in_place() -> None:
    assert Claim("person/merrit", "at", "place/otter") in CLAIMS
    assert Claim("person/nan", "at", "place/otter") in CLAIMS
    assert Claim("place/gatehouse", "exit", "down the iron stair", slot="place/gallery") in CLAIMS
    assert Claim(WORLD_ENTITY, "weather", "haze") in CLAIMS
    assert Claim("faction/works", "clock", 1) in CLAIMS
    assert Claim("concept/grave", "thread", "open") in CLAIMS
    assert Claim("person/nan", "affection", 35, slot="person/merrit") in CLAIMS


def test_each_topic_of_a_secret_is_a_fact_of_its_own() -> None:
    topics = {
        claim.obj for claim in CLAIMS if claim.pred == "secret_topic" and claim.slot.startswith("nine-sovereigns#")
    }
    secret = next(s for s in PRESET.people["person/nan"].secrets if s.id == "nine-sovereigns")
    assert topics == set(secret.topics)
