"""What is still open when the book ends: troubles not over, work laid down, requests waiting."""

from __future__ import annotations

from collections.abc import Iterator

from ..sifter import Record, Sifter
from ..sifter.template import quoted
from . import dates
from .model import Sentence
from .words import task_name

MOST = 5

_WORDS = {
    "error": "Still open: {agent} is in trouble with {task} since {day} ({detail}).",
    "abandon": "Still open: {task} lies where {agent} left it on {day} ({detail}).",
    "dispatch": "Still open: {task} is with {agent} since {day} ({detail}).",
    "pr_open": "Still open: {agent} waits since {day} for {task} to be merged ({detail}).",
}
_URGENCY = {"error": 5, "abandon": 4, "pr_open": 3, "dispatch": 2}


def open_ends(sifter: Sifter, now: float) -> Iterator[Sentence]:
    """The most urgent first, each task once."""
    threads: dict[str, tuple[Record, tuple[str, ...]]] = {}
    for one in sifter.open():
        last = one.records[-1]
        name = str(last.get("task") or one.key)
        if last.kind in _WORDS and (name not in threads or last.at > threads[name][0].at):
            threads[name] = (last, tuple(record.id for record in one.records if record.get("task") == last.get("task")))
    ranked = sorted(threads.values(), key=lambda thread: (-_URGENCY[thread[0].kind], -thread[0].at))
    for record, ids in ranked[:MOST]:
        yield Sentence(
            _WORDS[record.kind].format(
                agent=record.get("agent"),
                task=task_name(record) or "the work",
                day=dates.day(record.at, year=dates.moment(record.at).year != dates.moment(now).year),
                detail=quoted(record),
            ),
            ids,
        )
