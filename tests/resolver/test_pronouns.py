"""Whom and what small words mean."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from talekeeper.agents.resolver import judge, recognise
from talekeeper.agents.situation import Person, Situation
from talekeeper.rules import Pack

Stand = Callable[..., Situation]
M, T = "person/mara", "person/tobin"


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("ask her about the abbey", (M,)),
        ("ask him about the abbey", (T,)),
        ("talk to them", (M, T)),
        ("ask the tall woman about the abbey", (M,)),
        ("talk to the boy", (T,)),
        ("I look at Tobin, then ask him why", (T,)),
        ("give Mara the letter and thank her", ("item/letter", M)),
        ("talk to somebody", (M,)),
    ],
)
def test_pronouns_and_descriptions(quay: Situation, text: str, targets: tuple[str, ...]) -> None:
    action = recognise(quay, text)
    assert action.targets == targets or action.verb == "examine"


def test_the_last_one_spoken_with_is_meant(stand: Stand) -> None:
    twins = (Person(M, "Mara"), Person(T, "Tobin"))
    assert recognise(stand(present=twins, focus=T), "ask them about the abbey").targets == (M, T)
    assert recognise(stand(present=twins, focus=T), "ask her about the abbey").targets == (T,)
    assert recognise(stand(present=twins, focus=T), "what do you know of the abbey?").targets == (T,)


def test_when_it_may_be_either_the_player_is_asked(stand: Stand, pack: Pack) -> None:
    twins = stand(present=(Person(M, "Mara"), Person(T, "Tobin")))
    judgement = judge(pack, twins, "hit her")
    assert judgement.blocked == "It is not clear whom you mean: Mara or Tobin."


def test_the_only_one_there_is_meant(stand: Stand) -> None:
    alone = stand(present=(Person(T, "Tobin"),))
    for text in ("ask her about it", "hit them", "attack", "give her the key"):
        assert T in recognise(alone, text).targets


def test_it_is_the_thing_last_named(quay: Situation) -> None:
    assert recognise(quay, "The lantern! I take it.").targets == ("item/lantern",)
    assert recognise(quay, "take it").targets == ()


def test_names_forgive_one_slip_of_the_finger(quay: Situation) -> None:
    for slip in ("lantren", "lanern", "lanttern", "lantarn"):
        assert recognise(quay, f"take the {slip}").targets == ("item/lantern",)
    assert recognise(quay, "take the lintarn").targets == ()
    assert recognise(quay, "ask Mora about the abbey").targets == ()


def test_more_words_name_better(stand: Stand, quay: Situation) -> None:
    annas = stand(present=(Person("person/a", "Anna Reed"), Person("person/b", "Anna Marsh")))
    assert recognise(annas, "talk to Anna Marsh").targets == ("person/b",)
    assert recognise(annas, "talk to Marsh").targets == ("person/b",)


@pytest.mark.parametrize(
    ("text", "now", "minutes"),
    [
        ("wait two hours", 600, 120),
        ("wait for half an hour", 600, 30),
        ("wait an hour and a half", 600, 90),
        ("wait 15 minutes", 600, 15),
        ("wait a couple of hours", 600, 120),
        ("wait until dawn", 1200, 600),
        ("wait until noon", 600, 120),
        ("wait until noon", 720, 1440),
        ("rest until evening", 600, 540),
        ("sleep", 600, 480),
        ("sleep for ten hours", 600, 600),
        ("wait a good long while", 600, 60),
        ("wait", 600, None),
        ("wait for Orsa", 600, None),
        ("wait 99999999999999999999 years", 600, 10**6),
    ],
)
def test_durations(stand: Stand, text: str, now: int, minutes: int | None) -> None:
    assert recognise(stand(now=now), text).minutes == minutes
