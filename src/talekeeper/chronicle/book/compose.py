"""From records to a book: sift them, cut them into chapters, choose what is worth telling, and say what is still open."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ..sifter import Pattern, Record, Sifter, Told, arcs
from ..sifter.template import quoted
from ..valence import curve
from . import dates
from .model import ArcTold, Book, Chapter, Mark, Person, Sentence
from .open_ends import open_ends
from .prose import Prose, counted
from .words import names, task_name

MOST_ARCS = 3
MOST_PERSONS = 24
_AGENT = "agent"


def compose(
    records: Iterable[Record],
    *,
    title: str,
    period: dates.Period | None = None,
    since: float | None = None,
    patterns: Sequence[Pattern] | None = None,
    told: Iterable[str] = (),
    progress: Callable[[int], None] | None = None,
) -> Book:
    """`since` makes a sequel: what came before is "previously". `told` are fingerprints of arcs to leave out."""
    sifter = Sifter(arcs("fleet") if patterns is None else patterns, told=told)
    everything: list[Record] = []
    found: list[Told] = []
    for number, record in enumerate(records, 1):
        everything.append(record)
        found += [change.told for change in sifter.push(record) if change.told is not None]
        if progress is not None and number % 1000 == 0:
            progress(number)
    shown = everything if since is None else [record for record in everything if record.at >= since]
    before = [] if since is None else [record for record in everything if record.at < since]
    if not shown:
        begin = end = since if since is not None else (everything[-1].at if everything else 0.0)
        return Book(
            title, "Nothing has happened.", begin, end, (), previously=_previously(before, found, sifter, begin)
        )
    begin, end = shown[0].at, max(record.at for record in shown)
    length = period or dates.fitting(begin, end)
    prose = Prose()
    new = [one for one in found if one.end >= begin]
    chapters = [_chapter(start, length, inside, new, sifter, prose) for start, inside in _cut(shown, length)]
    people = _people(shown)
    return Book(
        title=title,
        subtitle=f"{dates.span(begin, end)}: {counted(shown)} by {names(list(people), 3)}",
        begin=begin,
        end=end,
        chapters=tuple(chapters),
        persons=tuple(_person(name, theirs) for name, theirs in list(people.items())[:MOST_PERSONS]),
        previously=_previously(before, found, sifter, begin),
        closing=tuple(open_ends(sifter, end)),
        marks=tuple(map(_mark_of_topic if len(people) == 1 else mark, shown)),
        lanes_of="topics" if len(people) == 1 else "people",
    )


def mark(record: Record) -> Mark:
    return Mark(
        record.id, record.happened, record.kind, str(record.get(_AGENT) or ""), str(record.fields.get("detail") or "")
    )


def _mark_of_topic(record: Record) -> Mark:
    """Where everything is one person's work, the lanes are what it was about."""
    return mark(record)._replace(agent=task_name(record) or "the rest")


def arc_told(told: Told) -> ArcTold:
    return ArcTold(
        told.name, told.pattern.title, Sentence(told.sentence(), told.ids), tuple(map(mark, told.records)),
        tuple(told.agents), curve(told.records), told.fingerprint, told.score,
    )  # fmt: skip


def _cut(records: Sequence[Record], period: dates.Period) -> list[tuple[float, list[Record]]]:
    chapters: dict[float, list[Record]] = {}
    for record in records:
        chapters.setdefault(dates.start_of(record.at, period), []).append(record)
    return sorted(chapters.items())


def _chapter(
    start: float, period: dates.Period, records: list[Record], found: list[Told], sifter: Sifter, prose: Prose
) -> Chapter:
    last = max(record.at for record in records)
    inside = [told for told in found if dates.start_of(told.end, period) == start]
    people = list(_people(records))
    days = len({record.at // dates.DAY for record in records})
    when = f"On {days} days" if days > 1 else f"Between {dates.clock(records[0].at)} and {dates.clock(last)}"
    when = f"At {dates.clock(last)}" if dates.clock(records[0].at) == dates.clock(last) and days == 1 else when
    opening = Sentence(f"{when} {names(people)} left {counted(records)}.", tuple(record.id for record in records))
    return Chapter(
        title=dates.name_of(start, period),
        begin=records[0].at,
        end=last,
        opening=opening,
        paragraphs=tuple(prose.paragraphs(records)),
        arcs=tuple(arc_told(told) for told in sifter.rank(MOST_ARCS, among=inside)),
    )


def _people(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Everyone with their events, the busiest first."""
    people: dict[str, list[Record]] = {}
    for record in records:
        agent = record.get(_AGENT)
        if agent:
            people.setdefault(str(agent), []).append(record)
    return dict(sorted(people.items(), key=lambda item: (-len(item[1]), item[0])))


def _person(name: str, records: list[Record]) -> Person:
    line = curve(records)
    when = dates.span(records[0].at, records[-1].at)
    mixed = line is not None and line.turns
    shape = f" Their fortune: {line.shape}." if line is not None and mixed else ""
    text = f"{name}: {counted(records)}, {when}; last seen with {quoted(records[-1])}.{shape}"
    return Person(name, Sentence(text, tuple(record.id for record in records)), len(records), line)


def _previously(before: list[Record], found: list[Told], sifter: Sifter, begin: float) -> tuple[Sentence, ...]:
    if not before:
        return ()
    earlier = sifter.rank(MOST_ARCS, among=[told for told in found if told.end < begin])
    opening = f"Until {dates.day(begin)} there had been {counted(before)} by {names(list(_people(before)), 3)}."
    return (
        Sentence(opening, tuple(record.id for record in before)),
        *(Sentence(told.sentence(), told.ids) for told in earlier),
    )
