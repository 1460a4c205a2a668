"""A book as one HTML page with nothing to load: no scripts, no fonts, no pictures from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from ..escape import escape_html
from . import svg
from .model import ArcTold, Book, Chapter, Person, Sentence
from .palette import css_variables

_SHOWN = 40

_CAPTION = (
    "Bars: how much happened. Crosses are errors and harm, triangles up recoveries, triangles down retreats, diamonds "
    "merges, flags milestones; ribbons join the events of an arc, dots a silence."
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def to_html(book: Book) -> str:
    picture = svg.lanes(book)
    parts = [
        f"<header><h1>{escape_html(book.title)}</h1><p class=subtitle>{escape_html(book.subtitle)}</p></header>",
        _figure(picture, _CAPTION) if picture else "",
        _previously(book.previously),
        _contents(book.chapters),
        *(_chapter(number, chapter) for number, chapter in enumerate(book.chapters, 1)),
        _people(book.persons),
        _closing(book.closing),
        "<footer>Every sentence carries the ids of its events; hover over one to see them. Times are UTC.</footer>",
    ]
    style = css_variables() + files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{escape_html(book.title)}</title><style>{style}</style>"
    )
    body = "\n".join(filter(None, parts))
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body><main>\n{body}\n</main></body></html>\n'


def said(sentence: Sentence) -> str:
    ids = " ".join(sentence.ids[:_SHOWN])
    left = len(sentence.ids) - _SHOWN
    shown = escape_html(ids + (f" and {left} more" if left > 0 else ""))
    return f'<span data-ids="{shown}" title="{shown}">{escape_html(sentence.text)}</span>'


def _joined(sentences: Iterable[Sentence]) -> str:
    return " ".join(map(said, sentences))


def _figure(picture: str, caption: str = "") -> str:
    return f"<figure>{picture}{f'<figcaption>{escape_html(caption)}</figcaption>' if caption else ''}</figure>"


def _previously(sentences: tuple[Sentence, ...]) -> str:
    return (
        f"<section class=previously aria-label=Previously><h3>Previously</h3><p>{_joined(sentences)}</p></section>"
        if sentences
        else ""
    )


def _contents(chapters: tuple[Chapter, ...]) -> str:
    if len(chapters) < 3:
        return ""
    links = "".join(
        f'<a href="#c{number}">{escape_html(chapter.title)}</a> ' for number, chapter in enumerate(chapters, 1)
    )
    return f"<nav aria-label=Chapters><details><summary>{len(chapters)} chapters</summary>{links}</details></nav>"


def _chapter(number: int, chapter: Chapter) -> str:
    paragraphs = [f"<p>{_joined(paragraph)}</p>" for paragraph in chapter.paragraphs]
    if paragraphs:
        paragraphs[0] = paragraphs[0].replace("<p>", "<p class=first>", 1)
    return (
        f'<section class=chapter id="c{number}"><h2>{escape_html(chapter.title)}</h2><p class=opening>{said(chapter.opening)}</p>'
        + "".join(map(_arc, chapter.arcs))
        + "".join(paragraphs)
        + "</section>"
    )


def _arc(arc: ArcTold) -> str:
    shape = (
        f"<span class=shape>{escape_html(arc.curve.shape)}</span>" if arc.curve is not None and arc.curve.turns else ""
    )
    picture = _figure(svg.arc_picture(arc)) if arc.end > arc.begin else ""
    return f"<section class=arc><h3>{escape_html(arc.title)}</h3> {shape}<p>{said(arc.sentence)}</p>{picture}</section>"


def _people(persons: tuple[Person, ...]) -> str:
    if not persons:
        return ""
    rows = []
    for person in persons:
        drawn = svg.curve_picture(person.curve, person.name) if person.curve is not None else "<span class=none></span>"
        about = f" {escape_html(person.about)}" if person.about else ""
        rows.append(f"<li>{drawn}<span>{said(person.sentence)}{about}</span></li>")
    return f"<section class=people><h2>The people</h2><ul>{''.join(rows)}</ul></section>"


def _closing(sentences: tuple[Sentence, ...]) -> str:
    return (
        f"<section class=closing>{''.join(f'<p>{said(one)}</p>' for one in sentences)}</section>" if sentences else ""
    )
