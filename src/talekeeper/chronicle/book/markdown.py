"""A book as one Markdown file; every sentence is followed by the events it stands on, in a comment."""

from __future__ import annotations

import re

from ..escape import escape_markdown
from .model import Book, Sentence

_IN_COMMENT = re.compile(r"[^\w@#:./+ -]")
_SHOWN = 12


def to_markdown(book: Book) -> str:
    lines = [f"# {escape_markdown(book.title)}", "", f"*{escape_markdown(book.subtitle)}*", ""]
    if book.previously:
        lines += ["## Previously", "", " ".join(map(said, book.previously)), ""]
    for chapter in book.chapters:
        lines += [f"## {escape_markdown(chapter.title)}", "", said(chapter.opening), ""]
        for arc in chapter.arcs:
            lines += [f"> **{escape_markdown(arc.title)}.** {said(arc.sentence)}", ""]
        for paragraph in chapter.paragraphs:
            lines += [" ".join(map(said, paragraph)), ""]
    if book.persons:
        lines += ["## The people", ""]
        lines += [f"- {said(person.sentence)}" for person in book.persons]
        lines.append("")
    if book.closing:
        lines += ["---", "", *(f"*{escape_markdown(one.text)}*{_ids(one)}\n" for one in book.closing)]
    return "\n".join(lines).rstrip() + "\n"


def said(sentence: Sentence) -> str:
    return escape_markdown(sentence.text) + _ids(sentence)


def _ids(sentence: Sentence) -> str:
    shown = [_IN_COMMENT.sub("_", one).replace("--", "-") for one in sentence.ids[:_SHOWN]]
    left = len(sentence.ids) - len(shown)
    return f" <!-- {' '.join(shown)}{f' and {left} more' if left else ''} -->" if shown else ""
