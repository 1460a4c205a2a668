"""What players write, and what it means: verb, what it acts on, what it is about."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from talekeeper.agents.resolver import recognise
from talekeeper.agents.situation import Known, Person, Situation

Stand = Callable[..., Situation]

M, T, K, ORSA = "person/mara", "person/tobin", "person/kael", "person/orsa"
LANTERN, CHEST, BOLLARD, BELL = "item/lantern", "item/chest", "item/bollard", "item/bell"
KNIFE, LETTER, KEY, LEDGER, CROWN = "item/knife", "item/letter", "item/key", "item/ledger", "item/crown"
HARBOUR, MARKET, TOWER, ABBEY, QUAY = "place/harbour", "place/market", "place/tower", "place/abbey", "place/quay"
LAMPS, DROWNED = "concept/dead-lamps", "concept/drowned-bell"

PHRASINGS: list[tuple[str, str, tuple[str, ...], str | None]] = [
    # move
    ("to the harbour", "move", (HARBOUR,), None),
    ("go to the harbour", "move", (HARBOUR,), None),
    ("I walk to the Harbour.", "move", (HARBOUR,), None),
    ("I'll head down to the docks", "move", (HARBOUR,), None),
    ("harbor", "move", (HARBOUR,), None),
    ("go north", "move", (MARKET,), None),
    ("north", "move", (MARKET,), None),
    ("Salt Market", "move", (MARKET,), None),
    ("run through the arch", "move", (MARKET,), None),
    ("take the steps down", "move", (HARBOUR,), None),
    ("down the steps", "move", (HARBOUR,), None),
    ("climb the spiral stair", "move", (TOWER,), None),
    ("enter the lamp tower", "move", (TOWER,), None),
    ("let's go to the market", "move", (MARKET,), None),
    ("I want to go to the market", "move", (MARKET,), None),
    ("we leave for the market", "move", (MARKET,), None),
    ("Kael walks to the harbour", "move", (HARBOUR,), None),
    ("can I go to the harbour?", "move", (HARBOUR,), None),
    ("I went to the harbour", "move", (HARBOUR,), None),
    ("I make my way to the harbuor", "move", (HARBOUR,), None),
    ("go to the abbey", "move", (ABBEY,), None),
    ("leave", "move", (), None),
    ("talk to whoever is there", "talk", (M,), None),
    ("go to the market and ask about the oil", "move", (MARKET,), None),
    # look
    ("look", "look", (), None),
    ("l", "look", (), None),
    ("look around", "look", (), None),
    ("I take a look around", "look", (), None),
    ("where am I?", "look", (), None),
    ("What do I see here?", "look", (), None),
    ("who is here", "look", (), None),
    ("I look around the quay", "look", (), None),
    ("survey the scene", "look", (), None),
    # examine
    ("look at the lantern", "examine", (LANTERN,), None),
    ("x lantern", "examine", (LANTERN,), None),
    ("examine the brass lantern closely", "examine", (LANTERN,), None),
    ("examine the lantren", "examine", (LANTERN,), None),
    ("inspect Mara", "examine", (M,), None),
    ("I study her face", "examine", (M,), None),
    ("I watch the boy", "examine", (T,), None),
    ("read the letter", "examine", (LETTER,), None),
    ("look at Mara's ledger", "examine", (LEDGER,), None),
    ("check the chest", "examine", (CHEST,), None),
    ("take a closer look at the bollard", "examine", (BOLLARD,), None),
    ("the lantern", "examine", (LANTERN,), None),
    ("listen to the bell", "examine", (BELL,), None),
    ("look at the ceiling", "examine", (), "ceiling"),
    # talk
    ("talk to Mara", "talk", (M,), None),
    ("speak with the harbourmaster", "talk", (M,), None),
    ("Mara", "talk", (M,), None),
    ("I greet Tobin", "talk", (T,), None),
    ("say hello to the boy", "talk", (T,), None),
    ("tell her I saw it", "talk", (M,), None),
    ("tell Mara about the lantern", "talk", (M,), LANTERN),
    ("I tell Tobin that the bell rang", "talk", (T,), BELL),
    ('"Good evening, Mara."', "talk", (M,), None),
    ('I say "the oil is thin" to Tobin', "talk", (T,), None),
    ("whisper to the lamplighter about the oil", "talk", (T,), LAMPS),
    ("I approach Mara", "talk", (M,), None),
    ("walk over to Tobin", "talk", (T,), None),
    ("talk to Orsa", "talk", (ORSA,), None),
    ("thank her", "talk", (M,), None),
    ("hello", "talk", (M,), None),
    ("speak of the drowned bell with Mara", "talk", (M,), DROWNED),
    # ask
    ("I ask Mara about the lamps", "ask", (M,), LANTERN),
    ("ask Mara about the dead lamps", "ask", (M,), LAMPS),
    ("ask tobin about orsa", "ask", (T,), ORSA),
    ("ask her about the abbey", "ask", (M,), ABBEY),
    ("ask about the oil", "ask", (M,), LAMPS),
    ("ask the boy where Orsa is", "ask", (T,), ORSA),
    ("ask Tobin if he has seen the crown", "ask", (T,), CROWN),
    ("Mara, what do you know about the abbey?", "ask", (M,), ABBEY),
    ("what do you know of the tide crown?", "ask", (M,), CROWN),
    ("Where is Orsa Quill?", "ask", (M,), ORSA),
    ("who put out the lamps?", "ask", (M,), LANTERN),
    ('"Who rang the bell?" I ask Tobin', "ask", (T,), BELL),
    ('"Have you seen Orsa?"', "ask", (M,), ORSA),
    ("tell me about the Tide Court", "ask", (M,), "faction/tide"),
    ("Tobin, tell me about the fog bell", "ask", (T,), BELL),
    ("can you tell me about Orsa", "ask", (M,), ORSA),
    ("inquire after Orsa's health", "ask", (M,), ORSA),
    ("question Mara about her brother", "ask", (M,), "brother"),
    ("I'd like to ask the harbourmaster about taxes", "ask", (M,), "taxes"),
    ("walk over to Tobin and ask him about the oil", "ask", (T,), LAMPS),
    ("do you know the abbey?", "ask", (M,), ABBEY),
    ("ask Gandalf about the ring", "ask", (), "ring"),
    ("ask Maar about the abbey", "ask", (), ABBEY),
    # persuade
    ("persuade Mara to open the tower", "persuade", (M,), TOWER),
    ("persaude Mara to help", "persuade", (M,), None),
    ("convince her that the oil is bad", "persuade", (M,), LAMPS),
    ("ask Mara to unlock the tower", "persuade", (M,), TOWER),
    ("I beg Tobin for help", "persuade", (T,), None),
    ("talk Tobin into lighting the lamp", "persuade", (T,), LANTERN),
    ("bribe the harbourmaster", "persuade", (M,), None),
    ("could you help me, Mara?", "persuade", (M,), None),
    ("ask Mara for help", "persuade", (M,), None),
    ("bargain with Mara over the ledger", "persuade", (M,), LEDGER),
    ("flatter Mara", "persuade", (M,), None),
    ("ask Mara for the ledger", "persuade", (M,), LEDGER),
    ("show me the ledger", "persuade", (M,), LEDGER),
    ("Can I see your ledger, Mara?", "persuade", (M,), LEDGER),
    ("I buy the ledger from Mara", "persuade", (M,), LEDGER),
    ("offer Mara a bribe", "persuade", (M,), None),
    # threaten
    ("threaten Tobin", "threaten", (T,), None),
    ("I threaten the boy with my knife", "threaten", (T,), None),
    ("intimidate Mara", "threaten", (M,), None),
    ("demand that Mara tell me about the oil", "threaten", (M,), LAMPS),
    ("force Tobin to talk", "threaten", (T,), None),
    ("warn him about the Tide Court", "threaten", (T,), "faction/tide"),
    # deceive
    ("lie to Mara about the letter", "deceive", (M,), LETTER),
    ("bluff", "deceive", (M,), None),
    ("pretend to be a customs officer", "deceive", (M,), None),
    ("trick the boy into leaving", "deceive", (T,), None),
    ("distract Mara", "deceive", (M,), None),
    ("mislead the harbourmaster", "deceive", (M,), None),
    # attack
    ("attack Tobin", "attack", (T,), None),
    ("attack Tobin with my knife", "attack", (T, KNIFE), None),
    ("I stab her with the knife", "attack", (M, KNIFE), None),
    ("punch the harbourmaster in the face", "attack", (M,), None),
    ("hit him", "attack", (T,), None),
    ("kill the boy", "attack", (T,), None),
    ("With a cry, I strike Mara", "attack", (M,), None),
    ("smash the lantern", "attack", (LANTERN,), None),
    ("throw the knife at Mara", "attack", (M, KNIFE), None),
    ("shove Tobin", "attack", (T,), None),
    # defend
    ("defend myself", "defend", (), None),
    ("block", "defend", (), None),
    ("I dodge", "defend", (), None),
    ("take cover", "defend", (), None),
    ("protect Tobin", "defend", (T,), None),
    ("brace for impact", "defend", (), None),
    ("stand my ground", "defend", (), None),
    # take
    ("take the lantern", "take", (LANTERN,), None),
    ("grab the lantern and run", "take", (LANTERN,), None),
    ("pick up the lamp", "take", (LANTERN,), None),
    ("pick the lantern up", "take", (LANTERN,), None),
    ("get lantern", "take", (LANTERN,), None),
    ("take Mara's ledger", "take", (LEDGER, M), None),
    ("steal the ledger from Mara", "take", (LEDGER, M), None),
    ("snatch the ledger", "take", (LEDGER,), None),
    ("pickpocket Mara", "take", (M,), None),
    ("take the crown", "take", (CROWN,), None),
    ("I reach for the lantern", "take", (LANTERN,), None),
    ("take the golden sword", "take", (), None),
    ("quickly grab the brass lantern", "take", (LANTERN,), None),
    # give
    ("give the letter to Mara", "give", (LETTER, M), None),
    ("give Mara the letter", "give", (LETTER, M), None),
    ("hand him the key", "give", (KEY, T), None),
    ("offer Tobin my knife", "give", (KNIFE, T), None),
    ("hand over the letter", "give", (LETTER, M), None),
    ("I pass the key to the boy", "give", (KEY, T), None),
    ("give her the sealed letter", "give", (LETTER, M), None),
    # use
    ("use the key on the chest", "use", (KEY, CHEST), None),
    ("use the iron key", "use", (KEY,), None),
    ("light the lantern", "use", (LANTERN,), None),
    ("ring the bell", "use", (BELL,), None),
    ("show Mara the letter", "use", (LETTER, M), None),
    ("try the key in the chest", "use", (KEY, CHEST), None),
    ("put out the lamp", "use", (LANTERN,), None),
    ("use key on door", "use", (KEY, TOWER), None),
    ("close the chest", "use", (CHEST,), None),
    # open
    ("open the chest", "open", (CHEST,), None),
    ("open the chest with the knife", "open", (CHEST, KNIFE), None),
    ("unlock the tower door", "open", (TOWER,), None),
    ("open the door", "open", (TOWER,), None),
    ("kick the door down", "open", (TOWER,), None),
    ("break open the chest", "open", (CHEST,), None),
    ("pry the chest open", "open", (CHEST,), None),
    ("open the letter", "open", (LETTER,), None),
    ("force the chest", "open", (CHEST,), None),
    # sneak
    ("sneak to the docks", "sneak", (HARBOUR,), None),
    ("sneak past Mara", "sneak", (M,), None),
    ("hide", "sneak", (), None),
    ("hide behind the chest", "sneak", (CHEST,), None),
    ("creep up on the boy", "sneak", (T,), None),
    ("quietly slip away to the market", "sneak", (MARKET,), None),
    ("slip past her to the harbour", "sneak", (HARBOUR, M), None),
    # search
    ("search the quay", "search", (QUAY,), None),
    ("search", "search", (), None),
    ("search the chest for a map", "search", (CHEST,), "map"),
    ("look for Orsa", "search", (), ORSA),
    ("look for clues", "search", (), "clues"),
    ("rummage through the chest", "search", (CHEST,), None),
    ("look inside the chest", "search", (CHEST,), None),
    ("look behind the bollard", "search", (BOLLARD,), None),
    ("find the crown", "search", (), CROWN),
    ("investigate the bell", "search", (BELL,), None),
    ("frisk Tobin", "search", (T,), None),
    # wait and rest
    ("wait", "wait", (), None),
    ("wait two hours", "wait", (), None),
    ("I wait for Orsa", "wait", (), ORSA),
    ("stay here a while", "wait", (), None),
    ("do nothing", "wait", (), None),
    ("rest", "rest", (), None),
    ("sleep until dawn", "rest", (), None),
    ("lie down and sleep", "rest", (), None),
    ("make camp", "rest", (), None),
    ("take a nap", "rest", (), None),
    ("catch my breath", "rest", (), None),
    # cast and perform
    ("cast a spell of light", "cast", (), "spell of light"),
    ("summon the fog", "cast", (), "fog"),
    ("enchant the lantern", "cast", (LANTERN,), None),
    ("sing a song for Mara", "perform", (M,), None),
    ("dance", "perform", (), None),
    ("tell a story", "perform", (), None),
    ("juggle three knives", "perform", (KNIFE,), None),
    ("play the lute", "perform", (), "lute"),
    # the first deed counts, what only leads up to it does not
    ("I draw my knife and point it at Tobin", "threaten", (T,), None),
    ("I put the knife to his throat and demand answers", "threaten", (T,), "answers"),
    ("Excuse me, harbourmaster, could I have a word?", "talk", (M,), None),
    ("go ask tobin about the bell", "ask", (T,), BELL),
    ("use the knife to open the chest", "open", (CHEST, KNIFE), None),
    ("You're lying, Mara.", "talk", (M,), None),
    ("inventory", "examine", (K,), None),
    ("go downstairs", "move", (HARBOUR,), None),
    ("loot the chest", "search", (CHEST,), None),
    ("dig under the bollard", "search", (BOLLARD,), None),
    # everything else is an attempt
    ("balance on the bollard", "attempt", (BOLLARD,), None),
    ("I nod", "attempt", (), None),
    ("paint a picture of the sea", "attempt", (), None),
    ("climb onto the roof", "attempt", (), None),
    ("drop the knife", "attempt", (KNIFE,), None),
    ("I swim out to sea", "attempt", (), None),
    ("xyzzy", "attempt", (), None),
    ("🙂", "attempt", (), None),
]


@pytest.mark.parametrize(("text", "verb", "targets", "topic"), PHRASINGS, ids=[p[0] for p in PHRASINGS])
def test_phrasing(quay: Situation, text: str, verb: str, targets: tuple[str, ...], topic: str | None) -> None:
    action = recognise(quay, text)
    assert (action.verb, action.targets) == (verb, targets)
    if topic is not None:
        assert action.topic == topic


def test_the_table_is_long_and_covers_every_verb() -> None:
    assert len(PHRASINGS) >= 150
    assert {verb for _, verb, _, _ in PHRASINGS} >= set("move look examine talk ask persuade threaten deceive attack"
        " defend take give use open sneak search wait rest cast perform attempt".split())  # fmt: skip


def test_what_only_tells_more_of_a_person_is_not_the_person(stand: Stand) -> None:
    clerk = Person("person/idris", "Idris Noone", ("boy at the small desk",))
    office = stand(present=(clerk,))
    assert recognise(office, "read whatever is on the desk").targets == ()
    assert recognise(office, "examine the boy at the small desk").targets == ("person/idris",)
    assert recognise(office, "examine the boy").targets == ("person/idris",)
    assert recognise(office, "examine Noone").targets == ("person/idris",)


def test_a_house_of_another_name_is_none_of_the_houses_known(stand: Stand) -> None:
    row = stand(elsewhere=(Known("place/office", "Works Office", ("brick house",)),
                           Known("place/gate", "The Gatehouse", ("sluice house",))))  # fmt: skip
    assert recognise(row, "go to the brick house").targets == ("place/office",)
    assert recognise(row, "go to the house").targets != ()
    lost = recognise(row, "go to the customs house")
    assert (lost.targets, lost.unknown) == ((), "customs house")


def test_taking_what_one_has_leads_to_what_is_done_with_it(quay: Situation) -> None:
    assert recognise(quay, "I pick up the letter and read it").verb == "examine"
    assert recognise(quay, "I pick up the letter").verb == "take"
    assert recognise(quay, "I pick up the lantern and light it").verb == "take"


@pytest.mark.parametrize(
    ("hour", "said", "minutes"),
    [
        (23, "rest", 480),
        (2, "I lie down", 300),
        (12, "rest", None),
        (23, "catch my breath", None),
        (23, "rest for an hour", 60),
    ],
)
def test_who_rests_at_night_rests_until_morning(stand: Stand, hour: int, said: str, minutes: int | None) -> None:
    assert recognise(stand(now=hour * 60), said).minutes == minutes


def test_nothing_stands_against_a_prayer(quay: Situation) -> None:
    assert recognise(quay, "pray").idle
    assert not recognise(quay, "I pray and set fire to the quay").idle
