"""The ledger of a stream in all its forms."""

from __future__ import annotations

import json
import os
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from talekeeper.chronicle import ledger
from talekeeper.chronicle.ledger import (
    LedgerAction,
    LedgerClip,
    LedgerLine,
    LedgerRecord,
    LedgerSeed,
    LedgerSummary,
)

EVENING = 1_793_818_800.0  # 2026-11-04 19:00:00 UTC

LINES = (
    LedgerLine("mara_k", "the lighthouse keeper never answers the letters, does he", EVENING + 240, display="Mara_K"),
    LedgerLine("odo", "1. <b>bold</b> claims & *stars* [here](http://x.example)", EVENING + 300),
    LedgerLine("zoe", "# not a heading", EVENING + 4000),
)

RECORD = LedgerRecord(
    channel="emberhall",
    session_id="9f2c41d07ab34e55",
    started=EVENING,
    ended=EVENING + 2 * 3600,
    theme="What a lighthouse owes the sea",
    dashboard={
        "stream_title": "Night watch at the light",
        "game": "Dredge",
        "mood": "slow",
        "content_angle": "What a lighthouse owes the sea",
        "session_goals": ["Reach the iron rig", "Read one letter aloud"],
        "raw_markdown": "never shown",
    },
    discussion=LINES,
    summary=(LedgerSummary(EVENING, EVENING + 1860, "Mara_K and odo talked about the letters."),),
    actions=(
        LedgerAction("hearthkeeper", "response", "A lamp is a promise kept to strangers.", EVENING + 3000),
        LedgerAction("warden", "flag", "high: sells followers (b1g_deals)", EVENING + 600),
    ),
    clips=(LedgerClip(EVENING + 275, EVENING + 300, EVENING + 320, "9 lines from 6 people", approved=True),),
    seeds=(LedgerSeed("Letters", "Who writes to a keeper who never answers?"),),
    pulse=ledger.pulse(LINES, EVENING, EVENING + 2 * 3600),
)

GOLDEN = """\
# Sanctum Ledger — 2026-11-04

**Channel:** emberhall

**Started:** 2026-11-04 19:00:00 UTC

**Ended:** 2026-11-04 21:00:00 UTC

## Stream Theme

- **Title:** Night watch at the light
- **Game:** Dredge
- **Mood:** slow
- **Content angle:** What a lighthouse owes the sea
- **Goal:** Reach the iron rig
- **Goal:** Read one letter aloud

## Notable Discussion

> **19:00–19:31** Mara_K and odo talked about the letters.

- 19:04 **Mara_K**: the lighthouse keeper never answers the letters, does he
- 19:05 **odo**: 1. &lt;b&gt;bold&lt;/b&gt; claims &amp; \\*stars\\* \\[here\\](http://x.example)
- 20:06 **zoe**: # not a heading

## Agent Actions

- **warden** (flag): high: sells followers (b1g_deals)
- **hearthkeeper** (response): A lamp is a promise kept to strangers.

## Clip Candidates

- **19:04:35** (0:04:35 into the stream): 9 lines from 6 people (approved)

## Blog Seeds

- **Letters:** Who writes to a keeper who never answers?
"""

EMPTY = """\
# Hearth Ledger — 2026-11-04

**Channel:** emberhall

**Started:** 2026-11-04 19:00:00 UTC

**Ended:** still live

## Stream Theme

*No theme was set for this stream.*

## Notable Discussion

*The chat was quiet.*

## Agent Actions

*The companion kept silent.*

## Clip Candidates

*No moment stood out.*

## Blog Seeds

*Nothing to write about yet.*
"""


def test_a_whole_ledger_as_markdown() -> None:
    assert ledger.markdown(RECORD) == GOLDEN


def test_an_open_session_in_which_nothing_happened() -> None:
    assert ledger.markdown(LedgerRecord("emberhall", "s", EVENING, name="Hearth")) == EMPTY


def test_the_theme_stands_alone_where_there_is_no_dashboard() -> None:
    shown = ledger.markdown(LedgerRecord("emberhall", "s", EVENING, theme="Tides"))
    assert "- **Theme:** Tides" in shown
    assert "No theme" not in shown


def test_everything_said_is_told_but_the_hundredth_archived_line_is_counted() -> None:
    kept = [LedgerAction("librarian", "archive", f"line {n}", EVENING + n) for n in range(100)]
    said = [LedgerAction("steward", "response", f"answer {n}", EVENING + n) for n in range(30)]
    shown = ledger.markdown(LedgerRecord("emberhall", "s", EVENING, actions=(*kept, *said)))
    assert shown.count("**steward** (response): answer") == 30
    assert shown.count("**librarian** (archive): line") == 3
    assert "- **librarian** (archive): and 97 more." in shown


def test_an_obsidian_note_has_properties_links_and_a_picture() -> None:
    note = ledger.obsidian(msgspec.structs.replace(RECORD, theme='say "hi": #1'))
    properties = note.split("---\n")[1]
    assert "date: 2026-11-04" in properties
    assert 'theme: "say \\"hi\\": #1"' in properties
    assert "![[ledger_2026-11-04_9f2c41d0_pulse.svg]]" in note
    assert "- 19:04 [[Mara_K]]: the lighthouse" in note
    assert "\\# not a heading" in note, "Obsidian would make a tag of it"


