"""The Scribe: summaries with their times, moments worth a clip, and threads worth an article."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.scribe import BlogSeed, Deed, blog_seeds, clips, draft, summarise
from talekeeper.errors import ModelDown
from talekeeper.testing.scripted_model import Reply, ScriptedModel

Say = Callable[..., ChatLine]
THREAD = (
    ("ada", "every lighthouse keeper I read about wrote in pencil, never in ink"),
    ("bo", "a lighthouse log in ink would be gone after the first wave I think"),
    ("cy", "my grandfather kept a lighthouse and wrote the log on slate instead"),
    ("ada", "slate is even better for a lighthouse, it only fails when it breaks"),
)


def hour_of(say: Say, every: float = 30.0, hours: float = 1.0) -> list[ChatLine]:
    """An even murmur: one line at a time, from a few people."""
    return [say("mm", f"p{n % 4}", n * every) for n in range(int(hours * 3600 / every))]


def burst(say: Say, at: float, people: int, text: str = "lol") -> list[ChatLine]:
    return [say(text, f"crowd{n}", at + n * 0.3) for n in range(people)]


def in_order(lines: list[ChatLine]) -> list[ChatLine]:
    return sorted(lines, key=lambda line: line.at)


def test_a_burst_of_many_people_is_a_clip(say: Say) -> None:
    lines = in_order([*hour_of(say), *burst(say, 1800.0, 12)])
    [clip] = clips.find(lines)
    assert (clip.start, clip.peak) == (1775.0, 1800.0)
    assert clip.end > clip.peak
    assert clip.speakers >= 12
    assert clip.reason.startswith("A burst of laughter: ")


def test_one_person_shouting_is_not(say: Say) -> None:
    assert clips.find(in_order([*hour_of(say), *(say("lol", "ada", 1800 + n / 4) for n in range(30))])) == []


def test_a_quiet_log_has_none(say: Say) -> None:
    assert clips.find(hour_of(say, every=120)) == []
    assert clips.find([]) == []


def test_a_busy_channel_has_its_own_level(say: Say) -> None:
    busy = [say("go", f"p{n % 40}", n / 1.2) for n in range(4000)]
    assert clips.find(busy) == []
    assert len(clips.find(in_order([*busy, *burst(say, 1800.0, 60)]))) == 1


def test_only_a_few_an_hour_and_never_close_together(say: Say) -> None:
    bursts = [line for n in range(12) for line in burst(say, 300 + n * 250.0, 10 + n)]
    found = clips.find(in_order([*hour_of(say), *bursts]))
    assert len(found) == clips.MOST_AN_HOUR
    assert all(b.peak - a.peak >= clips.APART for a, b in itertools.pairwise(found))
    assert {clip.speakers for clip in found} >= {20, 21}


def test_bots_make_no_moment(say: Say) -> None:
    lines = [ChatLine(str(n), f"bot{n}", "gg", 100.0 + n / 10, bot=True) for n in range(30)]
    assert clips.find([*hour_of(say)[:3], *lines]) == []


@given(st.lists(st.tuples(st.floats(0, 50_000), st.integers(0, 30)), max_size=300))
def test_clips_hold_together_on_any_log(said: list[tuple[float, int]]) -> None:
    lines = [ChatLine(str(n), f"p{who}", "x", at) for n, (at, who) in enumerate(sorted(said))]
    for clip in clips.find(lines):
        assert clip.start < clip.peak < clip.end
        assert clip.speakers >= clips.FEWEST_SPEAKERS


def test_talk_is_summed_up_between_its_silences(say: Say) -> None:
    talk = [say(text, name, 60.0 * n) for n, (name, text) in enumerate(THREAD)]
    later = [say("anyone awake", "dee", 5000.0), say("barely", "ada", 5030.0)]
    first, second = summarise([*talk, *later], [Deed(4000.0, "hearthkeeper", "x"), Deed(200.0, "steward", "y")])
    assert (first.start, first.end) == (0.0, 180.0)
    assert first.text.startswith("ada, bo and cy on lighthouse")
    assert "“" in first.text
    assert first.text.endswith("The companion acted once.")
    assert second.text.startswith("dee and ada exchanged 2 lines")


def test_a_lone_word_is_no_discussion(say: Say) -> None:
    assert summarise([say("hm")]) == []


def test_a_thread_with_thought_in_it_is_a_seed(say: Say) -> None:
    lines = [say(text, name, float(n)) for n, (name, text) in enumerate(THREAD)]
    chatter = [say("lol", name) for name in "abcdef"]
    [seed] = blog_seeds([*lines, *chatter], "What lighthouses ask")
    assert seed.topic == "lighthouse"
    assert seed.line_ids == tuple(line.id for line in lines)
    assert "ada, bo and cy came back to lighthouse in 4 lines" in seed.description


def test_one_person_alone_is_not(say: Say) -> None:
    assert blog_seeds([say(text, "ada") for _, text in THREAD]) == []


@pytest.fixture
def thread(say: Say) -> list[ChatLine]:
    return [say(text, name, float(n)) for n, (name, text) in enumerate(THREAD)]


@pytest.fixture
def seed(thread: list[ChatLine]) -> BlogSeed:
    return blog_seeds(thread)[0]


async def test_a_draft_without_a_model_keeps_the_words(seed: BlogSeed, thread: list[ChatLine]) -> None:
    text = await draft(seed, thread)
    assert text.startswith("# Lighthouse\n")
    assert all(line.text in text for line in thread)


async def test_markup_in_chat_is_only_text_in_a_draft(say: Say) -> None:
    line = say("<script>x</script> **bold** [a](b) and more words to make it long")
    text = await draft(BlogSeed("x", "y", (line.id,)), [line])
    assert "<script>" not in text.replace("\\<", "")
    assert "\\*\\*bold" in text


async def test_a_models_draft_is_taken_when_its_quotes_are_true(seed: BlogSeed, thread: list[ChatLine]) -> None:
    good = "# On pencil\n\nAda noticed it first: “every lighthouse keeper I read about wrote in pencil”."
    with ScriptedModel(good) as model:
        assert await draft(seed, thread, model, channel="quietroom") == good + "\n"
    assert "<lines>\nada: every lighthouse keeper" in model.requests[0].messages[0].content


@pytest.mark.parametrize(
    "bad",
    [
        "# On pencil\n\nBo said: “ink is for people who have never been wet in their lives”.",
        "# AMAZING\n\nThis was an amazing stream, follow for more.",
        "x" * 9_000,
        "",
        Reply(error=ModelDown("It is down.")),
    ],
)
async def test_otherwise_the_plain_one_stands(seed: BlogSeed, thread: list[ChatLine], bad: str | Reply) -> None:
    with ScriptedModel(bad) as model:
        assert await draft(seed, thread, model) == await draft(seed, thread)
