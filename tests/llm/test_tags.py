"""What the tag parser makes of a model's text."""

import pytest

from talekeeper.errors import BadInput
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

ALLOWED = ("narration", "say", "do", "cue")


def parse(text: str, **options: object) -> list[TagEvent]:
    parser = TagParser(ALLOWED, **options)  # type: ignore[arg-type]
    return parser.feed(text) + parser.finish()


def closed(events: list[TagEvent]) -> list[tuple[str, str, str]]:
    return [(event.tag, event.text, event.reason) for event in events if isinstance(event, TagClose)]


def untagged(events: list[TagEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, Untagged))


def attrs(head: str) -> dict[str, str]:
    opened = parse(head)[0]
    assert isinstance(opened, TagOpen)
    return opened.attrs


def test_a_tag_opens_fills_and_closes() -> None:
    assert parse('<say who="mara">Who goes?</say>') == [
        TagOpen("1", None, "say", {"who": "mara"}, False),
        TagChunk("1", "say", "Who goes?"),
        TagClose("1", "say", "Who goes?", "closed"),
    ]


def test_text_comes_out_as_it_comes_in() -> None:
    parser = TagParser(ALLOWED)
    assert parser.feed("<say>Who ") == [TagOpen("1", None, "say", {}, False), TagChunk("1", "say", "Who ")]
    assert parser.feed("goes") == [TagChunk("1", "say", "goes")]
    assert parser.open_tag_ids == ["1"]
    assert parser.feed("?</say") == [TagChunk("1", "say", "?")]
    assert parser.feed(">") == [TagClose("1", "say", "Who goes?", "closed")]
    assert parser.finish() == []


def test_a_tag_inside_another_names_its_parent_and_keeps_its_text_apart() -> None:
    events = parse("<narration>Rain. <say>Hush!</say> Thunder.</narration>")
    assert [event for event in events if isinstance(event, TagOpen)] == [
        TagOpen("1", None, "narration", {}, False),
        TagOpen("2", "1", "say", {}, False),
    ]
    assert closed(events) == [("say", "Hush!", "closed"), ("narration", "Rain.  Thunder.", "closed")]


def test_a_tag_that_closes_itself() -> None:
    assert parse('<cue who="oren"/>') == [
        TagOpen("1", None, "cue", {"who": "oren"}, True),
        TagClose("1", "cue", "", "closed"),
    ]
    assert closed(parse("<cue /><do/>")) == [("cue", "", "closed"), ("do", "", "closed")]


def test_a_void_tag_needs_no_slash() -> None:
    events = parse("<cue who=oren><say>Yes?</say>", void=["cue"])
    assert closed(events) == [("cue", "", "closed"), ("say", "Yes?", "closed")]
    assert events[2] == TagOpen("2", None, "say", {}, False)


@pytest.mark.parametrize(
    "text",
    [
        "a < b",
        "<b>bold</b>",
        "<sayonara>",
        "< say>",
        "<say:aloud>",
        "I <3 you",
        "<",
        "</",
        "<>",
        "</>",
        "<sa",
        "<!-- no -->",
    ],
)
def test_an_angle_bracket_that_begins_no_known_tag_is_text(text: str) -> None:
    assert untagged(parse(text)) == text


def test_literal_text_is_not_held_back() -> None:
    parser = TagParser(["say"])
    assert parser.feed("5 <") == [Untagged("5 ")]
    assert parser.feed("s") == []
    assert parser.feed("i") == [Untagged("<si")]
    assert parser.feed("x &a") == [Untagged("x ")]
    assert parser.feed("n") == [Untagged("&an")]
    assert parser.feed("d `") == [Untagged("d ")]
    assert parser.feed("c") == [Untagged("`c")]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ('<say who="mara" tone="low">', {"who": "mara", "tone": "low"}),
        ("<say who='mara' tone=low>", {"who": "mara", "tone": "low"}),
        ("<say who=“mara” tone=‘low’>", {"who": "mara", "tone": "low"}),
        ('<say  WHO = "mara"\n\ttone\n=\nlow >', {"who": "mara", "tone": "low"}),
        ("<say who=mara/>", {"who": "mara"}),
        ("<say aloud>", {"aloud": ""}),
        ('<say who="">', {"who": ""}),
        ('<say if="1 > 0 and 0 < 1">', {"if": "1 > 0 and 0 < 1"}),
        ("<say text='say \"hi\"'>", {"text": 'say "hi"'}),
        ('<say text="it\'s &quot;fine&quot; &amp; good &#x2014; &nope;">', {"text": 'it\'s "fine" & good — &nope;'}),
        ('<say who="mara" who="oren">', {"who": "mara"}),
        ("<say tone=don't who=mara>", {"tone": "don't", "who": "mara"}),
        ("<say who=path/to/mara>", {"who": "path/to/mara"}),
        ('<SAY Who="Mara">', {"who": "Mara"}),
    ],
)
def test_attributes_are_read_however_they_are_quoted(head: str, expected: dict[str, str]) -> None:
    assert attrs(head) == expected


