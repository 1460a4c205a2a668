"""When the companion may speak: people first, long quiet before a word, and a reason for every decision.

Everything errs on the side of silence: more people mean longer thresholds, and a clock that jumped keeps it quiet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.questions import unanswered
from talekeeper.agents.companion.words import on_theme, stems

Reason = Literal[
    "active_chat", "inactive_chat", "not_live", "cooldown", "hushed", "contemplative", "momentum", "streamer_talking",
    "drift", "question", "newcomers", "streamer_silent",
]  # fmt: skip
TickReason = Literal["active_chat", "inactive_chat", "not_live", "cooldown", "hushed", "contemplative"]

MINUTE = 60.0
RECENTLY = 10 * MINUTE
TRIGGERED = 2 / 3
"""With a cause besides quiet, this share of the usual quiet is enough."""
CONTEMPLATION = 2.0
"""A silence after long words on the theme may last this many times as long."""
_MOMENTUM_LINES = 5
_MOMENTUM_SPEAKERS = 2
_LAST_WORDS = 3
_LONG_LINE = 80
_DRIFT_LINES = 4
_DRIFT_WORDS = 6


class Thresholds(msgspec.Struct, frozen=True):
    inactivity: float = 900.0
    cooldown: float = 900.0
    suppression: int = 3


class Lull(msgspec.Struct, frozen=True, kw_only=True):
    """What is known at one moment. `lines` are people's own and unflagged, of at least the last half hour."""

    now: float
    session_started: float
    live_since: float | None = None
    required_live: bool = True
    live: bool = False
    last_prompt_at: float | None = None
    lines: Sequence[ChatLine] = ()
    hushed_until: float | None = None
    streamer_talking: bool = False
    streamer_silent_since: float | None = None
    newcomers: int = 0
    settings: Thresholds = Thresholds()

    @property
    def quiet_since(self) -> float:
        """Silence counts from the last word, and only from when the session was there and live."""
        spoken = self.lines[-1].at if self.lines else self.session_started
        return max(self.session_started, self.live_since or self.session_started, spoken)

    def recent(self, seconds: float) -> list[ChatLine]:
        return [line for line in self.lines if self.now - line.at < seconds]


class Decision(msgspec.Struct, frozen=True):
    speak: bool
    reason: Reason
    details: tuple[str, ...]
    """For the operator: why, in sentences."""
    next_eligible_at: float
    """When it could speak, if nobody says another word."""

    @property
    def tick_reason(self) -> TickReason:
        """The same in the few words of the admin API."""
        match self.reason:
            case "momentum" | "streamer_talking":
                return "active_chat"
            case "drift" | "question" | "newcomers" | "streamer_silent":
                return "inactive_chat"
            case _:
                return self.reason


def weigh(lull: Lull, theme: str = "") -> Decision:
    """Whether to speak now. The first reason to be silent wins."""
    stretch = human_priority(lull)
    inactivity = lull.settings.inactivity * stretch
    cooldown = lull.settings.cooldown * stretch
    silence = lull.now - lull.quiet_since
    trigger = _trigger(lull, theme)
    held = CONTEMPLATION if contemplative(lull, theme) else TRIGGERED if trigger else 1.0
    next_at = lull.quiet_since + inactivity * held
    if lull.last_prompt_at is not None:
        next_at = max(next_at, lull.last_prompt_at + cooldown)
    if lull.hushed_until is not None:
        next_at = max(next_at, lull.hushed_until)

    def quiet(reason: Reason, *details: str) -> Decision:
        return Decision(False, reason, details, next_at)

    if lull.hushed_until is not None and lull.now < lull.hushed_until:
        return quiet("hushed", f"A moderator asked for silence for another {_span(lull.hushed_until - lull.now)}.")
    if lull.required_live and not lull.live:
        return quiet("not_live", "The channel is not live, as far as is known.")
    if lull.streamer_talking:
        return quiet("streamer_talking", "The streamer is talking.")
    last_minute = len(lull.recent(MINUTE))
    if last_minute >= lull.settings.suppression:
        return quiet("active_chat", f"{last_minute} lines in the last minute: people are talking.")
    if _momentum(lull):
        return quiet("momentum", "People are talking with each other at an easy pace.")
    if silence < inactivity * min(held, 1.0):
        return quiet("active_chat", f"Quiet for {_span(silence)} of {_span(inactivity)}.", *_stretched(stretch))
    if silence < inactivity * held:
        return quiet("contemplative", "The last words were long and on the theme: this is a silence to think in.")
    if lull.last_prompt_at is not None and lull.now - lull.last_prompt_at < cooldown:
        rest = lull.last_prompt_at + cooldown - lull.now
        return quiet("cooldown", f"It spoke not long ago and waits another {_span(rest)}.", *_stretched(stretch))
    reason, detail = trigger or ("inactive_chat", "")
    details = (f"Nobody has written for {_span(silence)}.", detail)
    return Decision(True, reason, tuple(filter(None, details)), next_at)


