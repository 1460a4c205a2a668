"""The dashboard and how a change to it is taken: only what is given is replaced."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from talekeeper.agents.companion.dashboard.markdown import parse
from talekeeper.agents.companion.style import clean
from talekeeper.errors import BadInput

MOST_MARKDOWN = 100_000
MOST_TEXT = 2_000
MOST_GOALS = 20
_TEXTS = ("stream_title", "game", "mood", "go_live_notification", "social_post", "content_angle")
FIELDS = ("raw_markdown", *_TEXTS, "session_goals")


class Dashboard(msgspec.Struct, frozen=True, kw_only=True):
    raw_markdown: str = ""
    stream_title: str = ""
    game: str = ""
    mood: str = ""
    go_live_notification: str = ""
    social_post: str = ""
    session_goals: tuple[str, ...] = ()
    content_angle: str = ""
    created_at: float = 0.0
    updated_at: float = 0.0


def merge(old: Dashboard | None, given: Mapping[str, object], now: float = 0.0) -> Dashboard:
    """The dashboard after a save: null or an empty list clears, a field that is given beats the markdown."""
    kept = old or Dashboard(created_at=now)
    changes: dict[str, object] = {"updated_at": now}
    markdown = given.get("raw_markdown", kept.raw_markdown)
    if not isinstance(markdown, str) or not markdown.strip():
        raise BadInput("A dashboard needs its markdown.", "Send raw_markdown as a text that is not empty.")
    if len(markdown) > MOST_MARKDOWN:
        raise BadInput("The dashboard is too long.", f"Keep raw_markdown under {MOST_MARKDOWN:,} characters.")
    if "raw_markdown" in given:
        changes |= {"raw_markdown": markdown, **parse(markdown)}
    for name in _TEXTS:
        if name in given:
            changes[name] = _text(name, given[name])
    if "session_goals" in given:
        changes["session_goals"] = _goals(given["session_goals"])
    return msgspec.structs.replace(kept, **changes)


def theme_of(dashboard: Dashboard | None) -> str:
    return (dashboard.content_angle or dashboard.stream_title) if dashboard else ""


def _text(name: str, value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadInput(f"{name} is not a text.", "Send a text, or null to clear it.")
    if len(value) > MOST_TEXT:
        raise BadInput(f"{name} is too long.", f"Keep it under {MOST_TEXT:,} characters.")
    return clean(value)


def _goals(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple) or not all(isinstance(goal, str) for goal in value):
        raise BadInput("session_goals is not a list of texts.", "Send a list of texts, or [] to clear it.")
    if len(value) > MOST_GOALS:
        raise BadInput("There are too many goals.", f"Keep them to {MOST_GOALS} or fewer.")
    return tuple(filter(None, (_text("a goal", goal) for goal in value)))
