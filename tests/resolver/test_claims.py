"""Whatever is done, and however the dice fall, canon could take every consequence at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from talekeeper.agents.resolver import Advice, judge, recognise, settle
from talekeeper.agents.resolver.judge import weigh
from talekeeper.agents.situation import ClockFace, Person, Situation, Thread
from talekeeper.canon.predicates import PREDICATES, RELATIONS, Predicate
from talekeeper.rules import Pack, throw
from talekeeper.timeline.ids import WORLD_ENTITY, entity_kind
from talekeeper.timeline.vocabulary import Claim, OutcomeResolved, RollMade, Verb

DEEDS = (
    "go to the harbour", "go north", "look around", "examine the chest", "talk to Mara", "ask Mara about the oil",
    "ask Tobin about the lamps", "persuade Mara to tell the truth", "threaten Tobin", "lie to Mara about the lamps",
    "attack Mara with the knife", "attack Tobin", "smash the lantern", "kick the door down", "defend myself",
    "take the lantern", "take Mara's ledger", "steal from Tobin", "give the letter to Mara", "give Tobin my knife",
    "use the key on the chest", "light the lantern", "show Mara the letter", "open the chest", "open the door",
    "sneak to the docks", "hide", "search the quay", "search the chest", "wait two days", "rest", "sleep until dawn",
    "cast a spell on Mara", "sing for everyone", "dance", "balance on the bollard", "I nod", "drop the knife",
    "ring the bell", "ask everyone about the bell", "close the chest", "burn the letter", "pickpocket Mara",
    "persuade Mara to give me the ledger", "threaten Mara to open the tower", "sign the letter",
)  # fmt: skip
REGARD = st.dictionaries(st.sampled_from(RELATIONS), st.integers(-100, 100))
CONDITIONS = st.lists(st.sampled_from(("hurt", "down", "hidden", "braced", "cursed")), unique=True).map(tuple)
TIERS = st.sampled_from(("triumph", "success", "cost", "failure", "disaster"))


@st.composite
def changed(draw: st.DrawFn, quay: Situation) -> Situation:
    def person(of: Person) -> Person:
        return msgspec.structs.replace(
            of,
            regard=draw(REGARD),
            harm=draw(st.integers(0, 10)),
            conditions=draw(CONDITIONS),
            mood=draw(st.sampled_from(("", "closed", "pleased"))),
            status=draw(st.sampled_from(("alive", "alive", "alive", "dead"))),
        )

    size = draw(st.integers(2, 24))
    return msgspec.structs.replace(
        quay,
        actor=msgspec.structs.replace(quay.actor, harm=draw(st.integers(0, 10)), conditions=draw(CONDITIONS)),
        present=tuple(person(p) for p in quay.present if draw(st.booleans())),
        now=draw(st.integers(0, 10**6)),
        stats={stat: draw(st.integers(-10, 10)) for stat in quay.stats},
        clocks=(ClockFace("faction/tide", "The Tide", draw(st.integers(0, size)), size),),
        threads=tuple(
            Thread(t.id, t.name, t.about, "open", draw(st.integers(0, 24)), draw(st.integers(0, 9)), t.topics, t.clock)
            for t in quay.threads
        ),
    )


def entities(situation: Situation) -> set[str]:
    def every() -> Iterator[str]:
        yield WORLD_ENTITY
        for person in (situation.actor, *situation.present):
            yield person.id
            yield from (thing.id for thing in person.holds)
        yield situation.place.id
        yield from (thing.id for thing in situation.place.things)
        yield from (way.to for way in situation.place.exits)
        yield from (known.id for known in (*situation.elsewhere, *situation.threads, *situation.clocks))

    return set(every())


def fits(rule: Predicate, claim: Claim) -> bool:
    match rule.value:
        case "int":
            whole = isinstance(claim.obj, int) and not isinstance(claim.obj, bool)
            low, high = (
                rule.low if rule.low is not None else claim.obj,
                rule.high if rule.high is not None else claim.obj,
            )
            return whole and low <= claim.obj <= high  # type: ignore[operator]
        case "flag":
            return isinstance(claim.obj, bool)
        case "entity":
            return isinstance(claim.obj, str) and entity_kind(claim.obj) in rule.to
        case _:
            return isinstance(claim.obj, str) and bool(claim.obj.strip())


def check_claims(situation: Situation, outcome: OutcomeResolved) -> None:
    known = entities(situation)
    dead = {person.id for person in situation.present if person.status == "dead"}
    seen = set()
    for claim in outcome.consequences:
        rule = PREDICATES[claim.pred]
        assert rule.instant, claim
        assert entity_kind(claim.subj) in rule.of, claim
        assert claim.subj in known, claim
        assert claim.subj not in dead, claim
        assert bool(claim.slot) == (rule.slotted != "no"), claim
        if rule.slotted == "entity":
            assert claim.slot in known, claim
            assert entity_kind(claim.slot) in rule.to, claim
        if not claim.retract:
            assert fits(rule, claim), claim
        if rule.value == "entity" and not claim.retract:
            assert claim.obj in known, claim
        assert (claim.subj, claim.pred, claim.slot) not in seen, claim
        seen.add((claim.subj, claim.pred, claim.slot))


@settings(max_examples=400)
@given(data=st.data(), text=st.sampled_from(DEEDS), seed=st.integers(0, 2**53 - 1))
def test_every_consequence_fits_its_predicate(
    quay: Situation, pack: Pack, data: st.DataObject, text: str, seed: int
) -> None:
    situation = data.draw(changed(quay))
    judgement = judge(pack, situation, text)
    roll = throw(pack, judgement.check, seed) if judgement.check else None
    outcome = settle(pack, situation, judgement, roll)
    check_claims(situation, outcome)
    assert outcome.minutes >= 0
    assert (outcome.tier == "blocked") == bool(outcome.blocked)
    if not outcome.blocked:
        assert Claim(WORLD_ENTITY, "time", situation.now + outcome.minutes) in outcome.consequences
    assert all(reveal.to == (situation.actor.id,) for reveal in outcome.reveals)


@given(data=st.data(), text=st.text(max_size=80), tier=TIERS)
def test_even_for_words_nobody_foresaw(quay: Situation, pack: Pack, data: st.DataObject, text: str, tier: str) -> None:
    situation = data.draw(changed(quay))
    judgement = judge(pack, situation, text)
    roll = RollMade("1d20", 1, "", tier=tier) if judgement.check else None
    check_claims(situation, settle(pack, situation, judgement, roll))


@settings(max_examples=300)
@given(data=st.data(), text=st.sampled_from(DEEDS), verb=st.sampled_from(get_args(Verb)), tier=TIERS)
def test_whatever_verb_an_adviser_names(
    quay: Situation, pack: Pack, data: st.DataObject, text: str, verb: Verb, tier: str
) -> None:
    situation = data.draw(changed(quay))
    action = msgspec.structs.replace(recognise(situation, text), verb=verb)
    judgement = weigh(pack, situation, text, action, Advice(verb, "might", "hard"))
    roll = RollMade("1d20", 1, "", tier=tier) if judgement.check else None
    check_claims(situation, settle(pack, situation, judgement, roll))