class Reader(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_a_page_shows_what_strangers_wrote_as_words() -> None:
    page = Reader(ledger.html(RECORD))
    assert page.tags["b"] == page.tags["a"] == page.tags["script"] == 0
    assert page.tags["svg"] == 1
    assert any("<b>bold</b> claims & *stars*" in words for words in page.words)


def test_the_pulse_shows_bars_silences_prompts_and_clips() -> None:
    picture = ElementTree.fromstring(ledger.pulse_picture(RECORD))
    titles = [one.text for one in picture.iter("{http://www.w3.org/2000/svg}title")]
    assert titles == [
        "60 minutes of silence",
        "53 minutes of silence",
        "Clip candidate 19:05: 9 lines from 6 people",
        "Spoke 19:50: A lamp is a promise kept to strangers.",
    ]
    assert "3 lines, 2 long silences" in picture.attrib["aria-label"]


@pytest.mark.parametrize(("hours", "step"), [(0.2, 10), (2, 60), (6, 120), (24, 600), (900, 18000)])
def test_bins_are_round_and_not_too_many(hours: float, step: float) -> None:
    bins = ledger.pulse(LINES, EVENING, EVENING + hours * 3600)
    assert bins[1].start - bins[0].start == step
    assert len(bins) <= 181


def test_a_session_of_no_length_has_a_pulse_too() -> None:
    (only,) = ledger.pulse([LedgerLine("mara", "hello", EVENING)], EVENING, EVENING)
    assert (only.lines, only.speakers) == (1, 1)
    assert ledger.pulse_picture(LedgerRecord("c", "s", EVENING, EVENING, pulse=(only,))).startswith("<svg")


def test_files_are_named_after_the_day_and_the_session(tmp_path: Path) -> None:
    assert ledger.file_name(RECORD) == "ledger_2026-11-04_9f2c41d0.md"
    assert ledger.file_name(LedgerRecord("c", "../../etc", EVENING)) == "ledger_2026-11-04_------et.md"
    written = ledger.write(RECORD, tmp_path / "exports")
    assert written == tmp_path / "exports" / "ledger_2026-11-04_9f2c41d0.md"
    assert written.read_text(encoding="utf-8") == GOLDEN
    assert ledger.write(RECORD, tmp_path, "html").suffix == ".html"
    note = ledger.write(RECORD, tmp_path, "obsidian")
    assert sorted(one.name for one in note.parent.iterdir()) == [
        "ledger_2026-11-04_9f2c41d0.md",
        "ledger_2026-11-04_9f2c41d0_pulse.svg",
    ]
    ElementTree.parse(note.with_name("ledger_2026-11-04_9f2c41d0_pulse.svg"))


def test_a_file_cut_off_while_written_leaves_the_one_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = ledger.write(RECORD, tmp_path)

    def full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        ledger.write(msgspec.structs.replace(RECORD, theme="lost"), tmp_path)
    assert before.read_text(encoding="utf-8") == GOLDEN
    assert list(tmp_path.iterdir()) == [before]


def test_a_discord_message_pings_nobody_and_fits() -> None:
    body = ledger.discord_body(RECORD)
    assert body["allowed_mentions"] == {"parse": []}
    assert body["username"] == "Sanctum Ledger"
    (embed,) = body["embeds"]
    assert [field["name"] for field in embed["fields"]] == [
        "Notable Discussion",
        "Agent Actions",
        "Clip Candidates",
        "Blog Seeds",
    ]
    assert "\\<b\\>bold" in embed["fields"][0]["value"]
    json.dumps(body)


def test_discussion_is_chosen_by_voices_length_and_theme() -> None:
    long = "I think the keeper stays because somebody has to tell the harbour that the night is passing, nothing more"
    talk = [
        LedgerLine("odo", f"{long} ({n})", EVENING + n) for n in range(10)
    ] + [
        LedgerLine("mara", "a lantern outlives whoever lit it", EVENING + 20),
        LedgerLine("zoe", "gg", EVENING + 21),
        LedgerLine("ann", "somebody left a window open here", EVENING + 22),
        LedgerLine("bob", "!theme", EVENING + 23),
        LedgerLine("eve", "GG", EVENING + 24),
    ]  # fmt: skip
    chosen = ledger.choose_discussion(talk, "lanterns and who lights them", 4)
    assert [line.name for line in chosen] == ["odo", "odo", "mara", "ann"], "in time order, not one voice only"
    everything = ledger.choose_discussion(talk, "", 50)
    assert {line.name for line in everything} == {"odo", "mara", "ann"}, "one word says little where much was said"


def test_where_little_was_said_little_is_enough() -> None:
    talk = [
        LedgerLine("zoe", "gg", EVENING),
        LedgerLine("bob", "!theme", EVENING + 1),
        LedgerLine("eve", "GG", EVENING + 2),
        LedgerLine("odo", "https://example.org/a/very/long/address/that/says/nothing/by/itself", EVENING + 3),
        LedgerLine("ann", "somebody left a window open here", EVENING + 4),
    ]
    chosen = ledger.choose_discussion(talk, "", 12)
    assert [line.name for line in chosen] == ["zoe", "odo", "ann"], "commands and the same words again are left out"
    assert [line.name for line in ledger.choose_discussion(talk, "", 1)] == ["ann"]
    assert ledger.choose_discussion([], "a theme", 12) == []


def test_any_line_with_a_name_a_text_and_a_time_can_be_chosen() -> None:
    class Said(msgspec.Struct):
        name: str
        text: str
        at: float

    assert [one.at for one in ledger.choose_discussion([Said("a", "x", 2.0), Said("b", "y", 1.0)], "")] == [1.0, 2.0]
