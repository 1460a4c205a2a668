"""However a model's text is cut into pieces, the parser reports the same."""

import itertools
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talekeeper.llm.tags import (
    TagChunk,
    TagClose,
    TagEvent,
    TagLimits,
    TagOpen,
    TagParser,
    Untagged,
    UntaggedText,
)

ALLOWED = ("say", "narration", "do")
LIMITS = TagLimits(max_tags=12, max_depth=3, max_chars=40, max_chars_of={"do": 3})


def run(pieces: Iterable[str], untagged: UntaggedText | str, limits: TagLimits) -> tuple[list[TagEvent], int]:
    """All events, with neighbouring pieces of the same text joined, and the number of stray closes."""
    parser = TagParser(ALLOWED, untagged=untagged, limits=limits, void=["cue"])
    events: list[TagEvent] = []
    for event in itertools.chain(*(parser.feed(piece) for piece in pieces), parser.finish()):
        last = events[-1] if events else None
        if isinstance(event, TagChunk) and isinstance(last, TagChunk) and last.tag_id == event.tag_id:
            events[-1] = TagChunk(event.tag_id, event.tag, last.text + event.text)
        elif isinstance(event, Untagged) and isinstance(last, Untagged):
            events[-1] = Untagged(last.text + event.text)
        else:
            events.append(event)
    return events, parser.stray_closes


def cut(text: str, at: Iterable[int]) -> list[str]:
    edges = [0, *sorted(at), len(text)]
    return [text[start:end] for start, end in itertools.pairwise(edges)]


def every_split(text: str, cuts: int) -> Iterator[list[str]]:
    for chosen in itertools.combinations(range(1, len(text)), cuts):
        yield cut(text, chosen)


FRAGMENTS = [
    "<say>", "</say>", '<say who="mara" tone="low">', "<say who='a > b'>", '<say who="mara>', "<SAY who=x/>", "</say >",
    "<narration>", "</narration>", "<do what=“x y”/>", "<do>", "</do>", "<cue who=x>", "</cue>", "<say", "</nar", "<s", "<",
    "</", "<b>", "</b>", "<sayonara>", "<say\n", "<think>", "</think>", "<think", "<reasoning>", "&amp;", "&lt;", "&", "&#65;",
    "&#x1F409;", "&#xZ;", "&am", "&#", ";", "`", "```", "```xml\n", "````\n", "\n", " ", "text", "It's ", 'a "quote" ', "=", ">",
    "/", "é—🐉", "x" * 30, "y" * 600,
]  # fmt: skip

texts = st.lists(
    st.one_of(st.sampled_from(FRAGMENTS), st.text(alphabet="<>/&;#x`\"'= \nsay", max_size=6)), max_size=14
).map("".join)
destinations = st.sampled_from([UntaggedText.EVENT, UntaggedText.DROP, "narration"])


@settings(max_examples=400, deadline=None)
@given(text=texts, data=st.data(), untagged=destinations, limits=st.sampled_from([TagLimits(), LIMITS]))
def test_random_splits(text: str, data: st.DataObject, untagged: UntaggedText | str, limits: TagLimits) -> None:
    whole = run([text], untagged, limits)
    assert run(text, untagged, limits) == whole
    positions = st.sets(st.integers(min_value=0, max_value=len(text)), max_size=12)
    assert run(cut(text, data.draw(positions)), untagged, limits) == whole


@pytest.mark.parametrize(
    "text",
    [
        "<do a='>'>x",
        "a<do/>b</do",
        "&lt;&#65;&am",
        "<b></do>< do",
        "```x\n<do>``",
        '<do a="b>c</',
        "<DO>x<do a>`",
        "<do></Do >y",
    ],
)
def test_every_split_of_a_short_text(text: str) -> None:
    whole = run([text], UntaggedText.EVENT, TagLimits())
    for cuts in range(1, len(text)):
        for pieces in every_split(text, cuts):
            assert run(pieces, UntaggedText.EVENT, TagLimits()) == whole, pieces


def test_every_split_in_three_of_a_longer_text() -> None:
    text = "Hm.<think>no</think><narration>A &amp; B <say who=\"m>ra\">1 < 2</narration>```\n<do what='x'/></say>&#6"
    whole = run([text], "narration", TagLimits())
    for pieces in every_split(text, 2):
        assert run(pieces, "narration", TagLimits()) == whole, pieces


@settings(max_examples=300, deadline=None)
@given(text=texts, untagged=destinations, limits=st.sampled_from([TagLimits(), LIMITS]))
def test_events_are_well_formed(text: str, untagged: UntaggedText | str, limits: TagLimits) -> None:
    events, _ = run([text], untagged, limits)
    open_ids: list[str] = []
    told: dict[str, str] = {}
    for event in events:
        match event:
            case TagOpen():
                assert event.parent_id == (open_ids[-1] if open_ids else None)
                open_ids.append(event.tag_id)
                told[event.tag_id] = ""
            case TagChunk():
                assert event.text
                assert event.tag_id == open_ids[-1]
                told[event.tag_id] += event.text
            case TagClose():
                assert event.tag_id == open_ids.pop()
                assert event.text == told[event.tag_id]
                assert len(event.text) <= limits.max_chars_of.get(event.tag, limits.max_chars)
            case Untagged():
                assert untagged is UntaggedText.EVENT
                assert not open_ids
        assert len(open_ids) <= limits.max_depth
    assert open_ids == []
    assert len(told) <= limits.max_tags


@given(text=st.text().filter(lambda text: "&" not in text and "```" not in text))
def test_text_without_known_tags_comes_out_unchanged(text: str) -> None:
    parser = TagParser(["unheard_of"])
    events = parser.feed(text) + parser.finish()
    assert "".join(event.text for event in events if isinstance(event, Untagged)) == text


@given(secret=st.text(alphabet="abc<>/&;`\"' \n", max_size=40), data=st.data())
def test_nothing_inside_a_thought_gets_out(secret: str, data: st.DataObject) -> None:
    text = f"<say>A<think>{secret}S3CRET"
    events, _ = run(
        cut(text, data.draw(st.sets(st.integers(1, len(text)), max_size=8))), UntaggedText.EVENT, TagLimits()
    )
    assert "S3CRET" not in repr(events)


@settings(deadline=None)
@given(size=st.integers(min_value=0, max_value=3000), data=st.data())
def test_what_is_held_back_is_bounded(size: int, data: st.DataObject) -> None:
    parser = TagParser(ALLOWED)
    opening = data.draw(
        st.sampled_from(['<say who="', "<say ", "</say ", "<think a='", "`" * 900, "&#", "<narration "])
    )
    text = opening + data.draw(st.sampled_from(["x", "`", " ", "0", "<", "=", '="'])) * size
    fed = told = 0
    for piece in cut(text, range(0, len(text), 7)):
        told += sum(len(event.text) for event in parser.feed(piece) if isinstance(event, Untagged | TagChunk))
        fed += len(piece)
        dropped = text[:fed].count("`")
        assert fed - told - dropped <= 1024 + len("</say>")
