"""When the companion may speak, and the reason it gives when it does not."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.policy import Lull, Thresholds, human_priority, weigh

MINUTE = 60.0
START = 1_000_000.0
THEME = "What lighthouses ask of those who keep them"
Say = Callable[..., ChatLine]


def lull(minutes: float, *lines: ChatLine, **more: object) -> Lull:
    """A live session after so many minutes, with lines at their minutes."""
    placed = tuple(msgspec.structs.replace(line, at=START + line.at * MINUTE) for line in lines)
    return msgspec.convert(
        {"now": START + minutes * MINUTE, "session_started": START, "live": True, "live_since": START, **more}
        | {"lines": placed},
        Lull,
    )


def test_it_speaks_after_a_quarter_of_an_hour_of_silence() -> None:
    assert (weigh(lull(14.9)).speak, weigh(lull(14.9)).reason) == (False, "active_chat")
    decision = weigh(lull(15))
    assert (decision.speak, decision.reason) == (True, "inactive_chat")
    assert decision.details == ("Nobody has written for 15 minutes.",)


def test_silence_counts_from_the_last_word(say: Say) -> None:
    assert not weigh(lull(20, say("good evening", at=6))).speak
    assert weigh(lull(21, say("good evening", at=6))).speak


def test_silence_counts_only_from_going_live() -> None:
    assert weigh(lull(20, live_since=START + 10 * MINUTE)).reason == "active_chat"
    assert weigh(lull(25, live_since=START + 10 * MINUTE)).speak


def test_three_lines_in_a_minute_silence_it_whatever_else(say: Say) -> None:
    quick = Thresholds(inactivity=0, cooldown=0)
    said = [say(text, name, 29.5) for text, name in (("hm", "a"), ("well", "a"), ("so", "a"))]
    decision = weigh(lull(30, *said, settings=quick))
    assert (decision.speak, decision.reason) == (False, "active_chat")
    assert weigh(lull(30, *said[:2], settings=quick)).speak


def test_more_people_mean_longer_thresholds(say: Say) -> None:
    said = [say(f"thought {n}", f"p{n}", 21) for n in range(5)]
    still = lull(28, *said, settings=Thresholds(inactivity=240), last_prompt_at=START)
    assert human_priority(still) == 2.0
    decision = weigh(still)
    assert (decision.speak, decision.reason) == (False, "active_chat")
    assert decision.next_eligible_at == max(START + 21 * MINUTE + 2 * 240, START + 2 * 900)
    assert "2.0 times as long" in " ".join(decision.details)


def test_the_same_line_again_and_again_is_one_line(say: Say) -> None:
    assert human_priority(lull(30, *(say("first", at=25) for _ in range(9)))) == 1.2


def test_the_cooldown_is_not_reset_by_people(say: Say) -> None:
    spoke = START + 20 * MINUTE
    assert weigh(lull(30, last_prompt_at=spoke)).reason == "cooldown"
    assert weigh(lull(30, last_prompt_at=spoke)).next_eligible_at == spoke + 900
    assert weigh(lull(36, say("oh", at=20.5), last_prompt_at=spoke)).speak


def test_it_fails_closed_when_the_stream_is_not_live() -> None:
    assert weigh(lull(60, live=False)).reason == "not_live"
    assert weigh(lull(60, live=False, required_live=False)).speak


def test_a_moderators_hush_goes_before_everything() -> None:
    decision = weigh(lull(60, live=False, hushed_until=START + 90 * MINUTE))
    assert decision.reason == "hushed"
    assert decision.next_eligible_at == START + 90 * MINUTE
    assert weigh(lull(91, hushed_until=START + 90 * MINUTE)).speak


def test_not_while_the_streamer_talks() -> None:
    assert weigh(lull(60, streamer_talking=True)).reason == "streamer_talking"


def test_an_easy_exchange_is_left_alone(say: Say) -> None:
    said = [say(f"and then {n}", "ab"[n % 2], 26 + n * 0.6) for n in range(5)]
    assert weigh(lull(30, *said, settings=Thresholds(inactivity=30))).reason == "momentum"


def test_long_words_on_the_theme_make_a_silence_to_think_in(say: Say) -> None:
    thought = say(
        "I keep thinking the lighthouse asks for nothing, and that this is exactly what wears the keepers down over time",
        at=1,
    )
    assert weigh(lull(20, thought), THEME).reason == "contemplative"
    assert weigh(lull(20, thought), THEME).next_eligible_at == START + 31 * MINUTE
    assert weigh(lull(31, thought), THEME).speak
    assert weigh(lull(20, thought), "Baking bread").speak
    assert weigh(lull(20, thought), "").speak


def test_an_open_question_needs_less_quiet(say: Say) -> None:
    asked = say("does the lamp ever go out in this game?", at=1)
    assert not weigh(lull(10.9, asked)).speak
    decision = weigh(lull(11.1, asked))
    assert (decision.speak, decision.reason) == (True, "question")
    assert decision.details[1] == "What mara asked has not been taken up."


def test_an_answered_question_is_no_cause(say: Say) -> None:
    asked = say("does the lamp ever go out in this game?", at=1)
    assert weigh(lull(12, asked, say("only once", "tobin", 2))).reason == "active_chat"


def test_it_takes_a_question_up_once(say: Say) -> None:
    asked = say("does the lamp ever go out in this game?", at=1)
    assert weigh(lull(40, asked, last_prompt_at=START + 12 * MINUTE)).reason == "inactive_chat"


def test_talk_that_left_the_theme_needs_less_quiet(say: Say) -> None:
    before = say("those lighthouses again", at=0.5)
    after = ("pizza for dinner", "pasta tastes better", "basil and tomato", "garlic bread always")
    drifted = [say(text, at=1 + n / 10) for n, text in enumerate(after)]
    assert weigh(lull(12, before, *drifted), THEME).reason == "drift"
    assert weigh(lull(12, *drifted), THEME).reason == "active_chat", "it never was on the theme"
    assert weigh(lull(12, before, *drifted), "").reason == "active_chat"
    back = say("garlic in a lighthouse, though", at=1.5)
    assert weigh(lull(12, before, *drifted, back), THEME).reason == "active_chat"
    noise = [say(text, at=1 + n / 10) for n, text in enumerate(("lol", "haha", "gg", "wow"))]
    assert weigh(lull(12, before, *noise), THEME).reason == "active_chat", "no words to tell by"


def test_newcomers_are_minded_only_in_a_long_silence() -> None:
    assert weigh(lull(12, newcomers=2)).reason == "active_chat"
    assert weigh(lull(15, newcomers=2)).reason == "newcomers"


def test_a_streamer_fallen_silent_is_a_cause() -> None:
    assert weigh(lull(11, streamer_silent_since=START - 600)).reason == "streamer_silent"
    assert weigh(lull(11, streamer_silent_since=START)).reason == "active_chat"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"streamer_talking": True}, "active_chat"),
        ({"newcomers": 1}, "inactive_chat"),
        ({"live": False}, "not_live"),
        ({"last_prompt_at": START + 10 * MINUTE}, "cooldown"),
    ],
)
def test_the_admin_api_knows_fewer_words(more: dict[str, object], reason: str) -> None:
    assert weigh(lull(20, **more)).tick_reason == reason


def test_a_clock_set_back_keeps_it_silent(say: Say) -> None:
    assert not weigh(lull(-600, say("hello", at=1))).speak
    assert not weigh(lull(60, last_prompt_at=START + 600 * MINUTE)).speak


lines = st.lists(
    st.builds(
        ChatLine,
        id=st.uuids().map(str),
        name=st.sampled_from(["ada", "bo", "cy"]),
        text=st.sampled_from(["hm", "is it late already?", "the lighthouse keepers again", "well then", "x" * 90]),
        at=st.floats(START, START + 3600),
    ),
    max_size=12,
).map(lambda found: tuple(sorted(found, key=lambda line: line.at)))
lulls = st.builds(
    Lull,
    now=st.floats(START + 3600, START + 9000),
    session_started=st.just(START),
    live=st.booleans(),
    required_live=st.booleans(),
    last_prompt_at=st.none() | st.floats(START, START + 9000),
    hushed_until=st.none() | st.floats(START, START + 9000),
    streamer_talking=st.booleans(),
    newcomers=st.integers(0, 3),
    lines=lines,
)


@given(lulls)
def test_another_line_now_never_makes_it_speak(before: Lull) -> None:
    said = ChatLine("new", "dee", "so it goes", before.now)
    after = msgspec.structs.replace(before, lines=(*before.lines, said))
    assert not weigh(after, THEME).speak
    assert weigh(after, THEME).next_eligible_at >= before.now


@given(lulls, st.floats(0, 3600))
def test_a_later_own_line_never_makes_it_speak_sooner(lull: Lull, later: float) -> None:
    spoke = lull.last_prompt_at or START
    first = weigh(msgspec.structs.replace(lull, last_prompt_at=spoke), "")
    second = weigh(msgspec.structs.replace(lull, last_prompt_at=spoke + later), "")
    if second.speak:
        assert first.speak
    assert second.next_eligible_at >= first.next_eligible_at


@given(lulls)
def test_it_keeps_its_word_on_when_it_may_speak(before: Lull) -> None:
    free = msgspec.structs.replace(before, live=True, streamer_talking=False, newcomers=0)
    told = weigh(free, THEME).next_eligible_at
    then = msgspec.structs.replace(free, now=max(told, free.now) + 1)
    assert weigh(then, THEME).speak


@given(lulls, st.integers(1, 5))
def test_a_higher_threshold_never_makes_it_speak_sooner(before: Lull, times: int) -> None:
    strict = Thresholds(inactivity=900.0 * times, cooldown=900.0 * times)
    patient = msgspec.structs.replace(before, settings=strict)
    if weigh(patient).speak:
        assert weigh(before).speak
