"""Dashboards as markdown: labels and headings into fields, fields into markdown, and whatever else stands there as topics."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from talekeeper.agents.companion.style import clean

LABELS = {
    "stream_title": ("stream title", "title"),
    "game": ("game", "category", "game category"),
    "mood": ("mood", "vibe", "tone"),
    "go_live_notification": ("go live notification", "go live note", "go live", "notification"),
    "social_post": ("social post", "social", "announcement", "social media post", "post"),
    "session_goals": ("session goals", "goals", "session goal", "goal"),
    "content_angle": ("content angle", "angle", "theme", "focus"),
}
_FIELD_OF = {label: field for field, labels in LABELS.items() for label in labels}
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_ITEM = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)")
_EMPHASIS = re.compile(r"(\*\*|__|\*|`)(.+?)\1")
_LONGEST_LABEL = 40
_LONGEST = 2_000
_MOST_GOALS = 20
_MOST_TOPICS = 40


class Fields(Protocol):
    """What a dashboard has to say."""

    @property
    def raw_markdown(self) -> str: ...
    @property
    def stream_title(self) -> str: ...
    @property
    def game(self) -> str: ...
    @property
    def mood(self) -> str: ...
    @property
    def go_live_notification(self) -> str: ...
    @property
    def social_post(self) -> str: ...
    @property
    def session_goals(self) -> tuple[str, ...]: ...
    @property
    def content_angle(self) -> str: ...


def parse(markdown: str) -> dict[str, str | tuple[str, ...]]:
    """The fields that the markdown names, and only those."""
    texts: dict[str, list[str]] = {}
    for field, text in _read(markdown):
        if field:
            texts.setdefault(field, []).append(text)
    found: dict[str, str | tuple[str, ...]] = {}
    for field, said in texts.items():
        kept = [text for text in said if text]
        if field == "session_goals" and kept:
            found[field] = tuple(text[:_LONGEST] for text in kept[:_MOST_GOALS])
        elif kept:
            found[field] = " ".join(kept)[:_LONGEST]
    return found


def topics(markdown: str) -> tuple[str, ...]:
    """What stands in it besides the fields: notes, lists, headings of the operator's own. A first heading names the whole."""
    notes = "\n".join(line for line in markdown.splitlines() if not line.startswith("# "))
    said = (text for field, text in _read(notes) if not field and len(text) > 2)
    return tuple(dict.fromkeys(said))[:_MOST_TOPICS]


def render(dashboard: Fields) -> str:
    """Markdown in the shape that `parse` reads."""
    parts = ["# Stream dashboard"]
    for field, (label, *_) in LABELS.items():
        value = getattr(dashboard, field)
        if field == "session_goals":
            value = "\n".join(f"- {goal}" for goal in value)
        if value:
            parts.append(f"## {label.capitalize()}\n{value}")
    return "\n\n".join(parts) + "\n"


def _read(markdown: str) -> Iterator[tuple[str, str]]:
    """Every line with the field it belongs to, if any. Another heading ends a field, and so does a gap after its text."""
    field, given, gap = "", False, False
    for raw in markdown.splitlines():
        line = clean(raw)
        if not line:
            gap = True
            continue
        heading, item = _HEADING.fullmatch(line), _ITEM.fullmatch(line)
        text = heading[1] if heading else item[1] if item else line
        label, rest = _labelled(_plain(text), alone=bool(heading))
        if label or heading or (gap and given and not (item and field == "session_goals")):
            field = label
        if label:
            given = bool(rest)
            yield label, _plain(rest)
        else:
            given = given or bool(field)
            yield field, _plain(text)
        gap = False


def _labelled(line: str, *, alone: bool) -> tuple[str, str]:
    """The field a line names, and what it says of it: `Mood: calm`, or a heading `Mood`."""
    head, colon, rest = line.partition(":")
    if (not colon and not alone) or len(head) > _LONGEST_LABEL:
        return "", ""
    name = re.sub(r"[\W_]+", " ", head.casefold()).strip()
    return _FIELD_OF.get(name, ""), rest.strip().lstrip("*_ ")


def _plain(text: str) -> str:
    return _EMPHASIS.sub(r"\2", text).strip()