def test_names_are_case_insensitive() -> None:
    assert closed(parse("<Say>hi</SAY>")) == [("say", "hi", "closed")]


def test_a_forgotten_quote_costs_only_its_own_tag() -> None:
    events = parse('<say who="mara>Good evening.</say><say who="oren">Evening.</say>')
    assert events[0] == TagOpen("1", None, "say", {"who": "mara"}, False)
    assert closed(events) == [("say", "Good evening.", "closed"), ("say", "Evening.", "closed")]
    assert attrs('<cue who="mara/>\n<say>x</say>') == {"who": "mara"}


def test_a_forgotten_quote_is_noticed_at_once_or_after_a_kilobyte() -> None:
    opened = TagOpen("1", None, "say", {"who": "mara"}, False)
    parser = TagParser(ALLOWED)
    assert parser.feed('<say who="mara>Evening.<') == []
    assert parser.feed("/") == [opened, TagChunk("1", "say", "Evening.")]
    parser = TagParser(ALLOWED)
    assert parser.feed('<say who="mara>' + "x" * 1000) == []
    assert parser.feed("x" * 1000) == [opened, TagChunk("1", "say", "x" * 2000)]


def test_entities_become_characters_and_a_lone_ampersand_stays() -> None:
    text = "<say>&lt;b&gt; &amp; &quot;R&apos;lyeh&quot; &#8212;&#x2014; salt & smoke &bogus; &#0; &#xD800;</say>"
    assert closed(parse(text))[0][1] == '<b> & "R\'lyeh" —— salt & smoke &bogus; &#0; &#xD800;'


def test_an_escaped_tag_is_text() -> None:
    assert closed(parse("<say>&lt;/say&gt;</say>")) == [("say", "</say>", "closed")]


def test_an_outer_close_closes_what_is_inside() -> None:
    assert closed(parse("<narration>a<say>b<do>c</narration>")) == [
        ("do", "c", "implied"),
        ("say", "b", "implied"),
        ("narration", "a", "closed"),
    ]


def test_a_stray_close_is_counted_and_ignored() -> None:
    parser = TagParser(ALLOWED)
    events = parser.feed("<say>a</do>b</say></say>") + parser.finish()
    assert closed(events) == [("say", "ab", "closed")]
    assert parser.stray_closes == 2


def test_the_end_closes_what_is_open() -> None:
    assert closed(parse("<narration>a<say>b")) == [("say", "b", "eof"), ("narration", "a", "eof")]


@pytest.mark.parametrize("cut", ["</", "</n", "</narratio", "</narration", "</narration "])
def test_a_closing_tag_cut_short_by_the_end_is_no_text(cut: str) -> None:
    text = closed(parse("<narration>Night falls." + cut))[0][1]
    assert text == ("Night falls.</" if cut == "</" else "Night falls.")


def test_an_opening_tag_cut_short_by_the_end_is_dropped_once_it_is_surely_one() -> None:
    assert closed(parse('<narration>Night falls.<say who="ma')) == [("narration", "Night falls.", "eof")]


def test_an_interrupted_text_keeps_what_was_told() -> None:
    parser = TagParser(ALLOWED)
    parser.feed("<narration>Night <say>Hush<d")
    assert parser.finish("interrupted") == [
        TagClose("2", "say", "Hush", "interrupted"),
        TagClose("1", "narration", "Night ", "interrupted"),
    ]
    assert parser.open_tag_ids == []


@pytest.mark.parametrize("name", ["think", "thinking", "Reasoning", "scratchpad"])
def test_thoughts_never_leak(name: str) -> None:
    events = parse(f"<{name}>The SECRET is <say>SECRET</say> &amp; </narration></{name}><say>Hello.</say>")
    assert [event for event in events if "SECRET" in repr(event)] == []
    assert closed(events) == [("say", "Hello.", "closed")]


def test_thoughts_never_leak_when_unclosed_nested_or_inside_a_tag() -> None:
    assert untagged(parse("Hm. <think>SECRET <say>SECRET</say>")) == "Hm. "
    assert untagged(parse("<think>a<think>SECRET</think>SECRET</think>b")) == "b"
    assert untagged(parse("<think>a<reasoning>SECRET</think>b")) == "b"
    assert closed(parse("<say>a<think>SECRET</say>SECRET</think>b</say>")) == [("say", "ab", "closed")]


def test_a_thought_tag_that_is_allowed_is_a_tag_like_any_other() -> None:
    parser = TagParser(["say", "thought"])
    events = parser.feed("<thought>Mine.</thought><think>SECRET</think>") + parser.finish()
    assert closed(events) == [("thought", "Mine.", "closed")]
    assert "SECRET" not in repr(events)


