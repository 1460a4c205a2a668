"""The ledger as an Obsidian note: front matter to query, speakers as links, the pulse as a picture beside it."""

from __future__ import annotations

import json
import re

from ..book import dates
from .markdown import UNNAMED, section_lines, words
from .names import picture_name
from .one_line import one_line
from .record import LedgerRecord
from .sections import Entry, heading, sections, title

_MEANT = re.compile(r"([#$%=^|])")
"""Tags, formulas, comments, highlights and block marks: Markdown leaves them alone, Obsidian does not."""
_BRACKETS = re.compile(r"([\[\]])(?=[\[\]])")
_NO_NAME = re.compile(r'[\\/:*?"<>|#^\[\]%$]+')


def obsidian(record: LedgerRecord) -> str:
    lines = ["---", "tags: [ledger]", *_properties(record), "---", "", f"# {_words(title(record))}", ""]
    for label, value in heading(record):
        lines += [f"**{label}:** {_words(value)}", ""]
    if record.pulse:
        lines += [f"![[{picture_name(record)}]]", ""]
    for section in sections(record):
        lines += section_lines(section, _words, _strong)
    return "\n".join(lines).rstrip() + "\n"


def _properties(record: LedgerRecord) -> list[str]:
    values = {
        "channel": record.channel,
        "session": record.session_id,
        "theme": record.theme,
        "game": record.dashboard.get("game"),
        "mood": record.dashboard.get("mood"),
    }
    dated = [f"date: {dates.iso_day(record.started)}"]
    # A JSON string is a YAML string whatever is in it.
    return dated + [f"{name}: {json.dumps(_unlinked(str(value)))}" for name, value in values.items() if value]


def _unlinked(text: str) -> str:
    """Properties have no escapes: brackets that would make a link are set apart."""
    return _BRACKETS.sub(r"\1 ", one_line(text))


def _words(text: str) -> str:
    return _MEANT.sub(r"\\\1", words(text))


def _strong(entry: Entry) -> str:
    if entry.person and (name := " ".join(_NO_NAME.sub(" ", one_line(entry.strong)).split())):
        return f"[[{name}]]"
    return f"**{_words(entry.strong) or UNNAMED}**"
