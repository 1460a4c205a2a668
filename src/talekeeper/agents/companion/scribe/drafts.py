"""Drafts of articles from a seed: by a model where there is one, else the thread itself in order, for the streamer to edit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from talekeeper.agents.companion.asking import unwrapped
from talekeeper.agents.companion.context import BOT
from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.scribe.seeds import BlogSeed
from talekeeper.agents.companion.style import broken, clean
from talekeeper.agents.guard import suspicions
from talekeeper.agents.prompts import fill
from talekeeper.agents.prompts.blocks import block, inline
from talekeeper.errors import TalekeeperError
from talekeeper.llm.model import Message, Model, ModelRequest

LONGEST = 8_000
_HYPE = frozenset({"follow", "selling", "begging", "enthusiasm", "human", "viewer", "attachment", "link"})
_QUOTE = re.compile(r"[\"“]([^\"”]{12,})[\"”]")
_MARK = re.compile(r"([\\`*_{}\[\]<>#|~])")


async def draft(
    seed: BlogSeed, lines: Sequence[ChatLine], model: Model | None = None, *, channel: str = "", bot: str = BOT
) -> str:
    """Markdown. Whatever a model makes of it, nobody is quoted with words they did not write."""
    thread = [line for line in lines if line.id in set(seed.line_ids) and not suspicions(line.text)]
    if model is not None:
        prompt = prompt_text(seed, thread, channel=channel, bot=bot)
        try:
            text = (
                await model.complete(ModelRequest(messages=(Message("user", prompt),), max_tokens=1_200))
            ).text.strip()
        except TalekeeperError:
            text = ""
        if text and not _amiss(text, thread):
            return text + "\n"
    return plain_draft(seed, thread)


def plain_draft(seed: BlogSeed, thread: Sequence[ChatLine]) -> str:
    title = seed.topic[:1].upper() + seed.topic[1:]
    said = "\n\n".join(f"**{_escaped(line.speaker)}:** {_escaped(clean(line.text))}" for line in thread)
    return (
        f"# {_escaped(title)}\n\n*Notes for an article, from the chat of one stream.*\n\n{_escaped(seed.description)}\n\n"
        f"## In their own words\n\n{said or '*The lines are gone.*'}\n\n"
        "## To be written\n\nWhat was at stake in it, what was left open, and what you would add now.\n"
    )


def prompt_text(seed: BlogSeed, thread: Sequence[ChatLine], *, channel: str, bot: str) -> str:
    return fill(
        "companion_draft",
        bot=inline(bot),
        channel=inline(channel),
        seed=block("seed", f"{seed.topic}: {seed.description}"),
        lines=block("lines", *(f"{line.speaker}: {clean(line.text)[:500]}" for line in thread)),
    )


def _amiss(text: str, thread: Sequence[ChatLine]) -> bool:
    if len(text) > LONGEST or any(rule.name in _HYPE for rule in broken(text, limit=LONGEST, sentences=1_000)):
        return True
    said = " ".join(_flat(line.text) for line in thread)
    return any(_flat(quote) not in said for quote in _QUOTE.findall(unwrapped(text)))


def _flat(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _escaped(text: str) -> str:
    return _MARK.sub(r"\\\1", text)
