"""After the dice fell: consequences as claims, costs, secrets let out, time passed."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from talekeeper.agents.resolver import Resolver, judge, settle
from talekeeper.agents.situation import Situation
from talekeeper.rules import Pack
from talekeeper.timeline.vocabulary import Claim, OutcomeResolved, RollMade

Stand = Callable[..., Situation]
Play = Callable[..., OutcomeResolved]


@pytest.fixture
def play(quay: Situation, pack: Pack) -> Play:
    """What becomes of an action when the dice give the tier asked for."""

    def outcome(text: str, tier: str = "success", situation: Situation | None = None) -> OutcomeResolved:
        where = situation or quay
        judgement = judge(pack, where, text)
        roll = RollMade("1d20", 10, "1d20 (10)", tier=tier) if judgement.check else None
        return settle(pack, where, judgement, roll)

    return outcome


def said(outcome: OutcomeResolved) -> dict[tuple[str, str, str], object]:
    return {(c.subj, c.pred, c.slot): None if c.retract else c.obj for c in outcome.consequences}


async def test_one_action_from_words_to_outcome(quay: Situation, pack: Pack) -> None:
    resolver = Resolver(pack)
    judgement = await resolver.judge(quay, "I ask Mara about the oil")
    assert judgement.check is not None
    assert judgement.check.difficulty == 12
    roll = resolver.throw(judgement.check, quay.seed)
    outcome = resolver.settle(quay, judgement, roll)
    assert outcome == resolver.settle(quay, judgement, roll)
    assert (outcome.verb, outcome.targets, outcome.tier) == ("ask", ("person/mara",), roll.tier)
    assert outcome.check == judgement.check


def test_moving(play: Play) -> None:
    outcome = play("go to the harbour")
    assert outcome.tier == "plain"
    assert said(outcome) == {("person/kael", "at", ""): "place/harbour", ("world", "time", ""): 610}


def test_blocked_changes_nothing(play: Play) -> None:
    outcome = play("climb the spiral stair")
    assert (outcome.tier, outcome.consequences, outcome.minutes) == ("blocked", (), 0)
    assert "chained" in outcome.blocked


def test_taking_and_giving(play: Play) -> None:
    assert said(play("take the lantern"))["item/lantern", "at", ""] == "person/kael"
    assert said(play("give Mara the letter"))["item/letter", "at", ""] == "person/mara"
    assert said(play("drop the knife"))["item/knife", "at", ""] == "place/quay"
    assert said(play("take Mara's ledger"))["item/ledger", "at", ""] == "person/kael"
    assert said(play("pickpocket Mara"))["item/ledger", "at", ""] == "person/kael"
    assert ("item/ledger", "at", "") not in said(play("take Mara's ledger", "failure"))


def test_talked_into_handing_it_over_or_opening_the_way(play: Play) -> None:
    for text in ("persuade Mara to give me the ledger", "ask Mara for the ledger", "May I borrow the ledger?"):
        assert said(play(text))["item/ledger", "at", ""] == "person/kael"
        assert ("item/ledger", "at", "") not in said(play(text, "failure"))
    assert ("item/ledger", "at", "") not in said(play("persuade Mara to show me the ledger"))
    assert play("persuade Tobin to give me the ledger").blocked == "Tobin does not have the salt-stained ledger."
    assert said(play("persuade Mara to open the tower"))["place/quay", "barred", "place/tower"] is None


def test_regard_shifts_and_stays_in_bounds(play: Play, quay: Situation, stand: Stand) -> None:
    assert said(play("give Mara the letter"))["person/mara", "trust", "person/kael"] == 24
    failed = said(play("take Mara's ledger", "disaster"))
    assert failed["person/mara", "trust", "person/kael"] == 0
    assert failed["person/mara", "mood", ""] == "outraged"
    mara = msgspec.structs.replace(quay.present[0], regard={"trust": -95})
    hated = said(play("attack Mara", "failure", stand(present=(mara,))))
    assert hated["person/mara", "trust", "person/kael"] == -100


def test_a_secret_comes_out_to_the_one_who_asked(play: Play) -> None:
    outcome = play("ask Mara about the oil")
    (reveal,) = outcome.reveals
    assert (reveal.secret, reveal.holder, reveal.to) == ("mara-oil", "person/mara", ("person/kael",))
    assert reveal.text == "Mara waters the lamp oil."
    assert said(outcome)["person/kael", "knows", "mara-oil"] == "told by Mara Venn"
    assert said(outcome)["concept/dead-lamps", "thread_beat", ""] == 1


@pytest.mark.parametrize("tier", ["failure", "disaster"])
def test_a_secret_stays_in_when_it_goes_badly(play: Play, tier: str) -> None:
    for text in ("ask Mara about the oil", "search the chest", "threaten Mara about the oil", "examine the chest"):
        outcome = play(text, tier)
        assert outcome.reveals == ()
        assert all(claim.pred != "knows" for claim in outcome.consequences)


def test_secrets_answer_only_to_their_topic_and_holder(play: Play) -> None:
    assert play("ask Mara about the abbey").reveals == ()
    assert play("persuade Tobin about the oil").reveals == ()
    assert [r.secret for r in play("threaten Mara about the oil").reveals] == ["mara-oil"]
    assert [r.secret for r in play("lie to Mara about the lamps").reveals] == ["mara-oil"]
    assert [r.secret for r in play("persuade Mara to tell me the truth").reveals] == ["mara-oil"]


def test_searching_finds_what_places_and_things_hide(play: Play) -> None:
    assert [r.secret for r in play("search the chest").reveals] == ["chest-map"]
    assert [r.secret for r in play("examine the chest").reveals] == ["chest-map"]
    assert len(play("search the quay").reveals) == 1
    assert len(play("search", "triumph").reveals) == 2
    assert said(play("search the chest"))["person/kael", "knows", "chest-map"] == "found out"


def test_fighting_hurts_both(play: Play) -> None:
    won = said(play("attack Tobin"))
    assert won["person/tobin", "harm", ""] == 2
    assert ("person/kael", "harm", "") not in won
    assert said(play("attack Tobin", "failure"))["person/kael", "harm", ""] == 1
    costly = play("attack Tobin", "cost")
    assert said(costly)["person/kael", "harm", ""] == 1
    assert costly.costs == ("you are hurt in the exchange",)


def test_harm_stops_at_its_limit_and_brings_one_down(play: Play, quay: Situation, stand: Stand) -> None:
    tobin = msgspec.structs.replace(quay.present[1], harm=5, conditions=("hurt",))
    felled = said(play("attack Tobin", "triumph", stand(present=(tobin,))))
    assert felled["person/tobin", "harm", ""] == 6
    assert felled["person/tobin", "condition", "down"] == "down and out of the fight"
    assert ("person/tobin", "condition", "hurt") not in felled
    assert not any(pred == "status" for _, pred, _ in felled)


def test_rest_heals_and_lifts_what_harm_brought(play: Play, quay: Situation, stand: Stand) -> None:
    felled = stand(actor=msgspec.structs.replace(quay.actor, harm=6, conditions=("hurt", "down")))
    up_again = said(play("rest", situation=felled))
    assert up_again["person/kael", "harm", ""] == 5
    assert up_again["person/kael", "condition", "down"] is None
    assert ("person/kael", "condition", "hurt") not in up_again
    rested = said(play("sleep eight hours", situation=felled))
    assert rested["person/kael", "harm", ""] == 2
    assert rested["person/kael", "condition", "hurt"] is None
    assert rested["world", "time", ""] == 600 + 480


def test_conditions_come_and_go_with_deeds(play: Play, quay: Situation, stand: Stand) -> None:
    assert said(play("hide"))["person/kael", "condition", "hidden"] == "hidden"
    assert ("person/kael", "condition", "hidden") not in said(play("hide", "failure"))
    hidden = stand(actor=msgspec.structs.replace(quay.actor, conditions=("hidden",)))
    assert said(play("attack Tobin", situation=hidden))["person/kael", "condition", "hidden"] is None
    assert ("person/kael", "condition", "hidden") not in said(play("look around", situation=hidden))


def test_opening_ways_and_things(play: Play, quay: Situation) -> None:
    assert said(play("open the door"))["place/quay", "barred", "place/tower"] is None
    assert said(play("use the key on the chest"))["item/chest", "state", ""] == "open"
    assert said(play("open the chest"))["item/chest", "state", ""] == "open"
    assert said(play("light the lantern"))["item/lantern", "state", ""] == "lit"
    assert said(play("smash the lantern", "triumph"))["item/lantern", "state", ""] == "broken"
    assert ("item/chest", "state", "") not in said(play("open the chest", "failure"))


def test_costs_take_time_and_move_the_clock_against_the_thread(play: Play) -> None:
    outcome = play("ask Mara about the oil", "cost")
    assert outcome.costs == ("word of your question will get about",)
    assert said(outcome)["faction/tide", "clock", ""] == 3
    slow = play("search the quay", "cost")
    assert slow.minutes == 45
    assert said(slow)["world", "time", ""] == 645


def test_clocks_run_while_time_passes(play: Play, stand: Stand) -> None:
    assert said(play("wait 24 hours"))["faction/tide", "clock", ""] == 4
    full = stand(clocks=(msgspec.structs.replace(stand().clocks[0], filled=6),))
    assert ("faction/tide", "clock", "") not in said(play("wait 24 hours", situation=full))


def test_nobody_waits_longer_than_the_pack_allows(play: Play) -> None:
    assert play("wait 3 weeks").minutes == 1440


def test_a_thread_moves_one_beat_when_touched(play: Play, quay: Situation, stand: Stand) -> None:
    assert said(play("take the lantern"))["concept/dead-lamps", "thread_beat", ""] == 1
    assert ("concept/drowned-bell", "thread_beat", "") not in said(play("ring the bell"))
    bell = msgspec.structs.replace(quay.threads[1], idle_turns=5)
    rested = stand(threads=(quay.threads[0], bell))
    assert said(play("ring the bell", situation=rested))["concept/drowned-bell", "thread_beat", ""] == 3
    assert all(pred != "thread_beat" for _, pred, _ in said(play("ask Mara about the oil", "failure")))
    assert all(pred != "thread_beat" for _, pred, _ in said(play("look around")))
    solved = stand(threads=(msgspec.structs.replace(quay.threads[0], status="resolved"),))
    assert all(pred != "thread_beat" for _, pred, _ in said(play("take the lantern", situation=solved)))


def test_a_check_is_never_settled_without_its_roll(quay: Situation, pack: Pack) -> None:
    with pytest.raises(RuntimeError):
        settle(pack, quay, judge(pack, quay, "attack Tobin"), None)
    with pytest.raises(RuntimeError):
        settle(pack, quay, judge(pack, quay, "attack Tobin"), RollMade("1d20", 3, "", tier="grand"))


def test_claims_are_absolute_values(play: Play) -> None:
    assert Claim("person/mara", "trust", 24, "person/kael") in play("give Mara the letter").consequences
