"""Better prose from a model, sentence by sentence; whatever the events do not say is refused and the original stays."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from .book.model import Book, Chapter, Sentence
from .polish_check import objections

Model = Callable[[str], Awaitable[str]]
"""A prompt in, text out."""

Refused = Callable[[Sentence, str, list[str]], None]
"""Told of each refusal: the sentence, what the model made of it, and why that cannot stand."""

_LINE = re.compile(r"^\s*\[(\d+)\]\s*(.+?)\s*$", re.MULTILINE)
_PROMPT = """You polish the prose of a chronicle. Below are numbered sentences. Return every one of them on a line of its own,
with its number in square brackets, in the same order.
Make them flow: vary rhythm, join clauses, drop what repeats. Keep the order of people and events in each sentence.
Add no name, number, quotation, cause, feeling or event that is not in the sentence. Leave quotations as they are.

{sentences}
"""


async def polish(
    book: Book, model: Model, *, words: Mapping[str, str] | None = None, refused: Refused | None = None
) -> Book:
    """`words` are the events' own words by id; a sentence may use those of its events."""
    chapters = [await _chapter(chapter, model, words or {}, refused) for chapter in book.chapters]
    return replace(book, chapters=tuple(chapters))


async def _chapter(chapter: Chapter, model: Model, words: Mapping[str, str], refused: Refused | None) -> Chapter:
    paragraphs = [tuple(await polish_sentences(paragraph, model, words, refused)) for paragraph in chapter.paragraphs]
    (opening,) = await polish_sentences([chapter.opening], model, words, refused)
    return replace(chapter, opening=opening, paragraphs=tuple(paragraphs))


async def polish_sentences(
    sentences: Sequence[Sentence], model: Model, words: Mapping[str, str], refused: Refused | None = None
) -> list[Sentence]:
    numbered = "\n".join(f"[{number}] {sentence.text}" for number, sentence in enumerate(sentences, 1))
    answer = await model(_PROMPT.format(sentences=numbered))
    offered = {int(number): text for number, text in _LINE.findall(answer) if len(number) < 6}
    result = []
    for number, sentence in enumerate(sentences, 1):
        text = offered.get(number, "")
        reasons = objections(sentence.text, text, " ".join(words.get(one, "") for one in sentence.ids))
        if reasons and text and refused is not None:
            refused(sentence, text, reasons)
        result.append(sentence if reasons else Sentence(text, sentence.ids))
    return result
