"""A model may polish the prose; names, numbers and claims that are not in the events are refused."""

from __future__ import annotations

import pytest

from talekeeper.chronicle.book.model import Book, Chapter, Sentence
from talekeeper.chronicle.polish import polish, polish_sentences
from talekeeper.chronicle.polish_check import objections

SAID = "odo was stuck on #4 (“no oil”) until mara came to the rescue with 2 lamps: “more oil”."


@pytest.mark.parametrize(
    "polished",
    [
        SAID,
        "odo had been stuck on #4 (“no oil”) until mara came to his rescue with two lamps: “more oil”.",
        "Stuck it was for odo on #4 (“no oil”), until mara came."[10:],
        "odo was stuck on #4 (“no oil”); then mara came, rescuing with 2 lamps.",
    ],
)
def test_what_says_the_same_may_stand(polished: str):
    assert objections(SAID, polished) == []


@pytest.mark.parametrize(
    ("polished", "reason"),
    [
        ("odo was stuck on #4 until Zoe came to the rescue.", "the name 'Zoe'"),
        ("odo was stuck on #5 until mara came.", "the number #5"),
        ("odo was stuck three times on #4.", "the number three"),
        ("odo was furious, stuck on #4.", "the claim 'furious'"),
        ("odo was stuck on #4 because mara came.", "the claim 'because'"),
        ("odo was never stuck on #4.", "denies"),
        ("odo was stuck on #4 (“all is lost”).", "the quotation “all is lost”"),
        ("mara was stuck on #4 until odo came to the rescue.", "who did what"),
        ("odo came to the rescue of mara, who was stuck on #4.", "who did what"),
        ("", "nothing is left"),
        ("odo " * 200, "too long"),
        ("odo was the first to be stuck on #4.", "the claim 'first'"),
    ],
)
def test_what_the_events_do_not_say_is_refused(polished: str, reason: str):
    assert any(reason in one for one in objections(SAID, polished))


def test_the_events_own_words_may_be_used():
    assert objections("mara wrote “x”.", "mara wrote “x” for the lighthouse.")
    assert objections("mara wrote “x”.", "mara wrote “x” for the lighthouse.", also="x: mend the lighthouse") == []


async def test_each_sentence_is_taken_or_left_by_itself():
    sentences = [Sentence("mara made 3 commits.", ("e1",)), Sentence("odo made 2 commits.", ("e2",))]
    asked: list[str] = []

    async def model(prompt: str) -> str:
        asked.append(prompt)
        return "Here you are:\n[1] Three commits were made, and by mara 3.\n[2] odo made two commits.\n[9] zoe slept.\n"

    refusals: list[str] = []
    result = await polish_sentences(sentences, model, {}, lambda one, text, why: refusals.append(one.ids[0]))
    assert "[1] mara made 3 commits." in asked[0]
    assert [one.text for one in result] == ["mara made 3 commits.", "odo made two commits."]
    assert [one.ids for one in result] == [("e1",), ("e2",)]
    assert refusals == ["e1"]


async def test_a_whole_book_keeps_its_ids_whatever_the_model_says():
    chapter = Chapter(
        "One", 1.0, 2.0, Sentence("mara left 1 commit.", ("e1",)), ((Sentence("mara set down “x”.", ("e1",)),),)
    )
    book = Book("B", "", 1.0, 2.0, (chapter,))

    async def silent(_: str) -> str:
        return "I would rather not."

    assert await polish(book, silent) == book
