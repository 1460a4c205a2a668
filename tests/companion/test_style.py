"""The style gate, rule by rule: what each lets through, and what it stops."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.agents.companion.style import RULES, broken, clean, faults, sentence_count

HERE = Path(__file__).parent
LONG = "The keeper wrote it down. "
EXAMPLES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "length": (
        (
            "A pause is also a move.",
            ("The stair goes on. " + "And on and on " * 30)[:299] + ".",
            "The sea says one thing all day, and sailors still find it worth hearing, though none could repeat it.",
            "Even in music the rests are written down.",
        ),
        ("x" * 301, "word " * 80, "a" * 2_000, "The long way round is how most things are found, " * 7),
    ),
    "sentences": (
        (
            "One thought. And another.",
            "Mr. Holloway kept the log, and Dr. Marsh read it.",
            "It was quiet… then the lamp turned. Nobody spoke.",
            "“Is anything left?” the log asks. It does not answer.",
        ),
        (
            "One. Two. Three.",
            LONG * 3,
            "It rains. It stops. It rains again.",
            "Is it over? It is not. It has begun.",
        ),
    ),
    "exclamation": (
        ("Land in sight!", "What was that, a gull?", "So it ends, then.", "A single bell rang at noon!"),
        ("Land in sight!!", "What?! Again?", "Yes! No! Maybe!", "Did you see that??"),
    ),
    "shouting": (
        (
            "NASA kept a log of every quiet hour.",
            "Henry VIII built walls, and Louis XVIII feared them.",
            "The NES cartridge still works.",
            "There is an owl on the TV aerial.",
        ),
        ("WELCOME to the rock", "THIS IS IT", "so GOOD tonight, soooo good", "Look at THAT LIGHT GO"),
    ),
    "call_to_action": (
        (
            "Sailors were told to keep the light on their left.",
            "One could check the log for the year of the storm.",
            "The path joins the road below the chapel.",
            "Some letters were dropped at the door and never opened.",
        ),
        (
            "Don't forget to say hello.",
            "Make sure you stay until the end.",
            "Let us know where you are watching from.",
            "Drop a comment below.",
        ),
    ),
    "follow": (
        (
            "Follow the river far enough and it forgets its name.",
            "What follows is the quiet part of the story.",
            "Some subscribe to the theory that the keeper never left.",
            "It looks like the light of another ship.",
        ),
        (
            "Follow for more quiet evenings.",
            "Hit that follow button.",
            "Like and subscribe, it helps.",
            "We are 3 followers from the goal, consider a sub.",
        ),
    ),
    "selling": (
        (
            "The inn sold candles by the hour.",
            "Merchants paid for the lamp oil in salt.",
            "Nothing here costs anything but time.",
            "The price of the lamp was a winter alone.",
        ),
        (
            "The merch is in.",
            "Use code KEEPER at the checkout.",
            "Prints for just 10 tonight.",
            "Donations keep it running.",
        ),
    ),
    "begging": (
        (
            "The lamp needs oil, the keeper needs sleep.",
            "Silence is welcome here.",
            "The house on the rock was built to be left.",
            "It asks nothing of anybody.",
        ),
        (
            "Please stay a little longer.",
            "It would mean so much if somebody spoke.",
            "It is so empty here.",
            "Is anyone there?",
        ),
    ),
    "enthusiasm": (
        (
            "The epic opens with a list of ships.",
            "Let's go back to the log: it stops in March.",
            "A fire was lit on the headland.",
            "The stars were out, which is rare on this coast.",
        ),
        (
            "This is amazing.",
            "So excited for tonight.",
            "What an incredible stream, the hype is real.",
            "Can't wait for the lantern room.",
        ),
    ),
    "asks_chat": (
        (
            "What would the keeper have seen from there?",
            "Is a light still a light when no ship passes?",
            "Why pencil, and not ink?",
            "The question is who trimmed the wick.",
        ),
        (
            "What do you think, chat?",
            "Hey chat, which door?",
            "Does anyone know the name of the rock?",
            "How is everyone doing tonight?",
        ),
    ),
    "human": (
        (
            "I am an AI and do not feel the cold.",
            "“I love the sea,” the keeper wrote, and crossed it out.",
            "I wonder whether the log was ever read.",
            "The keeper missed his brother.",
        ),
        (
            "I love this part.",
            "That makes me smile.",
            "When I was a child we had a lamp like that.",
            "I am happy to be here, as a human among humans.",
        ),
    ),
    "viewer": (
        (
            "I keep the notes of this stream.",
            "The watch was changed at four.",
            "A viewer of old paintings knows that light.",
            "Those who were here in March may remember the storm.",
        ),
        (
            "I've been watching since the start.",
            "Just a fellow viewer passing by.",
            "We viewers see it all.",
            "I just followed, lovely room.",
        ),
    ),
    "attachment": (
        (
            "The keeper loved the lamp more than the sea.",
            "Friends of the lighthouse paid for the paint.",
            "Listening is a fine way of being here.",
            "The family on the rock kept goats.",
        ),
        ("I missed you all.", "Glad you're here.", "Good night, my friends.", "You mean so much to this place."),
    ),
    "activity": (
        (
            "It has been quiet since the question about the oil.",
            "Two questions from earlier are still open.",
            "The harbour was full that year.",
            "People have kept lights for a very long time.",
        ),
        (
            "Everyone is talking about the lamp.",
            "Many of you have asked for this.",
            "The chat is loving it.",
            "There are 40 people here tonight.",
        ),
    ),
    "link": (
        (
            "The note ends with a dot.",
            "It was signed J. and nothing more.",
            "At 4.30 the fog came in.",
            "The log, vol. 2, is lost.",
        ),
        (
            "See https://example.org",
            "More at www.keepers.example",
            "It is all on keepers.tv tonight",
            "Read keepers.com for the rest",
        ),
    ),
    "markup": (
        (
            "The lamp (the second one) is out.",
            "Three, two, one.",
            "A star * on the map, nothing more.",
            "The log says 3 < 4, oddly.",
        ),
        ("<b>Quiet</b> tonight", "**Quiet** tonight", "# Quiet tonight", "[quiet](note)"),
    ),
    "repetition": (
        (
            "The stair has two hundred steps.",
            "A gull has nested in the lantern room.",
            "Pencil does not run when the page gets wet.",
            "The oil came by boat, twice a year.",
        ),
        (
            "The lamp was lit at dusk, and the keeper slept.",
            "the lamp was lit at dusk and the keeper slept",
            "At dusk the lamp was lit, and the keeper slept.",
            "The lamp was lit at dusk; the keeper slept.",
        ),
    ),
}
SAID_BEFORE = ("The lamp was lit at dusk, and the keeper slept.", "Nothing to report.")
GOOD = [(rule, text) for rule, (good, _) in EXAMPLES.items() for text in good]
BAD = [(rule, text) for rule, (_, bad) in EXAMPLES.items() for text in bad]


def test_every_rule_has_its_examples() -> None:
    assert {rule.name for rule in RULES} == set(EXAMPLES)
    assert all(len(good) >= 4 and len(bad) >= 4 for good, bad in EXAMPLES.values())


@pytest.mark.parametrize(("rule", "text"), GOOD)
def test_calm_lines_pass(rule: str, text: str) -> None:
    assert faults(text, SAID_BEFORE) == (), rule


@pytest.mark.parametrize(("rule", "text"), BAD)
def test_each_rule_stops_its_own(rule: str, text: str) -> None:
    assert rule in {found.name for found in broken(text, SAID_BEFORE)}


def test_what_bots_say_in_small_channels_is_stopped() -> None:
    assert [line for line in (HERE / "hype.txt").read_text(encoding="utf-8").splitlines() if not faults(line)] == []


def test_what_a_thoughtful_guest_might_say_passes() -> None:
    lines = (HERE / "calm.txt").read_text(encoding="utf-8").splitlines()
    assert [(line, faults(line)) for line in lines if faults(line)] == []


def test_nothing_is_not_a_line() -> None:
    assert faults("") == faults(" \n\u200b ") == ("There is nothing in it.",)


def test_reasons_are_sentences_for_the_operator() -> None:
    assert faults("FOLLOW NOW!!! chat, I love you") != ()
    assert all(reason[0].isupper() and reason.endswith(".") for reason in faults("FOLLOW NOW!!! chat, I love you"))


def test_a_steward_may_answer_at_more_length() -> None:
    answer = "The log begins in 1871. It was kept in pencil. Nobody says why."
    assert faults(answer) == ("It has too many sentences.",)
    assert faults(answer, limit=1_000, sentences=6) == ()


def test_only_the_last_fifty_lines_count_as_said() -> None:
    earlier = [SAID_BEFORE[0], *(f"Note number {n} of the log, on {word}." for n, word in enumerate(["oil"] * 50))]
    assert faults(SAID_BEFORE[0], earlier) == ()
    assert faults(SAID_BEFORE[0], earlier[:50]) != ()


def test_disguised_hype_is_still_hype() -> None:
    assert "follow" in {rule.name for rule in broken("Ｆｏｌｌｏｗ for more")}
    assert "follow" in {rule.name for rule in broken("Fol\u200blow for more")}


@given(st.text())
def test_clean_gives_one_line_without_control_characters(text: str) -> None:
    line = clean(text)
    assert clean(line) == line
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") for char in line)
    assert line == line.strip()


@given(st.text(max_size=600), st.lists(st.text(max_size=80), max_size=4))
def test_the_gate_judges_anything(text: str, recent: list[str]) -> None:
    assert all(reason.endswith(".") for reason in faults(text, recent))


@given(st.text(alphabet='ab .!?…\n"', max_size=60))
def test_more_text_never_has_fewer_sentences(text: str) -> None:
    assert sentence_count(f"{text.strip()}. Then this.") >= 1
