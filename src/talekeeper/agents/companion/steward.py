"""The Steward: answers when it is addressed, says what it is, and keeps within what it knows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

import msgspec

from talekeeper.agents.companion.asking import (
    again,
    ask,
    betrayals,
    chat_block,
    dashboard_block,
    memories_block,
    stream_block,
)  # fmt: skip
from talekeeper.agents.companion.context import StreamContext
from talekeeper.agents.companion.dashboard import topics
from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.questions import asks
from talekeeper.agents.companion.second_reader import SecondReader
from talekeeper.agents.companion.style import clean, faults
from talekeeper.agents.companion.words import stems
from talekeeper.agents.guard.suspicion import caution, suspicions
from talekeeper.agents.prompts import fill
from talekeeper.agents.prompts.blocks import block, inline
from talekeeper.llm.model import Model

Kind = Literal["mention", "chronicler", "theme", "lore", "remember", "hush"]

LONGEST_ANSWER = 1_000
MOST_SENTENCES = 6
HUSH_MINUTES = 30.0
LONGEST_HUSH = 1_440.0

_COMMANDS: dict[str, Kind] = {
    "chronicler": "chronicler", "theme": "theme", "lore": "lore", "remember": "remember", "hush": "hush",
}  # fmt: skip
_COMMAND = re.compile(r"!(\w+)(?:\s+(.*))?")
_WHO = re.compile(
    r"\b(?:are|r) (?:you|u) (?:an? |the |really )?(?:\w+ )?"
    r"(?:bot|ai|human|real|person|robot|machine|llm|gpt|chatgpt|alive)\b"
    r"|\b(?:who|what) (?:are|r) (?:you|u)\b|\bwho (?:runs|made|built|owns|operates) (?:you|this|it)\b"
    r"|\bis (?:this|that|it) (?:an? )?(?:bot|ai|human)\b",
    re.IGNORECASE,
)
_THEME = re.compile(r"\b(?:theme|topic|what(?:'s| is) (?:this|tonight|today|the stream) about)\b", re.IGNORECASE)


class Command(msgspec.Struct, frozen=True):
    kind: Kind
    argument: str = ""

    @property
    def minutes(self) -> float:
        """How long to be silent; nothing, when the hush is lifted."""
        word = self.argument.split()[0].casefold() if self.argument.split() else ""
        if word in ("off", "end", "0"):
            return 0.0
        return min(float(word), LONGEST_HUSH) if re.fullmatch(r"[1-9][0-9]{0,5}", word) else HUSH_MINUTES


def addressed(line: ChatLine, bot: str) -> Command | None:
    """What a line asks of the companion. Other machines, other channels and it itself ask nothing."""
    if line.bot or line.foreign or line.name == bot.casefold():
        return None
    text = clean(line.text)
    command = _COMMAND.fullmatch(text)
    if command and (kind := _COMMANDS.get(command[1].casefold())):
        return Command(kind, command[2] or "") if kind != "hush" or line.moderator else None
    mention = re.compile(rf"(?<!\w)@{re.escape(bot)}(?!\w)[,:]?", re.IGNORECASE)
    if not mention.search(text):
        return None
    return Command("mention", clean(mention.sub(" ", text)))


async def answer(
    command: Command,
    line: ChatLine,
    context: StreamContext,
    model: Model | None = None,
    reader: SecondReader | None = None,
) -> str | None:
    """The answer, or nothing where none is called for. Who it is and what the theme is, it says in its own fixed words."""
    match command.kind:
        case "hush":
            return None
        case "chronicler":
            return disclosure(context)
        case "theme":
            return theme_line(context)
        case "remember":
            return _remembered(command, line)
        case "mention" if _WHO.search(command.argument):
            return disclosure(context)
        case "mention" if _THEME.search(command.argument):
            return theme_line(context)
        case "mention" if not asks(command.argument):
            return None
        case "lore" if not command.argument:
            return _lore(context.theme, context)
        case _:
            pass
    if model is not None and not suspicions(command.argument):
        text = await ask(
            model,
            system_text(context),
            lambda wrong: turn_text(command, line, context, wrong),
            lambda text: (*_amiss(text), *betrayals(text, context)),
            reader,
        )
        if text is not None:
            return text
    return _lore(command.argument, context)


def disclosure(context: StreamContext) -> str:
    """Always the same plain truth."""
    return (
        f"I am {context.bot}, an AI companion, not a person; {context.run_by} runs me. "
        "I keep the notes of this stream, speak rarely, and go silent when a moderator writes !hush."
    )


def theme_line(context: StreamContext) -> str:
    theme = context.theme or context.title
    return (
        _fit(f"The theme here: {theme.rstrip('.')}.", "The theme stands in the stream's notes.")
        if theme
        else ("No theme has been written down for this stream.")
    )


def _remembered(command: Command, line: ChatLine) -> str:
    if not command.argument:
        return "Write !remember and a sentence, and it goes into the ledger of this stream."
    return _fit(f"Noted in the ledger, {line.speaker}.", "Noted in the ledger.")


def _lore(about: str, context: StreamContext) -> str:
    """The note that shares most with what was asked, in the words it was written in."""
    wanted = stems(about)
    best = max(_notes(context), key=lambda note: len(wanted & stems(note[1])), default=("", ""))
    if wanted & stems(best[1]):
        text = best[1] if len(best[1]) <= 300 else best[1][:300].rsplit(" ", 1)[0] + " …"
        return _fit(f"{best[0]}: “{text}”", "There is a note on that in the ledger, not fit to be read aloud.")
    return f"There is no note on that here; {context.run_by} may know."


def _notes(context: StreamContext) -> Iterable[tuple[str, str]]:
    board = context.dashboard
    if board is not None:
        for text in (board.content_angle, *board.session_goals, *topics(board.raw_markdown)):
            yield "From the notes", clean(text)
    for text in context.memories:
        yield "From the ledger of an earlier stream", clean(text)


def _amiss(text: str) -> tuple[str, ...]:
    # Asked the same, it may answer the same: repetition is no fault here.
    return faults(text, limit=LONGEST_ANSWER, sentences=MOST_SENTENCES)


def _fit(text: str, otherwise: str) -> str:
    return otherwise if _amiss(text) else text


def system_text(context: StreamContext) -> str:
    return fill(
        "companion_steward_system",
        bot=inline(context.bot),
        channel=inline(context.channel),
        operator=inline(context.run_by),
    )


def turn_text(command: Command, line: ChatLine, context: StreamContext, wrong: tuple[str, ...] = ()) -> str:
    asked = f"{line.speaker} asks: {command.argument[:500]}"
    return fill(
        "companion_steward_turn",
        dashboard=dashboard_block(context),
        stream=stream_block(context),
        chat=chat_block(context),
        memories=memories_block(context),
        asked="\n".join(filter(None, (block("asked", asked), caution(command.argument)))),
        again=again(wrong),
    )
