"""The Hearthkeeper: one gentle observation after a long quiet, by a model where there is one, by its own lines otherwise."""

from __future__ import annotations

from typing import Literal

import msgspec

from talekeeper.agents.companion.asking import (
    again,
    ask,
    betrayals,
    chat_block,
    dashboard_block,
    memories_block,
    own_block,
    stream_block,
)  # fmt: skip
from talekeeper.agents.companion.context import StreamContext, context_hash
from talekeeper.agents.companion.hearth_writer import Source, write
from talekeeper.agents.companion.policy import Decision
from talekeeper.agents.companion.second_reader import SecondReader
from talekeeper.agents.companion.style import faults
from talekeeper.agents.companion.words import stems, stems_of
from talekeeper.agents.prompts import fill
from talekeeper.agents.prompts.blocks import inline
from talekeeper.llm.model import Model


class Observation(msgspec.Struct, frozen=True):
    text: str
    source: Source
    context_hash: str
    by: Literal["model", "rules"]


async def observe(
    context: StreamContext, decision: Decision, model: Model | None = None, reader: SecondReader | None = None
) -> Observation | None:
    """What to say into this silence. Nothing, when there is nothing new to say."""
    known = context_hash(context)
    if model is not None:
        text = await ask(
            model,
            system_text(context),
            lambda wrong: turn_text(context, decision, wrong),
            lambda text: (*faults(text, context.own), *betrayals(text, context)),
            reader,
        )
        if text is not None:
            return Observation(text, source_of(text, context), known, "model")
    written = write(context, decision.reason)
    return Observation(*written, known, "rules") if written else None


def system_text(context: StreamContext) -> str:
    return fill("companion_hearth_system", bot=inline(context.bot), channel=inline(context.channel))


def turn_text(context: StreamContext, decision: Decision, wrong: tuple[str, ...] = ()) -> str:
    return fill(
        "companion_hearth_turn",
        dashboard=dashboard_block(context),
        stream=stream_block(context),
        chat=chat_block(context),
        memories=memories_block(context),
        own=own_block(context),
        why=inline(" ".join(decision.details)),
        again=again(wrong),
    )


def source_of(text: str, context: StreamContext) -> Source:
    """What a model's line leans on, by the words it shares; the first of the sources in their order."""
    said, board = stems(text), context.dashboard
    written = (context.theme, context.title, *((board.raw_markdown, board.content_angle) if board else ()))
    if said & stems_of(written):
        return "dashboard"
    if said & stems_of(line.text for line in context.recent):
        return "discussion"
    return "memory" if said & stems_of(context.memories) else "general"
