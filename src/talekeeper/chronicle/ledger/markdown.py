"""The ledger as Markdown: the form it is kept in."""

from __future__ import annotations

from collections.abc import Callable

from ..escape import escape_markdown
from .one_line import one_line
from .record import LedgerRecord
from .sections import Entry, Section, heading, sections, title

UNNAMED = "…"
Escape = Callable[[str], str]


def markdown(record: LedgerRecord) -> str:
    lines = [f"# {words(title(record))}", ""]
    for label, value in heading(record):
        lines += [f"**{label}:** {words(value)}", ""]
    for section in sections(record):
        lines += section_lines(section, words, strong)
    return "\n".join(lines).rstrip() + "\n"


def section_lines(section: Section, escape: Escape, named: Callable[[Entry], str]) -> list[str]:
    lines = [f"## {section.title}", ""]
    for one in section.summary:
        lines += [f"> **{escape(one.strong)}** {escape(one.text)}", ""]
    for entry in section.entries:
        lead = f"{entry.lead} " if entry.lead else ""
        lines.append(f"- {lead}{named(entry)}{escape_tail(entry.after, escape)} {escape(entry.text)}".rstrip())
    if not section.entries:
        lines.append(f"*{section.placeholder}*")
    return [*lines, ""]


def escape_tail(after: str, escape: Escape) -> str:
    return (" " if after.startswith(" ") else "") + escape(after)


def words(text: str) -> str:
    return escape_markdown(one_line(text))


def strong(entry: Entry) -> str:
    return f"**{words(entry.strong) or UNNAMED}**"
