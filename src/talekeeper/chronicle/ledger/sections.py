"""The parts of a ledger in their order, still as plain words; each form writes them in its own way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from ..book import dates
from .record import LedgerAction, LedgerRecord

_SHOWN_OF_A_KIND = {"archive": 3, "flag": 12}
_SHOWN_OF_OTHERS = 30
_FIELDS = (
    ("Title", "stream_title"),
    ("Game", "game"),
    ("Mood", "mood"),
    ("Content angle", "content_angle"),
)


class Entry(msgspec.Struct, frozen=True):
    strong: str
    text: str
    lead: str = ""
    after: str = ""
    """Plain words between the strong ones and the text."""
    person: bool = False
    """The strong words are somebody's name."""


class Section(msgspec.Struct, frozen=True):
    title: str
    entries: tuple[Entry, ...]
    placeholder: str
    summary: tuple[Entry, ...] = ()


def title(record: LedgerRecord) -> str:
    return f"{record.name} Ledger — {dates.iso_day(record.started)}"


def heading(record: LedgerRecord) -> tuple[tuple[str, str], ...]:
    ended = "still live" if record.ended is None else _moment(record.ended)
    return ("Channel", record.channel), ("Started", _moment(record.started)), ("Ended", ended)


def sections(record: LedgerRecord) -> tuple[Section, ...]:
    return (
        Section("Stream Theme", tuple(_theme(record)), "No theme was set for this stream."),
        Section(
            "Notable Discussion",
            tuple(
                Entry(line.speaker, line.text, lead=dates.clock(line.at), after=":", person=True)
                for line in sorted(record.discussion, key=lambda line: line.at)
            ),
            "The chat was quiet.",
            tuple(Entry(f"{dates.clock(one.start)}–{dates.clock(one.end)}", one.text) for one in record.summary),
        ),
        Section("Agent Actions", tuple(_actions(record.actions)), "The companion kept silent."),
        Section(
            "Clip Candidates",
            tuple(
                Entry(
                    f"{dates.moment(clip.start):%H:%M:%S}",
                    clip.reason + (" (approved)" if clip.approved else ""),
                    after=f" ({_into(clip.start - record.started)} into the stream):",
                )
                for clip in sorted(record.clips, key=lambda clip: clip.start)
            ),
            "No moment stood out.",
        ),
        Section(
            "Blog Seeds",
            tuple(Entry(f"{seed.topic}:", seed.description) for seed in record.seeds),
            "Nothing to write about yet.",
        ),
    )


def _theme(record: LedgerRecord) -> Iterator[Entry]:
    for label, field in _FIELDS:
        if value := record.dashboard.get(field):
            yield Entry(f"{label}:", str(value))
    for goal in record.dashboard.get("session_goals") or ():
        yield Entry("Goal:", str(goal))
    given = {str(record.dashboard.get(field) or "") for _, field in _FIELDS}
    if record.theme and record.theme not in given:
        yield Entry("Theme:", record.theme)


def _actions(actions: tuple[LedgerAction, ...]) -> Iterator[Entry]:
    """What was said is always told whole; the hundredth archived line is only counted."""
    told: Counter[tuple[str, str]] = Counter()
    for one in sorted(actions, key=lambda one: one.at):
        told[one.mode, one.type] += 1
        if one.type == "response" or told[one.mode, one.type] <= _shown(one.type):
            yield Entry(one.mode, one.description, after=f" ({one.type}):")
    for (mode, type_), count in told.items():
        if type_ != "response" and count > _shown(type_):
            yield Entry(mode, f"and {count - _shown(type_)} more.", after=f" ({type_}):")


def _shown(type_: str) -> int:
    return _SHOWN_OF_A_KIND.get(type_, _SHOWN_OF_OTHERS)


def _moment(at: float) -> str:
    return f"{dates.moment(at):%Y-%m-%d %H:%M:%S} UTC"


def _into(seconds: float) -> str:
    minutes, rest = divmod(max(0, int(seconds)), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
