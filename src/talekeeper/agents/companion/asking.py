"""Asking a model for one line: what it reads is fenced, what it answers is checked, and it is asked twice at most."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from talekeeper.agents.companion.context import StreamContext
from talekeeper.agents.companion.dashboard import topics
from talekeeper.agents.companion.second_reader import SecondReader
from talekeeper.agents.companion.style import clean
from talekeeper.agents.guard.guard import SYSTEM_RUN, system_runs
from talekeeper.agents.guard.runs import runs
from talekeeper.agents.prompts.blocks import block, bullets
from talekeeper.errors import TalekeeperError
from talekeeper.llm.model import Message, Model, ModelRequest

TRIES = 2
LINES = 12
OWN_LINES = 10
MEMORIES = 5
_PARROT_RUN = 6
_LONGEST_LINE = 300
_LONGEST_NOTES = 1_500
_QUOTED = re.compile(r"[\"“«][^\"”»]*[\"”»]")
_WRAPPED = re.compile(r"[\"“«](.*)[\"”»]")


async def ask(
    model: Model,
    system: str,
    turn: Callable[[tuple[str, ...]], str],
    judge: Callable[[str], tuple[str, ...]],
    reader: SecondReader | None = None,
) -> str | None:
    """A line that `judge`, and then the second reader, find nothing wrong with. `turn` is told what was wrong before."""
    wrong: tuple[str, ...] = ()
    for _ in range(TRIES):
        request = ModelRequest(messages=(Message("system", system), Message("user", turn(wrong))), max_tokens=300)
        try:
            answer = await model.complete(request)
        except TalekeeperError:
            return None
        text = unwrapped(answer.text)
        wrong = judge(text)
        if wrong:
            continue
        misgivings = () if reader is None else await reader.misgivings(text)
        if misgivings is None:
            return None
        if not misgivings:
            return text
        wrong = misgivings
    return None


def unwrapped(text: str) -> str:
    """Models like to put a line in quotation marks, or in a fence."""
    line = clean(text.replace("```", " "))
    whole = _WRAPPED.fullmatch(line)
    return whole[1].strip() if whole and not re.search(r"[\"“”«»]", whole[1]) else line


def betrayals(text: str, context: StreamContext) -> tuple[str, ...]:
    """What the style gate cannot know: its instructions repeated, or somebody's words passed off as its own."""
    own = _QUOTED.sub(" . ", text)
    return tuple(
        reason
        for reason, found in (
            ("It repeats its instructions.", runs(text, SYSTEM_RUN) & system_runs()),
            ("It repeats what somebody wrote as if it were its own.", runs(own, _PARROT_RUN) & _chat_runs(context)),
            ("It names somebody who is not here.", _strangers(text, context)),
        )
        if found
    )


def _strangers(text: str, context: StreamContext) -> frozenset[str]:
    here = {line.name for line in context.recent} | {line.speaker.casefold() for line in context.recent}
    here |= {context.channel, context.bot, context.run_by.casefold()}
    return frozenset(name.casefold() for name in re.findall(r"@(\w+)", text)) - here


def _chat_runs(context: StreamContext) -> frozenset[str]:
    return frozenset().union(*(runs(line.text, _PARROT_RUN) for line in context.recent))


def dashboard_block(context: StreamContext) -> str:
    board = context.dashboard
    parts = [f"Theme: {context.theme}" if context.theme else ""]
    if board is not None:
        parts += [
            f"Content angle: {board.content_angle}" if board.content_angle not in ("", context.theme) else "",
            f"Mood: {board.mood}" if board.mood else "",
            f"Goals:\n{bullets(board.session_goals)}" if board.session_goals else "",
            f"Notes:\n{bullets(topics(board.raw_markdown))}"[:_LONGEST_NOTES] if topics(board.raw_markdown) else "",
        ]
    return block("dashboard", *parts)


def stream_block(context: StreamContext) -> str:
    board = context.dashboard
    title, game = context.title or (board.stream_title if board else ""), context.game or (board.game if board else "")
    return block("stream", f"Title: {title}" if title else "", f"Game: {game}" if game else "")


def chat_block(context: StreamContext) -> str:
    return block("chat", *(f"{line.speaker}: {clean(line.text)[:_LONGEST_LINE]}" for line in context.readable[-LINES:]))


def memories_block(context: StreamContext) -> str:
    return block("memories", bullets(context.memories[:MEMORIES]))


def own_block(context: StreamContext) -> str:
    return block("you_said_before", bullets(context.own[-OWN_LINES:]))


def again(wrong: Iterable[str]) -> str:
    reasons = " ".join(wrong)
    return f"Your last answer was not used: {reasons} Write another." if reasons else ""
