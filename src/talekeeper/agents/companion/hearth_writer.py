"""The Hearthkeeper without a model: one line of its own about something that is really there, never one it said before."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from talekeeper.agents.companion.context import StreamContext, context_hash
from talekeeper.agents.companion.dashboard import topics
from talekeeper.agents.companion.hearth_lines import hearth_lines
from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.policy import Reason
from talekeeper.agents.companion.questions import asks, unanswered
from talekeeper.agents.companion.quotable import nameable, quotable
from talekeeper.agents.companion.style import clean, faults
from talekeeper.agents.companion.words import on_theme, stems

Source = Literal["dashboard", "discussion", "memory", "general"]

LAST_LINES = 5
_LONGEST_SUBJECT = 160
_THOUGHT = 8
"""Fewer words are seldom a thought that can be held up on its own."""
_LATELY = 4
"""What its last few lines were about is left alone."""


class Subject(msgspec.Struct, frozen=True):
    source: Source
    frames: str
    text: str = ""
    name: str = ""


def write(context: StreamContext, reason: Reason) -> tuple[str, Source] | None:
    """The first line that passes the gate; nothing when all that could be said has been said."""
    seed = context_hash(context)
    for subject in subjects(context, reason):
        # Who has only just come in has not heard it yet.
        if subject.text and subject.frames != "newcomers" and _spoken_of(subject.text, context.own[-_LATELY:]):
            continue
        for frame in _shuffled(hearth_lines(subject.frames), seed):
            text = frame.format(subject=subject.text, name=subject.name)
            if not faults(text, context.own):
                return text, subject.source
    return None


def subjects(context: StreamContext, reason: Reason) -> Iterator[Subject]:
    """What could be pointed at: first what the moment asks for, then the sources in their order."""
    if reason == "question":
        yield from _question(context)
    if reason == "newcomers":
        yield from _only("dashboard", "newcomers", (context.theme,))
    yield from _dashboard(context)
    yield from _discussion(context)
    near = (text for text in context.memories if on_theme(text, f"{context.theme} {context.game}"))
    yield from _only("memory", "memory", map(quotable, near))
    yield from _only("general", "game", (context.game or (context.dashboard.game if context.dashboard else ""),))
    yield Subject("general", "general")


def _dashboard(context: StreamContext) -> Iterator[Subject]:
    board = context.dashboard
    yield from _only("dashboard", "angle", (context.theme,))
    if board is not None:
        yield from _only("dashboard", "angle", (board.content_angle,))
        yield from _only("dashboard", "goal", board.session_goals)
        yield from _only("dashboard", "topic", topics(board.raw_markdown))
    yield from _only("dashboard", "title", (context.title or (board.stream_title if board else ""),))


def _question(context: StreamContext) -> Iterator[Subject]:
    line = unanswered(context.recent)
    if line is not None and (text := quotable(line.text)) and nameable(line.speaker):
        yield Subject("discussion", "question", text, line.speaker)


def _discussion(context: StreamContext) -> Iterator[Subject]:
    """Of the last few lines the one that says most, not merely the last."""

    def weight(line: ChatLine) -> tuple[bool, int]:
        return on_theme(line.text, context.theme), len(stems(line.text))

    last = [line for line in context.recent[-LAST_LINES:] if not asks(line.text)]
    for line in sorted(last, key=weight, reverse=True):
        if (
            len(line.text.split()) >= _THOUGHT
            and len(stems(line.text)) > 2
            and (text := quotable(line.text))
            and nameable(line.speaker)
        ):
            yield Subject("discussion", "discussion", text, line.speaker)


def _only(source: Source, frames: str, texts: Iterable[str]) -> Iterator[Subject]:
    for text in texts:
        subject = clean(text).replace("“", "‘").replace("”", "’").replace('"', "'")
        # The frames go on after it; a full stop of its own would end the sentence twice.
        subject = subject.rstrip(".…! ") if not subject.endswith("?") else subject
        if 2 < len(subject) <= _LONGEST_SUBJECT:
            yield Subject(source, frames, subject)


def _spoken_of(text: str, lately: Iterable[str]) -> bool:
    return any(text.casefold() in said.casefold() for said in lately)


def _shuffled(frames: Iterable[str], seed: str) -> list[str]:
    return sorted(frames, key=lambda frame: hashlib.blake2b(f"{seed}{frame}".encode(), digest_size=8).digest())
