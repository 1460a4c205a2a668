"""The ledger as one page with nothing to load: no scripts, no fonts, no pictures from elsewhere."""

from __future__ import annotations

from importlib.resources import files

from ..book.palette import css_variables
from ..escape import escape_html
from .one_line import one_line
from .pulse import pulse_picture
from .record import LedgerRecord
from .sections import Entry, Section, heading, sections, title

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_CAPTION = (
    "Bars: lines of chat. Shaded: long silences. Diamonds: the companion spoke. Flags: clip candidates. Times are UTC."
)


def html(record: LedgerRecord) -> str:
    name = _words(title(record))
    facts = "".join(f"<dt>{label}</dt><dd>{_words(value)}</dd>" for label, value in heading(record))
    picture = pulse_picture(record)
    figure = f"<figure>{picture}<figcaption>{_CAPTION}</figcaption></figure>" if picture else ""
    body = "\n".join(map(_section, sections(record)))
    style = css_variables() + files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"><title>{name}</title><style>{style}</style>'
    )
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}</head>\n<body><main>\n'
        f"<header><h1>{name}</h1><dl>{facts}</dl></header>\n{figure}\n{body}\n</main></body></html>\n"
    )


def _section(section: Section) -> str:
    summary = "".join(
        f"<blockquote><p><strong>{_words(one.strong)}</strong> {_words(one.text)}</p></blockquote>"
        for one in section.summary
    )
    entries = f"<ul>{''.join(map(_entry, section.entries))}</ul>" if section.entries else ""
    empty = "" if section.entries else f"<p><em>{section.placeholder}</em></p>"
    return f"<section><h2>{section.title}</h2>{summary}{entries}{empty}</section>"


def _entry(entry: Entry) -> str:
    lead = f"<time>{_words(entry.lead)}</time> " if entry.lead else ""
    return f"<li>{lead}<strong>{_words(entry.strong)}</strong>{escape_html(entry.after)} {_words(entry.text)}</li>"


def _words(text: str) -> str:
    return escape_html(one_line(text))
