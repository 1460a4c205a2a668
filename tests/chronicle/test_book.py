"""From records to a book, and the book in every form."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talekeeper.chronicle import AgentEvent, EventKind
from talekeeper.chronicle.book import dates
from talekeeper.chronicle.book.compose import compose
from talekeeper.chronicle.book.epub import write_epub
from talekeeper.chronicle.book.formats import FORMATS, as_text, format_for, write
from talekeeper.chronicle.book.html import to_html
from talekeeper.chronicle.book.model import Book
from talekeeper.chronicle.book.svg import arc_picture, curve_picture, lanes
from talekeeper.chronicle.fleet_records import FleetRecords
from talekeeper.chronicle.last_look import LastLook
from talekeeper.errors import BadInput

DAY = 86400.0
MONDAY = 1_793_606_400.0  # 2026-11-02 08:00 UTC

STORY = [
    (0.00, "dispatch", "mara", "issue #7: the lamp is out"),
    (0.05, "commit", "mara", "wick: trim it #7"),
    (0.06, "error", "mara", "no oil #7"),
    (0.07, "error", "mara", "still no oil #7"),
    (0.08, "error", "mara", "oil, but no wick #7"),
    (0.10, "recovery", "mara", "light! #7"),
    (1.00, "commit", "odo", "gate: new hinge"),
    (1.01, "commit", "odo", "gate: oil the hinge"),
    (1.02, "commit", "odo", "gate: paint it"),
    (1.03, "commit", "odo", "a loose end"),
    (1.10, "heartbeat", "zoe", ""),
    (1.20, "error", "odo", "the gate fell off #9"),
    (1.25, "recovery", "zoe", "zoe put it back #9"),
    (2.00, "milestone", "mara", "tagged v1"),
    (2.10, "pr_open", "odo", "#12: a better gate"),
    (2.20, "error", "zoe", "storm on #13"),
]


def events(story: list[tuple[float, str, str, str]] = STORY) -> list[AgentEvent]:
    return [
        AgentEvent(
            EventKind(kind), agent, detail, MONDAY + day * DAY, {"task": "gate"} if detail.startswith("gate:") else {}
        )
        for day, kind, agent, detail in story
    ]


def made(**options: object) -> Book:
    return compose(FleetRecords().records(events()), title="The tower", **options)


@pytest.fixture(scope="module")
def book() -> Book:
    return made()


def test_a_chapter_for_each_day(book: Book):
    assert [chapter.title for chapter in book.chapters] == [
        "Monday, 2 November 2026",
        "Tuesday, 3 November 2026",
        "Wednesday, 4 November 2026",
    ]
    assert book.subtitle.startswith("2 to 4 November 2026: 5 commits, 5 errors, 2 recoveries")


def test_arcs_stand_in_the_chapter_in_which_they_ended_and_the_greater_covers_the_smaller(book: Book):
    assert [[arc.name for arc in chapter.arcs] for chapter in book.chapters] == [["long_siege"], ["rescue"], []]
    assert book.arcs[0].sentence.text == "mara was beaten back 3 times on #7 before “light! #7”."
    assert book.arcs[0].curve.shape == "man in a hole"


def test_a_run_of_commits_is_one_sentence_without_its_topic_twice(book: Book):
    text = " ".join(sentence.text for sentence in book.sentences)
    assert "odo worked on gate through 3 commits, from “new hinge” to “paint it”." in text
    assert "a sign of life" not in text


def test_every_sentence_carries_the_ids_of_real_events(book: Book):
    ids = {mark.id for mark in book.marks}
    assert len(ids) == len(STORY)
    assert all(sentence.ids and set(sentence.ids) <= ids for sentence in book.sentences)


def test_every_loud_event_is_in_some_sentence_of_its_chapter(book: Book):
    told = {one for chapter in book.chapters for paragraph in chapter.paragraphs for s in paragraph for one in s.ids}
    assert told == {mark.id for mark in book.marks if mark.kind != "heartbeat"}


def test_the_closing_says_what_is_still_open(book: Book):
    assert book.closing[0].text == "Still open: zoe is in trouble with #13 since 4 November (“storm on #13”)."
    assert any("odo waits since 4 November for #12 to be merged" in one.text for one in book.closing)


def test_the_people_are_listed_the_busiest_first(book: Book):
    assert [person.name for person in book.persons] == ["mara", "odo", "zoe"]
    assert "Their fortune: " in book.persons[0].sentence.text


def test_a_sequel_begins_with_previously():
    sequel = made(since=MONDAY + 1.5 * DAY, period="day")
    assert [chapter.title for chapter in sequel.chapters] == ["Wednesday, 4 November 2026"]
    assert sequel.previously[0].text.startswith("Until 4 November 2026 there had been 5 commits")
    assert "mara was beaten back" in sequel.previously[1].text or "mara was beaten back" in sequel.previously[2].text


def test_an_arc_told_once_is_not_told_in_the_next_book(book: Book):
    again = made(told=[arc.fingerprint for arc in book.arcs])
    assert not {arc.fingerprint for arc in again.arcs} & {arc.fingerprint for arc in book.arcs}


def test_nothing_at_all_and_nothing_new():
    empty = compose([], title="The tower")
    assert (empty.chapters, empty.marks) == ((), ())
    nothing_new = made(since=MONDAY + 99 * DAY)
    assert nothing_new.chapters == ()
    assert nothing_new.previously
    for form in set(FORMATS) - {"epub", "obsidian"}:
        assert "The tower" in as_text(nothing_new, form) or form == "gource"


@pytest.mark.parametrize(
    ("days", "period"), [(0.1, "hour"), (1, "part"), (10, "day"), (60, "week"), (500, "month"), (3000, "year")]
)
def test_the_length_of_chapters_fits_the_span(days: float, period: str):
    assert dates.fitting(0.0, days * DAY) == period
    start = dates.start_of(MONDAY + 5 * 3600, period)
    assert start <= MONDAY + 5 * 3600
    assert dates.start_of(start, period) == start
    assert dates.name_of(start, period)


def test_spans_in_words():
    assert dates.span(MONDAY, MONDAY + 60) == "2 November 2026"
    assert dates.span(MONDAY, MONDAY + 3 * DAY) == "2 to 5 November 2026"
    assert dates.span(MONDAY - 5 * DAY, MONDAY) == "28 October to 2 November 2026"
    assert dates.span(MONDAY, MONDAY + 80 * DAY) == "2 November 2026 to 21 January 2027"
    with pytest.raises(BadInput, match="2026-11-04"):
        dates.parse_day("soon")


def test_last_look(tmp_path: Path):
    looks = LastLook(tmp_path / "deep" / "looks.json")
    assert looks.at("tower") is None
    looks.looked("tower", 5.0)
    looks.looked("gate", 6.0)
    assert (looks.at("tower"), looks.at("gate")) == (5.0, 6.0)
    (tmp_path / "deep" / "looks.json").write_text("[")
    assert looks.at("tower") is None


NASTY = "<script>alert('x')</script> & \"q\" ]]> --> <!-- **b** [l](javascript:x) | \x00\x0b\ud800 \u202e"


@pytest.fixture(scope="module")
def nasty() -> Book:
    story = [(day, kind, f"m<a>ra {NASTY}", f"{NASTY} #7") for day, kind, _, _ in STORY]
    return compose(FleetRecords().records(events(story)), title=f"T {NASTY}")


class TestMarkdown:
    def test_it_reads_like_a_chronicle(self, book: Book):
        text = as_text(book, "md")
        assert text.startswith("# The tower\n\n*2 to 4 November 2026")
        assert "> **The long siege.** mara was beaten back 3 times on #7" in text
        assert "*Still open: zoe is in trouble" in text
        assert re.search(r"<!-- [0-9a-f]{16}", text)

    def test_nothing_foreign_becomes_markup(self, nasty: Book):
        text = as_text(nasty, "md")
        without_comments = re.sub(r"<!--.*?-->", "", text)
        assert "<" not in without_comments.replace("&lt;", "")
        assert r"\[l\](javascript:x)" in text


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.ids = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "xlink:href")]
        self.ids += any(name == "data-ids" for name, _ in attrs)


class TestHtml:
    def test_the_page_loads_nothing(self, book: Book):
        page = _Page()
        page.feed(to_html(book))
        assert all(link.startswith("#") for link in page.links)
        assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
        assert "url(" not in to_html(book)
        assert page.tags.count("main") == 1

    def test_every_sentence_has_its_ids(self, book: Book):
        page = _Page()
        page.feed(to_html(book))
        assert page.ids == len(book.sentences)

    def test_nothing_foreign_becomes_markup(self, nasty: Book):
        page = _Page()
        page.feed(to_html(nasty))
        assert not {"script", "a"} & (set(page.tags) - {"nav"}) or all(link.startswith("#") for link in page.links)
        assert "<script" not in to_html(nasty)


class TestPictures:
    def test_they_are_well_formed_and_have_a_name(self, book: Book, nasty: Book):
        for one in (book, nasty):
            pictures = [lanes(one), *(arc_picture(arc) for arc in one.arcs)]
            pictures += [curve_picture(person.curve, person.name) for person in one.persons if person.curve]
            for picture in pictures:
                root = ElementTree.fromstring(re.sub(r"[\x00-\x08\x0b\ud800]", "", picture))
                assert root.get("aria-label")
        assert lanes(compose([], title="x")) == ""

    def test_many_events_make_no_larger_picture(self):
        story = [(number / 500, "commit", f"a{number % 40}", f"c{number}") for number in range(5000)]
        many = compose(FleetRecords().records(events(story)), title="many")
        assert len(lanes(many)) < 60_000


class TestEpub:
    def read(self, book: Book) -> zipfile.ZipFile:
        target = io.BytesIO()
        write_epub(book, target)
        return zipfile.ZipFile(target)

    @pytest.mark.parametrize("which", ["book", "nasty"])
    def test_a_strict_reader_can_read_it(self, which: str, request: pytest.FixtureRequest):
        archive = self.read(request.getfixturevalue(which))
        first = archive.infolist()[0]
        assert (first.filename, first.compress_type, archive.read(first)) == ("mimetype", 0, b"application/epub+zip")
        for name in archive.namelist():
            if name.endswith((".xhtml", ".opf", ".ncx", ".svg", ".xml")):
                ElementTree.fromstring(archive.read(name))
        package = ElementTree.fromstring(archive.read("EPUB/package.opf"))
        opf = "{http://www.idpf.org/2007/opf}"
        items = {item.get("id"): item.get("href") for item in package.iter(f"{opf}item")}
        assert {f"EPUB/{name}" for name in items.values()} == {
            n for n in archive.namelist() if n.startswith("EPUB/")
        } - {"EPUB/package.opf"}
        assert all(ref.get("idref") in items for ref in package.iter(f"{opf}itemref"))

    def test_the_same_book_gives_the_same_bytes(self, book: Book):
        one, other = io.BytesIO(), io.BytesIO()
        write_epub(book, one)
        write_epub(made(), other)
        assert one.getvalue() == other.getvalue()

    @pytest.mark.foreign
    def test_epubcheck_finds_nothing(self, nasty: Book, tmp_path: Path):
        jar = shutil.which("epubcheck")
        if jar is None or shutil.which("java") is None:
            pytest.skip("epubcheck is not installed")
        write(nasty, "epub", tmp_path / "book.epub")
        quick = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", jar, "book.epub"]
        done = subprocess.run(quick, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert "No errors or warnings detected" in done.stdout + done.stderr, done.stdout + done.stderr


def test_atom_is_well_formed_with_ids_and_times(book: Book, nasty: Book):
    atom = "{http://www.w3.org/2005/Atom}"
    root = ElementTree.fromstring(as_text(book, "atom"))
    entries = root.findall(f"{atom}entry")
    assert len(entries) == len(book.chapters) + len(book.arcs)
    assert len({entry.findtext(f"{atom}id") for entry in entries}) == len(entries)
    assert root.findtext(f"{atom}updated") == "2026-11-04T12:48:00Z"
    assert [entry.findtext(f"{atom}id") for entry in entries] == [
        entry.findtext(f"{atom}id") for entry in ElementTree.fromstring(as_text(made(), "atom")).findall(f"{atom}entry")
    ]
    ElementTree.fromstring(as_text(nasty, "atom"))


def test_an_obsidian_vault_whose_links_lead_somewhere(book: Book, nasty: Book, tmp_path: Path):
    for name, one in (("fine", book), ("nasty", nasty)):
        write(one, "obsidian", tmp_path / name)
        notes = {str(path.relative_to(tmp_path / name)) for path in (tmp_path / name).rglob("*") if path.is_file()}
        for path in (tmp_path / name).rglob("*.md"):
            for target in re.findall(r"\[\[([^\]|]+)", path.read_text()):
                assert target in notes or f"{target}.md" in notes
    assert "People/mara.md" in {str(path.relative_to(tmp_path / "fine")) for path in (tmp_path / "fine").rglob("*.md")}


def test_gource_captions_are_in_order(book: Book):
    lines = as_text(book, "gource").splitlines()
    times = [int(line.partition("|")[0]) for line in lines]
    assert times == sorted(times)
    assert any("The long siege" in line for line in lines)
    assert all(line.count("|") == 1 for line in lines)


def test_json_has_every_id(book: Book):
    document = json.loads(as_text(book, "json"))
    assert document["chapters"][0]["arcs"][0]["ids"]
    assert document["people"][0]["fortune"]["shape"]


def test_formats_by_name_and_by_ending(book: Book, tmp_path: Path):
    assert format_for(None, None) == "md"
    assert format_for(Path("a.epub"), None) == "epub"
    assert format_for(Path("a.epub"), "html") == "html"
    with pytest.raises(BadInput, match="md, html, epub"):
        format_for(None, "pdf")
    with pytest.raises(BadInput, match="--out"):
        as_text(book, "epub")
    for form in FORMATS:
        write(book, form, tmp_path / "new" / f"book-{form}")
        assert (tmp_path / "new" / f"book-{form}").exists()


story = st.lists(
    st.tuples(
        st.floats(0, 400),
        st.sampled_from([kind.value for kind in EventKind]),
        st.text(max_size=4),
        st.text(max_size=12),
    ),
    max_size=30,
)


@settings(max_examples=40)
@given(story)
def test_whatever_happened_it_can_be_told_in_every_form(those: list[tuple[float, str, str, str]]):
    told = compose(FleetRecords().records(events(sorted(those))), title="Any")
    for form in set(FORMATS) - {"epub", "obsidian"}:
        as_text(told, form)
    write_epub(told, io.BytesIO())
    ids = {mark.id for mark in told.marks}
    assert all(set(sentence.ids) <= ids for sentence in told.sentences)
