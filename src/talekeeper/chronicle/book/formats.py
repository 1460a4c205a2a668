"""A book in any of its forms, by name."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

from talekeeper.errors import BadInput

from .as_json import to_json
from .atom import to_atom
from .epub import write_epub
from .gource import to_gource
from .html import to_html
from .markdown import to_markdown
from .model import Book
from .obsidian import write_vault

Format = Literal["md", "html", "epub", "atom", "obsidian", "gource", "json"]
FORMATS: tuple[Format, ...] = get_args(Format)
_TEXTS = {"md": to_markdown, "html": to_html, "gource": to_gource, "json": to_json, "atom": to_atom}
_ENDINGS: dict[str, Format] = {
    ".md": "md", ".markdown": "md", ".html": "html", ".htm": "html", ".epub": "epub", ".atom": "atom", ".xml": "atom",
    ".json": "json", ".txt": "gource", ".caption": "gource",
}  # fmt: skip


def format_for(path: Path | None, asked: str | None) -> Format:
    """The one asked for, else what the file's name ends with, else Markdown."""
    if asked is not None:
        for known in FORMATS:
            if asked == known:
                return known
        raise BadInput(f"{asked!r} is no format of a book.", f"There are: {', '.join(FORMATS)}.")
    return _ENDINGS.get(path.suffix.lower(), "md") if path is not None else "md"


def as_text(book: Book, form: Format) -> str:
    """For the forms that are text; an EPUB or a vault needs a place to be written to."""
    if form not in _TEXTS:
        raise BadInput(f"A book in the form {form} cannot be printed.", "Give a place for it with --out.")
    return _TEXTS[form](book)


def write(book: Book, form: Format, target: Path) -> None:
    if form == "obsidian":
        write_vault(book, target)
    elif form == "epub":
        target.parent.mkdir(parents=True, exist_ok=True)
        write_epub(book, target)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(as_text(book, form), encoding="utf-8", errors="replace")
