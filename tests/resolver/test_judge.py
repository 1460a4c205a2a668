"""Before the dice fall: impossible, plain, or a check whose difficulty has its reasons."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from talekeeper.agents.resolver import Judgement, judge
from talekeeper.agents.situation import Person, Situation
from talekeeper.rules import Pack

Stand = Callable[..., Situation]
WAYS = "From here one reaches The Harbour, Salt Market or Lamp Tower."


def with_mara(situation: Situation, **changes: object) -> Situation:
    mara, *others = situation.present
    return msgspec.structs.replace(situation, present=(msgspec.structs.replace(mara, **changes), *others))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("go to the abbey", f"No way leads from here to Drowned Abbey. {WAYS}"),
        ("go to the moon", f"You know of no way to “moon”. {WAYS}"),
        ("leave", f"Which way? {WAYS}"),
        ("go to the quay", "You are at The Quay already."),
        ("climb the spiral stair", "The way to Lamp Tower is barred: the door is chained."),
        ("sneak into the tower", "The way to Lamp Tower is barred: the door is chained."),
        ("talk to Orsa", "Orsa Quill is not here."),
        ("attack Orsa", "Orsa Quill is not here."),
        ("go to Orsa", "Orsa Quill is not here."),
        ("ask Gandalf about the ring", "There is nobody here you could mean by “Gandalf”."),
        ("take the crown", "The tide crown is not here."),
        ("take the sword", "You see no sword here."),
        ("take the window", "The window is not something you can carry off."),
        ("take the bollard", "The stone bollard is fixed where it is."),
        ("take the knife", "You already have the bone knife."),
        ("give the lantern to Mara", "You do not have the brass lantern."),
        ("give Mara a ruby", "You have no ruby to give."),
        ("use the ledger", "Mara Venn has the salt-stained ledger."),
        ("use the crown", "The tide crown is not here."),
        ("turn the crown", "The tide crown is not here."),
        ("steal from Orsa", "Orsa Quill is not here."),
        ("give Orsa a ruby", "You have no ruby to give."),
        ("drop the lantern", "You do not have the brass lantern."),
        ("search the crown", "The tide crown is not here."),
        ("examine the crown", "The tide crown is not here."),
        ("sneak to the abbey", f"No way leads from here to Drowned Abbey. {WAYS}"),
        ("give me the crown", "Mara Venn does not have the tide crown."),
        ("persuade Mara to give me the knife", "You already have the bone knife."),
        ("steal from Tobin", "Tobin has nothing on them that you could take."),
        ("attack", "It is not clear whom you mean: Mara Venn or Tobin."),
        ("attack Kael", "You think better of it."),
        ("stab myself with the knife", "You think better of it."),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_honestly(quay: Situation, pack: Pack, text: str, reason: str) -> None:
    judgement = judge(pack, quay, text)
    assert (judgement.blocked, judgement.check) == (reason, None)


def test_the_dead_do_not_answer(quay: Situation, pack: Pack) -> None:
    dead = with_mara(quay, status="dead")
    assert judge(pack, dead, "ask Mara about the lamps").blocked == "Mara Venn is dead."
    assert judge(pack, dead, "attack Mara").blocked == "Mara Venn is dead."
    taking = judge(pack, dead, "take the ledger")
    assert (taking.blocked, taking.check) == ("", None)


def test_nobody_there(stand: Stand, pack: Pack) -> None:
    empty = stand(present=())
    assert judge(pack, empty, "say hello").blocked == "There is nobody here to hear you."
    assert judge(pack, empty, "attack").blocked == "There is nobody here to fight."
    assert judge(pack, empty, "what is in the chest?").verb == "look"


def test_one_who_is_down_can_only_speak_and_rest(stand: Stand, quay: Situation, pack: Pack) -> None:
    down = stand(actor=msgspec.structs.replace(quay.actor, harm=6))
    assert judge(pack, down, "attack Mara").blocked.startswith("You are too badly hurt")
    assert judge(pack, down, "rest").blocked == ""
    assert judge(pack, down, "ask Mara for help").blocked == ""


@pytest.mark.parametrize(
    "text",
    [
        "look around", "go to the harbour", "examine the lantern", "talk to Tobin", "ask Tobin about Orsa",
        "take the lantern", "give the letter to Mara", "wait an hour", "rest", "I nod", "drop the knife",
        "use the key", "open the letter", "sign the letter",
    ],
)  # fmt: skip
def test_what_nothing_stands_against_needs_no_dice(quay: Situation, pack: Pack, text: str) -> None:
    judgement = judge(pack, quay, text)
    assert (judgement.check, judgement.blocked) == (None, "")


@pytest.mark.parametrize(
    ("text", "stat", "ladder", "why"),
    [
        ("persuade Tobin to help", "heart", "fair", ""),
        ("persuade Mara to help", "heart", "easy", "Mara Venn thinks well of you"),
        ("ask Mara about the oil", "heart", "fair", "Mara Venn thinks well of you; Mara Venn chooses words with care"),
        ("threaten Tobin", "might", "fair", ""),
        ("open the door", "might", "hard", "the way is barred"),
        ("open the chest with the knife", "might", "fair", "the way is barred; you have something that helps"),
        ("use the key on the chest", "wits", "fair", "the way is barred; you have something that helps"),
        ("take Mara's ledger", "grace", "hard", "Mara Venn is holding it"),
        ("examine the chest", "wits", "easy", ""),
        ("cast a spell", "heart", "hard", ""),
        ("I lift the anchor", "might", "fair", ""),
        ("I decipher the old runes", "wits", "fair", ""),
        ("balance along the edge", "grace", "fair", ""),
    ],
)
def test_difficulty_comes_with_its_reasons(
    quay: Situation, pack: Pack, text: str, stat: str, ladder: str, why: str
) -> None:
    check = judge(pack, quay, text).check
    assert check is not None
    assert (check.stat, check.ladder, check.why) == (stat, ladder, why)
    assert check.modifier == quay.stats[stat]


def test_regard_moves_the_difficulty(quay: Situation, pack: Pack) -> None:
    def difficulty(**regard: int) -> int:
        check = judge(pack, with_mara(quay, regard=regard), "persuade Mara to help").check
        assert check is not None
        return check.difficulty

    warm, guarded, hostile = difficulty(trust=60), difficulty(), difficulty(trust=-60)
    assert warm < guarded < hostile
    assert difficulty(debt=30) < guarded


def test_conditions_lean_on_the_dice(stand: Stand, quay: Situation, pack: Pack) -> None:
    def notation(*conditions: str, text: str = "attack Tobin") -> str:
        check = judge(pack, stand(actor=msgspec.structs.replace(quay.actor, conditions=conditions)), text).check
        assert check is not None
        return check.notation

    assert notation() == "1d20+1"
    assert notation("hidden") == "2d20kh1+1"
    assert notation("hurt") == "2d20kl1+1"
    assert notation("hidden", "hurt") == "1d20+1"


def test_unfriendly_eyes_make_theft_a_risk(stand: Stand, quay: Situation, pack: Pack) -> None:
    watched = stand(present=(*quay.present, Person("person/guard", "Harl", regard={"trust": -80})))
    check = judge(pack, watched, "take the lantern").check
    assert check is not None
    assert check.why == "unfriendly eyes are on you"
    assert judge(pack, watched, "sleep").check is not None


def test_a_difficulty_never_gives_a_secret_away(quay: Situation, pack: Pack) -> None:
    for text in ("ask Mara about the oil", "search the quay", "examine the chest", "threaten Mara about the lamps"):
        check = judge(pack, quay, text).check
        assert check is not None
        for secret in quay.secrets:
            assert secret.text not in msgspec.json.encode(check).decode()


def test_a_judgement_can_be_written_down(quay: Situation, pack: Pack) -> None:
    judgement = judge(pack, quay, "ask Mara about the oil")
    assert msgspec.json.decode(msgspec.json.encode(judgement), type=Judgement) == judgement