def human_priority(lull: Lull) -> float:
    """How much longer both thresholds are for people having spoken lately. The same line twice is one line."""
    distinct = {(line.name, line.text) for line in lull.recent(RECENTLY)}
    return 1 + len(distinct) / 5


def contemplative(lull: Lull, theme: str) -> bool:
    """Long words on the theme came before the lull."""
    last = _last_words(lull, _LAST_WORDS)
    if not last or sum(len(line.text) for line in last) < _LONG_LINE * len(last):
        return False
    return any(len(line.text) >= _LONG_LINE and on_theme(line.text, theme) for line in last)


def _last_words(lull: Lull, most: int) -> list[ChatLine]:
    if not lull.lines:
        return []
    end = lull.lines[-1].at
    return [line for line in lull.lines[-most:] if end - line.at < RECENTLY]


def _momentum(lull: Lull) -> bool:
    recent = lull.recent(5 * MINUTE)
    return len(recent) >= _MOMENTUM_LINES and len({line.name for line in recent}) >= _MOMENTUM_SPEAKERS


Trigger = tuple[Reason, str]


def _trigger(lull: Lull, theme: str) -> Trigger | None:
    causes: tuple[Callable[[Lull, str], Trigger | None], ...] = (_question, _newcomers, _drift, _streamer_silent)
    return next(filter(None, (cause(lull, theme) for cause in causes)), None)


def _question(lull: Lull, _theme: str) -> Trigger | None:
    line = unanswered(lull.lines)
    # A question from before this stream is not left open in it, and one it has spoken after is not taken up twice.
    if line is None or line.at < lull.session_started or _spoken_since(lull):
        return None
    return "question", f"What {line.speaker} asked has not been taken up."


def _newcomers(lull: Lull, _theme: str) -> Trigger | None:
    # They are no cause to break a short silence, only to mind them in a long one.
    if lull.newcomers < 1 or lull.now - lull.quiet_since < lull.settings.inactivity:
        return None
    return "newcomers", f"{lull.newcomers} came in who had not been seen before."


def _drift(lull: Lull, theme: str) -> Trigger | None:
    """Talk that was on the theme and then, in words enough to tell, was not."""
    last, before = _last_words(lull, _DRIFT_LINES), lull.lines[:-_DRIFT_LINES]
    if len(last) < _DRIFT_LINES or _spoken_since(lull) or any(on_theme(line.text, theme) for line in last):
        return None
    if sum(len(stems(line.text)) for line in last) < _DRIFT_WORDS or not any(
        on_theme(line.text, theme) for line in before
    ):
        return None
    return "drift", "The last of the talk had left the theme."


def _spoken_since(lull: Lull) -> bool:
    """Whether it has spoken since anybody else did."""
    return lull.last_prompt_at is not None and lull.last_prompt_at >= lull.lines[-1].at


def _streamer_silent(lull: Lull, _theme: str) -> Trigger | None:
    since = lull.streamer_silent_since
    if since is None or lull.now - since < lull.settings.inactivity:
        return None
    return "streamer_silent", f"The streamer has been silent for {_span(lull.now - since)}."


def _stretched(stretch: float) -> tuple[str, ...]:
    if stretch == 1:
        return ()
    return (f"Because people spoke in the last ten minutes, it waits {stretch:.1f} times as long.",)


def _span(seconds: float) -> str:
    """Whole minutes, so that a decision does not seem to change with every second."""
    if seconds < MINUTE:
        return "less than a minute"
    minutes = round(seconds / MINUTE)
    return "a minute" if minutes == 1 else f"{minutes} minutes"
