"""A book as an Atom feed: one entry for each chapter and each arc, the newest first."""

from __future__ import annotations

import hashlib

from ..escape import escape_html
from . import dates
from .epub import plain_xml
from .html import said
from .model import Book

MOST = 200


def to_atom(book: Book, *, address: str = "urn:talekeeper:chronicle") -> str:
    """`address` is the feed's own, and what the ids of its entries are made from."""
    entries = []
    for chapter in book.chapters:
        body = f"<p>{said(chapter.opening)}</p>" + "".join(
            f"<p>{' '.join(map(said, paragraph))}</p>" for paragraph in chapter.paragraphs
        )
        entries.append((chapter.end, chapter.title, f"{book.title}/{chapter.title}", body, ""))
        for arc in chapter.arcs:
            entries.append(
                (
                    arc.end,
                    f"{arc.title}: {', '.join(arc.agents)}",
                    arc.fingerprint,
                    f"<p>{said(arc.sentence)}</p>",
                    arc.name,
                )
            )
    entries.sort(key=lambda entry: (-entry[0], entry[2]))
    updated = dates.iso(max((entry[0] for entry in entries), default=book.end))
    feed = (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<title>{escape_html(book.title)}</title><subtitle>{escape_html(book.subtitle)}</subtitle>"
        f"<id>{escape_html(address)}</id><updated>{updated}</updated><author><name>{escape_html(book.title)}</name></author>"
        + "".join(_entry(address, *entry) for entry in entries[:MOST])
        + "</feed>\n"
    )
    return plain_xml(feed)


def _entry(address: str, at: float, title: str, identity: str, body: str, category: str) -> str:
    mark = hashlib.sha256(f"{address}\0{identity}".encode(errors="replace")).hexdigest()[:32]
    kind = f'<category term="{escape_html(category)}"/>' if category else ""
    return (
        f"<entry><title>{escape_html(title)}</title><id>urn:sha256:{mark}</id><updated>{dates.iso(at)}</updated>{kind}"
        f'<content type="html">{escape_html(body)}</content></entry>'
    )
