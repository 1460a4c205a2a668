"""The Warden: pitches are flagged with a reason, in whatever disguise; ordinary talk passes; it never does more than flag."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.warden import Flag, Warden
from talekeeper.agents.companion.warden.confusables import CONFUSABLES
from talekeeper.agents.companion.warden.disguise import plain
from talekeeper.agents.companion.warden.reading import weigh
from talekeeper.agents.companion.warden.warden import AUTHORS, THRESHOLD

Say = Callable[..., ChatLine]


@pytest.fixture
def warden() -> Warden:
    return Warden()


def test_a_growth_service_is_flagged_with_its_reasons(warden: Warden, say: Say) -> None:
    flag = warden.read(
        say("Love your stream! I can help you grow your channel with real viewers, add me on Discord: lumen_44")
    )
    assert flag is not None
    assert flag.severity == "high"
    assert flag.reason.startswith("It ")
    assert "gives a name on another platform" in flag.reason
    assert flag.lines == ()


def test_severity_rises_with_what_is_in_it(warden: Warden, say: Say) -> None:
    texts = (
        "Become viral with palefox.online",
        "Best followers on pushlive.online",
        "Hey, nice stream! I help streamers gain real viewers and followers, add me on discord: lumen_44",
    )
    flags = [warden.read(say(text, f"author{n}")) for n, text in enumerate(texts)]
    assert [flag and flag.severity for flag in flags] == ["low", "medium", "high"]


def test_pitches_are_caught_and_talk_is_not(pitches: list[str], ordinary: list[str]) -> None:
    missed = [text for text in pitches if weigh(text).score < THRESHOLD]
    accused = [text for text in ordinary if weigh(text).score >= THRESHOLD]
    assert len(missed) <= 0.05 * len(pitches), missed
    assert len(accused) <= 0.02 * len(ordinary), accused


@pytest.mark.parametrize("badge", ["broadcaster", "moderator", "vip"])
def test_the_house_is_exempt(warden: Warden, say: Say, badge: str) -> None:
    text = "Buy cheap viewers and followers on pushlive.online"
    assert warden.read(say(text, "ilse", 0.0, badge)) is None
    assert warden.read(say(text, "ilse", 0.0, "subscriber")) is not None


def test_a_pitch_in_pieces_is_put_together(warden: Warden, say: Say) -> None:
    pieces = [
        say("hey, awesome stream, I just followed you", "ryker", 0.0),
        say("mind if we connect somewhere?", "ryker", 6.0),
        say("on discord", "ryker", 9.0),
        say("my username is ryker_09", "ryker", 14.0),
    ]
    flags = [warden.read(piece) for piece in pieces]
    found = [flag for flag in flags if flag]
    assert len(found) == 1
    assert set(found[0].lines) <= {piece.id for piece in pieces}
    assert pieces[0].id in found[0].lines
    assert "lines" in found[0].reason


def test_pieces_of_different_people_are_not_put_together(warden: Warden, say: Say) -> None:
    assert warden.read(say("great stream tonight, love the content", "ada", 0.0)) is None
    assert warden.read(say("is anyone on discord", "bo", 1.0)) is None
    assert warden.read(say("I got 50 followers last week", "cy", 2.0)) is None


def test_pieces_far_apart_are_not_put_together(warden: Warden, say: Say) -> None:
    assert warden.read(say("love your stream, you are so talented", "ada", 0.0)) is None
    assert warden.read(say("can I add you on discord", "ada", 4_000.0)) is None


def test_a_regular_may_talk_of_discord_all_evening(warden: Warden, say: Say) -> None:
    talk = (
        "did you see the discord", "the picture is in the discord", "great stream btw", "how many viewers do we have",
        "followers keep dying in this game", "free games this week", "I will post it on discord later",
    )  # fmt: skip
    assert [warden.read(say(text, "mara", n * 20.0)) for n, text in enumerate(talk)] == [None] * len(talk)


def test_what_it_remembers_is_bounded(warden: Warden, say: Say) -> None:
    for n in range(AUTHORS * 2):
        warden.read(ChatLine(str(n), f"author{n}", "love your stream, on discord?", float(n)))
    assert len(warden._said) <= AUTHORS


@pytest.mark.parametrize(
    ("text", "disguise"),
    [
        ("Вuy viеwers", "lookalike letters"),
        ("𝓑𝓾𝔂 viewers", "styled letters"),
        ("Ｂｕｙ ｖｉｅｗｅｒｓ", "styled letters"),
        ("B̶u̶y̶ v̶i̶e̶w̶e̶r̶s̶", "marks piled on letters"),
        ("B\u200buy vie\u200bwers", "invisible marks inside words"),
        ("B u y v i e w e r s", "letters set apart"),
        ("buy vie wers", "broken words"),
        ("buy v13w3r5", "broken words"),
    ],
)
def test_disguises_come_off_and_are_named(text: str, disguise: str) -> None:
    bare = plain(text)
    assert disguise in bare.disguises
    assert bare.text.replace(" ", "") == "buyviewers"


@pytest.mark.parametrize(
    "text", ["où est le phare ?", "привет всем", "안녕하세요", "🔥👍🏽", "naïve café", "ʕ•ᴥ•ʔ", "👩‍👩‍👧"]
)
def test_other_languages_and_faces_are_no_disguise(text: str) -> None:
    assert plain(text).disguises == ()


def test_another_script_stays_itself_in_the_reading() -> None:
    assert plain("안녕하세요").text == "안녕하세요"


KEYED = {latin: [chr(code) for code, to in CONFUSABLES.items() if to == latin] for latin in "abcdeghijklmnoprstuvwxyz"}


@st.composite
def disguised(draw: st.DrawFn, text: str = "buy cheap viewers on pushlive.online") -> str:
    """The same pitch under lookalikes, marks and invisible characters."""
    out = []
    for char in text:
        out.append(draw(st.sampled_from([char, char, char, *KEYED.get(char, [])])))
        out.append(draw(st.sampled_from(["", "", "", "", "\u200b", "\u0336", "\u0301"])) if char.isalpha() else "")
    return "".join(out)


@given(disguised())
def test_a_pitch_is_a_pitch_under_any_of_them(text: str) -> None:
    assert weigh(text).score >= THRESHOLD


@given(st.text(max_size=400))
def test_anything_can_be_read(text: str) -> None:
    flag = Warden().read(ChatLine("1", "ada", text, 0.0))
    assert flag is None or (isinstance(flag, Flag) and flag.reason.endswith("."))


@given(st.text(alphabet=st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=200))
def test_plain_text_stays_plain(text: str) -> None:
    assert plain(plain(text).text).text == plain(text).text


@given(st.text(max_size=200))
def test_the_plain_text_has_nothing_invisible(text: str) -> None:
    assert not set("\u200b\u200c\u200d\u2060\ufeff\u00ad") & set(plain(text).text)


def test_ten_thousand_characters_are_read_in_part(warden: Warden, say: Say) -> None:
    assert warden.read(say("buy cheap viewers on pushlive.online " + "a " * 10_000)) is not None
    assert warden.read(say("d" * 10_000 + " i s c o r d " * 500, "other")) is None