@pytest.mark.parametrize(
    "text",
    [
        "```xml\n<say>hi</say>\n```",
        "```\n<say>hi</say>```\n",
        "Here: ````xml  \r\n<say>hi</say>\n```",
        "<say>```\nhi```</say>",
    ],
)
def test_code_fences_are_dropped(text: str) -> None:
    events = parse(text)
    assert closed(events) == [("say", "hi", "closed")]
    assert "`" not in repr(events)
    assert "xml" not in repr(events)


def test_words_after_a_fence_and_single_backticks_are_text() -> None:
    assert untagged(parse("``` and then `x` or ``y``")) == " and then `x` or ``y``"


def test_untagged_text_as_events_dropped_or_in_a_tag_of_its_own() -> None:
    text = "Night. <say>Hush!</say>\n\nAnd rain."
    assert untagged(parse(text)) == "Night. \n\nAnd rain."
    assert untagged(parse(text, untagged=UntaggedText.DROP)) == ""
    assert closed(parse(text, untagged="narration")) == [
        ("narration", "Night. ", "implied"),
        ("say", "Hush!", "closed"),
        ("narration", "And rain.", "eof"),
    ]


def test_a_forgotten_opening_tag_is_made_good_by_the_tag_for_untagged_text() -> None:
    parser = TagParser(ALLOWED, untagged="narration")
    events = parser.feed("Night falls.</narration><say>Hush!</say>") + parser.finish()
    assert closed(events) == [("narration", "Night falls.", "closed"), ("say", "Hush!", "closed")]
    assert parser.stray_closes == 0


def test_a_tag_longer_than_its_limit_is_cut_there() -> None:
    limits = TagLimits(max_chars=100, max_chars_of={"say": 5})
    events = parse("<narration>a<say>Hello there</say>b</narration>", limits=limits)
    assert closed(events) == [("say", "Hello", "limit"), ("narration", "ab", "closed")]
    assert closed(parse("<say>Hello</say>", limits=limits)) == [("say", "Hello", "closed")]


@pytest.mark.parametrize("between", ["<think>x</think>", "<do>x</do>", "<cue/>"])
def test_a_limit_counts_on_after_what_stands_between(between: str) -> None:
    events = parse(f"<say>abc{between}defgh</say>", limits=TagLimits(max_chars_of={"say": 5}))
    assert ("say", "abcde", "limit") in closed(events)


def test_a_tag_inside_one_that_was_cut_hangs_on_the_next_living_parent() -> None:
    limits = TagLimits(max_chars_of={"say": 2})
    events = parse("<narration><say>abc<do>x</do>d</say>e</narration>", limits=limits)
    assert [event for event in events if isinstance(event, TagOpen) and event.tag == "do"] == [
        TagOpen("3", "1", "do", {}, False)
    ]
    assert closed(events) == [("say", "ab", "limit"), ("do", "x", "closed"), ("narration", "e", "closed")]


def test_a_tag_too_deep_takes_the_place_of_the_innermost() -> None:
    events = parse("<narration>a<say>b<do>c</do>", limits=TagLimits(max_depth=2))
    assert closed(events) == [("say", "b", "limit"), ("do", "c", "closed"), ("narration", "a", "eof")]


def test_too_many_tags_end_the_parse() -> None:
    parser = TagParser(ALLOWED, limits=TagLimits(max_tags=2))
    events = parser.feed("<say>a</say><narration>b<say>c</say>d</narration>")
    assert closed(events) == [("say", "a", "closed"), ("narration", "b", "limit")]
    assert parser.exhausted
    assert parser.feed("<say>more</say> text") == []
    assert parser.finish() == []


def test_a_tag_whose_end_does_not_come_is_text_after_a_kilobyte() -> None:
    parser = TagParser(ALLOWED)
    assert parser.feed('<say who="') == []
    assert parser.feed("x" * 1000) == []
    assert untagged(parser.feed("x" * 1000)) == '<say who="' + "x" * 2000


@pytest.mark.parametrize(
    ("piece", "told"),
    [('<say a="<', 9), ("<s&a", 4), ("&#1", 3), ("</say >", 0), ("<think>", 0), ("<think></reasoning>", 0)],
)
def test_hostile_text_costs_no_more_than_other_text(piece: str, told: int) -> None:
    # All at once: done in a moment where the work grows with the text, in minutes where it grows faster.
    parser = TagParser(["say"])
    times = 300_000 // len(piece)
    text = untagged(parser.feed(piece * times) + parser.finish())
    assert times * told - 1024 <= len(text) <= times * told


def test_a_name_that_could_not_be_told_from_text_is_refused() -> None:
    with pytest.raises(BadInput, match="'two words' cannot be a tag name"):
        TagParser(["two words"])
