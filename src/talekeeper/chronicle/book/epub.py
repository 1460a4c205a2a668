"""A book as an EPUB 3 file (with the older table of contents too, for old readers). The same book gives the same bytes."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path
from typing import IO

from ..escape import escape_html
from . import dates, svg
from .model import ArcTold, Book, Chapter, Sentence
from .palette import LIGHT

_EARLIEST = (1980, 1, 1, 0, 0, 0)
_CONTAINER = (
    '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
)
_STYLE = (
    "body{font-family:serif;line-height:1.5;margin:5%}h1,h2{line-height:1.2}h1.title{margin-top:30%;text-align:center}"
    "p.subtitle,p.closing,p.opening{font-style:italic}p{margin:0 0 .6em}div.arc{border-left:3px solid #9a4f14;"
    "padding-left:1em;margin:1.2em 0}div.arc h2{font-size:1em;margin:0}img{max-width:100%}ul{list-style:none;padding:0}"
)


def write_epub(book: Book, target: Path | IO[bytes]) -> None:
    identity = hashlib.sha256(
        f"{book.title}\0{book.begin}\0{book.end}\0{len(book.marks)}".encode(errors="replace")
    ).hexdigest()
    pages, pictures = _pages(book)
    with zipfile.ZipFile(target, "w") as archive:
        _put(archive, "mimetype", "application/epub+zip", stored=True)
        _put(archive, "META-INF/container.xml", _CONTAINER)
        _put(archive, "EPUB/package.opf", _package(book, identity, pages, pictures))
        _put(archive, "EPUB/nav.xhtml", _nav(pages))
        _put(archive, "EPUB/toc.ncx", _ncx(book, identity, pages))
        _put(archive, "EPUB/style.css", _STYLE)
        for name, title, body in pages:
            _put(archive, f"EPUB/{name}", _page(title, body))
        for name, picture in pictures:
            _put(archive, f"EPUB/{name}", svg.standalone(picture))


def _pages(book: Book) -> tuple[list[tuple[str, str, str]], list[tuple[str, str]]]:
    """(file, title, body) for each page, and (file, svg) for each picture."""
    pictures: list[tuple[str, str]] = []
    cover = f'<h1 class="title">{escape_html(book.title)}</h1><p class="subtitle">{escape_html(book.subtitle)}</p>'
    lanes = svg.lanes(book, LIGHT)
    if lanes:
        pictures.append(("lanes.svg", lanes))
        cover += _image("lanes.svg", "The lanes of everybody in it")
    pages = [("title.xhtml", book.title, cover)]
    if book.persons:
        people = "".join(f"<li><p>{_said(one.sentence)} {escape_html(one.about)}</p></li>" for one in book.persons)
        pages.append(("people.xhtml", "Dramatis personae", f"<h1>Dramatis personae</h1><ul>{people}</ul>"))
    if book.previously:
        pages.append(("previously.xhtml", "Previously", f"<h1>Previously</h1><p>{_joined(book.previously)}</p>"))
    for number, chapter in enumerate(book.chapters, 1):
        pages.append((f"chapter-{number}.xhtml", chapter.title, _chapter(number, chapter, pictures)))
    if book.closing:
        closing = "".join(f'<p class="closing">{_said(one)}</p>' for one in book.closing)
        pages.append(("closing.xhtml", "Still open", f"<h1>Still open</h1>{closing}"))
    return pages, pictures


def _chapter(number: int, chapter: Chapter, pictures: list[tuple[str, str]]) -> str:
    parts = [f'<h1>{escape_html(chapter.title)}</h1><p class="opening">{_said(chapter.opening)}</p>']
    for index, arc in enumerate(chapter.arcs, 1):
        parts.append(_arc(arc, f"arc-{number}-{index}.svg", pictures))
    parts += [f"<p>{_joined(paragraph)}</p>" for paragraph in chapter.paragraphs if paragraph]
    return "".join(parts)


def _arc(arc: ArcTold, name: str, pictures: list[tuple[str, str]]) -> str:
    drawn = ""
    if arc.end > arc.begin:
        pictures.append((name, svg.arc_picture(arc, LIGHT)))
        drawn = _image(name, arc.title)
    return f'<div class="arc"><h2>{escape_html(arc.title)}</h2><p>{_said(arc.sentence)}</p>{drawn}</div>'


def _said(sentence: Sentence) -> str:
    return f'<span title="{escape_html(plain_xml(" ".join(sentence.ids[:12])))}">{escape_html(plain_xml(sentence.text))}</span>'


def _joined(sentences: tuple[Sentence, ...]) -> str:
    return " ".join(map(_said, sentences))


def _image(name: str, alt: str) -> str:
    return f'<p><img src="{name}" alt="{escape_html(plain_xml(alt))}"/></p>'


def _page(title: str, body: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n<html xmlns="http://www.w3.org/1999/xhtml" '
        f'xml:lang="en" lang="en"><head><title>{escape_html(plain_xml(title))}</title>'
        f'<link rel="stylesheet" type="text/css" href="style.css"/></head><body>{plain_xml(body)}</body></html>'
    )


def _package(book: Book, identity: str, pages: list[tuple[str, str, str]], pictures: list[tuple[str, str]]) -> str:
    items = "".join(
        f'<item id="p{index}" href="{name}" media-type="application/xhtml+xml"/>'
        for index, (name, _, _) in enumerate(pages)
    )
    items += "".join(
        f'<item id="i{index}" href="{name}" media-type="image/svg+xml"/>' for index, (name, _) in enumerate(pictures)
    )
    spine = "".join(f'<itemref idref="p{index}"/>' for index in range(len(pages)))
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
        'unique-identifier="id" xml:lang="en"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="id">urn:sha256:{identity}</dc:identifier><dc:title>{escape_html(plain_xml(book.title))}</dc:title>'
        f'<dc:language>en</dc:language><meta property="dcterms:modified">{dates.iso(book.end)}</meta></metadata><manifest>'
        '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
        '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        '<item id="css" href="style.css" media-type="text/css"/>'
        f'{items}</manifest><spine toc="ncx">{spine}</spine></package>'
    )


def _nav(pages: list[tuple[str, str, str]]) -> str:
    rows = "".join(f'<li><a href="{name}">{escape_html(plain_xml(title))}</a></li>' for name, title, _ in pages)
    body = f'<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><h1>Contents</h1><ol>{rows}</ol></nav>'
    return _page("Contents", body)


def _ncx(book: Book, identity: str, pages: list[tuple[str, str, str]]) -> str:
    points = "".join(
        f'<navPoint id="n{index}" playOrder="{index + 1}"><navLabel><text>{escape_html(plain_xml(title))}</text></navLabel>'
        f'<content src="{name}"/></navPoint>'
        for index, (name, title, _) in enumerate(pages)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head>'
        f'<meta name="dtb:uid" content="urn:sha256:{identity}"/></head>'
        f"<docTitle><text>{escape_html(plain_xml(book.title))}</text></docTitle>"
        f"<navMap>{points}</navMap></ncx>"
    )


def plain_xml(text: str) -> str:
    """Without the characters no XML file may hold."""
    return "".join(
        c for c in text if c in "\t\n\r" or (c >= " " and not 0xD800 <= ord(c) <= 0xDFFF and c not in "\ufffe\uffff")
    )


def _put(archive: zipfile.ZipFile, name: str, content: str, *, stored: bool = False) -> None:
    entry = zipfile.ZipInfo(name, _EARLIEST)
    entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, plain_xml(content).encode())
