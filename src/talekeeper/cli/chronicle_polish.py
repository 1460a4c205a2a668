"""`--polish`: the sentences of a book offered to the chosen model, and how many of its wordings could stand."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from talekeeper.app.models import Models
from talekeeper.chronicle.book.model import Book, Sentence
from talekeeper.chronicle.polish import polish
from talekeeper.cli.console import aside, progress
from talekeeper.cli.opening import settings_now
from talekeeper.errors import NotConfigured
from talekeeper.llm.model import Message, Model, ModelRequest

PolishOption = Annotated[
    bool, typer.Option("--polish", help="Let your model smooth the prose; what the events do not say is refused.")
]


def polished(book: Book) -> Book:
    models = Models(settings_now(), record=lambda _call: None)
    model = models.of("narrator")
    if model is None:
        raise NotConfigured("There is no model to polish with.", "Set LLM_MODEL and its address; see docs/models.md.")
    return asyncio.run(_polished(book, model, models))


async def _polished(book: Book, model: Model, models: Models) -> Book:
    refusals: list[str] = []
    with progress("Polishing") as tell:
        asked = 0

        async def ask(prompt: str) -> str:
            nonlocal asked
            answer = await model.complete(ModelRequest(messages=(Message("user", prompt),), temperature=0.7))
            asked += 1
            tell(asked, 0)
            return answer.text

        def refused(_sentence: Sentence, text: str, _why: list[str]) -> None:
            refusals.append(text)

        try:
            result = await polish(book, ask, refused=refused)
        finally:
            await models.close()
    if refusals:
        aside(f"{len(refusals)} wordings said more than the events do, and were not taken.")
    return result
