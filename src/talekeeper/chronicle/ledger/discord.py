"""The ledger as the body of a Discord webhook: short, pinging nobody, within Discord's limits."""

from __future__ import annotations

import re
from typing import Any

from .one_line import one_line
from .record import LedgerRecord
from .sections import Entry, Section, heading, sections, title

_MEANT = re.compile(r"([\\*_`~|>\[\]()<#@:-])")
_TITLE, _DESCRIPTION, _FIELD, _ENTRY = 256, 1000, 800, 260
_NAME = 80
_COLOUR = 0xD9894A


def discord_body(record: LedgerRecord) -> dict[str, Any]:
    """A theme, then one field for each part that has something in it. Mentions in it ping nobody."""
    theme, *others = sections(record)
    facts = [f"**{label}:** {_cut(_words(value), _ENTRY)}" for label, value in heading(record)]
    embed = {
        "title": _cut(_words(title(record)), _TITLE),
        "description": _fitting([*facts, *map(_entry, theme.entries)], _DESCRIPTION),
        "color": _COLOUR,
        "fields": [
            {"name": section.title, "value": _fitting(_told(section), _FIELD), "inline": False}
            for section in others
            if section.entries
        ],
    }
    return {
        "username": _cut(one_line(f"{record.name} Ledger"), _NAME),
        "embeds": [embed],
        "allowed_mentions": {"parse": []},
    }


def _told(section: Section) -> list[str]:
    return [_entry(one) for one in (*section.summary, *section.entries)]


def _entry(entry: Entry) -> str:
    lead = f"{entry.lead} " if entry.lead else ""
    strong = _cut(_words(entry.strong), _ENTRY)
    after = (" " if entry.after.startswith(" ") else "") + _words(entry.after)
    return f"{lead}**{strong}**{after} {_cut(_words(entry.text), _ENTRY)}"


def _fitting(lines: list[str], room: int) -> str:
    """As many whole lines as there is room for."""
    kept: list[str] = []
    for line in lines:
        if _length("\n".join([*kept, line])) > room - 20:
            return "\n".join([*kept, f"… and {len(lines) - len(kept)} more"])
        kept.append(line)
    return "\n".join(kept)


def _words(text: str) -> str:
    return _MEANT.sub(r"\\\1", one_line(text))


def _cut(text: str, room: int) -> str:
    if _length(text) <= room:
        return text
    kept = text[: room - 1]
    while _length(kept) > room - 1:
        kept = kept[:-1]
    # A lone backslash at the end would take the sign after it away.
    return kept.rstrip("\\ ") + "…"


def _length(text: str) -> int:
    """As Discord counts: in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
