"""Captions for Gource: `time|text`, one for each arc and milestone, in order of time."""

from __future__ import annotations

from ..sentence import one_line
from .model import Book

_LONGEST = 110


def to_gource(book: Book) -> str:
    captions = [(arc.end, f"{arc.title}: {arc.sentence.text}") for arc in book.arcs]
    captions += [(one.at, f"{one.agent}: {one.text}") for one in book.marks if one.kind == "milestone"]
    captions += [(chapter.begin, chapter.title) for chapter in book.chapters]
    return "".join(f"{int(at)}|{_caption(text)}\n" for at, text in sorted(captions))


def _caption(text: str) -> str:
    words = one_line(text).replace("|", "/")
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1].rstrip() + "…"
