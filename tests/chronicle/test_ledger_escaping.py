"""Whatever strangers write, a ledger says it and does nothing with it."""

from __future__ import annotations

import json
import re
from html import unescape
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from talekeeper.chronicle import ledger
from talekeeper.chronicle.ledger import LedgerAction, LedgerClip, LedgerLine, LedgerRecord, LedgerSeed, LedgerSummary
from talekeeper.chronicle.ledger.one_line import one_line

EVENING = 1_793_818_800.0
SECTIONS = ["Stream Theme", "Notable Discussion", "Agent Actions", "Clip Candidates", "Blog Seeds"]

nasty = st.text(
    st.one_of(st.characters(), st.sampled_from(list("\\`*_[]()<>#+-.!|~&;:/'\"@$%=^\n\r\t\0 \u202e\u2028aA1")))
)


def record(words: str) -> LedgerRecord:
    line = LedgerLine(words, words, EVENING + 5)
    return LedgerRecord(
        words, words, EVENING, EVENING + 60, name=words, theme=words,
        dashboard={"stream_title": words, "session_goals": [words]}, discussion=(line,),
        summary=(LedgerSummary(EVENING, EVENING + 60, words),),
        actions=(LedgerAction(words, words, words, EVENING), LedgerAction("hearthkeeper", "response", words, EVENING)),
        clips=(LedgerClip(EVENING, EVENING, EVENING, words),), seeds=(LedgerSeed(words, words),),
        pulse=ledger.pulse([line], EVENING, EVENING + 60),
    )  # fmt: skip


def flat(tokens: list[Token]) -> list[Token]:
    return [inner for token in tokens for inner in (token, *flat(token.children or []))]


@given(nasty)
@example("<script>alert(1)</script>")
@example("![x](javascript:alert(1)) <!-- \n\n# big\n```\n")
@example("**")
@example("a*")
@example("\\")
@example("_under_ and __more__")
@example("&lt;b&gt;")
def test_markdown_has_its_own_headings_and_nobody_elses_markup(words: str) -> None:
    tokens = MarkdownIt("commonmark").enable("strikethrough").enable("table").parse(ledger.markdown(record(words)))
    kinds = {token.type for token in flat(tokens)}
    assert not {
        one for one in kinds if one.startswith(("html", "link", "image", "code", "fence", "em_", "s_", "table"))
    }
    headings = [tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"]
    assert headings[1:] == SECTIONS
    said = next(token for token in tokens if token.type == "inline" and token.content.startswith("19:00 "))
    shown = "".join(token.content for token in said.children or [])
    clean = one_line(words)
    assert shown.rstrip() == f"19:00 {clean or '…'}: {clean}".rstrip()


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, Any]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.seen.append((tag, tuple(name for name, _ in attrs)))


@given(nasty)
@example("</title><script>")
@example('" onload="x')
def test_html_has_the_same_tags_whatever_was_said(words: str) -> None:
    assert Tags(ledger.html(record(words + "x"))).seen == Tags(ledger.html(record("x"))).seen
    assert f"<li><time>19:00</time> <strong>{one_line(words)}" in unescape(ledger.html(record(words)))


@given(nasty)
def test_a_picture_is_always_xml(words: str) -> None:
    ElementTree.fromstring(ledger.pulse_picture(record(words)))


@given(nasty)
@example("]] [[x|y")
@example("%%hidden%% $x$ #tag ==mark== ^id")
def test_an_obsidian_note_links_only_the_speaker_and_its_picture(words: str) -> None:
    note = ledger.obsidian(record(words))
    assert note.count("[[") == note.count("]]") <= 2
    assert not re.search(r"(?<!\\)[$%]", note.split("---\n", 2)[2])
    for line in note.split("---\n")[1].splitlines()[2:]:
        json.loads(line.split(": ", 1)[1])


@given(nasty)
@example("\\" * 600)
@example("😀" * 3000)
@example("@everyone <@123> [x](http://y)")
def test_discord_takes_every_message(words: str) -> None:
    body = ledger.discord_body(record(words * 20))
    (embed,) = body["embeds"]
    size = lambda text: len(text.encode("utf-16-le")) // 2  # noqa: E731 - Discord's measure, said once
    assert 0 < size(embed["title"]) <= 256
    assert size(embed["description"]) <= 4096
    assert 0 < size(body["username"]) <= 80
    assert all(0 < size(field["value"]) <= 1024 for field in embed["fields"])
    assert (
        sum(size(f["name"] + f["value"]) for f in embed["fields"]) + size(embed["title"] + embed["description"]) < 6000
    )
    assert not re.search(r"(?<!\\)(<@|\[)", embed["fields"][0]["value"])


@pytest.mark.parametrize("written", ["a\nb", "a\r\nb", "a\u2028b", "a\0b", "a \u202e b", "  a\tb "])
def test_everything_said_stays_on_one_line(written: str) -> None:
    assert one_line(written) == "a b"
