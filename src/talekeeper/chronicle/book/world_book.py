"""A played world as a book: a chapter for each scene, what was told and said in it, the arcs, the dramatis personae."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from talekeeper.timeline.vocabulary import (
    ActionTaken,
    ChatSaid,
    Claim,
    DeedDone,
    Event,
    FleetDeed,
    LineSpoken,
    NarrationEdited,
    NarrationTold,
    OutcomeResolved,
    ProposalDecided,
    SceneOpened,
    SessionOpened,
)

from ..sifter import Record, Sifter, Told, arcs
from ..valence import curve
from ..world_records import WorldRecords
from . import dates
from .compose import MOST_PERSONS, arc_told, compose, mark
from .model import Book, Chapter, Mark, Person, Sentence
from .words import names

_MOST_ARCS = 4
_EMPHASIS = re.compile(r"\*([^*\n]+)\*")


def book_of(
    events: Iterable[Event],
    title: str,
    *,
    since: float | None = None,
    period: dates.Period | None = None,
    progress: Callable[[int], None] | None = None,
) -> Book:
    """A fleet's world becomes a chronicle of its work; one that was played, or a stream, a book of scenes.

    With `since` it is a sequel: what came before is told as "previously".
    """
    those = list(events)
    if any(isinstance(event.body, FleetDeed) for event in those):
        return compose(WorldRecords().records(those), title=title, since=since, period=period, progress=progress)
    whole = _Binder(those, title, progress).book()
    return whole if since is None else _sequel(whole, since)


def _sequel(book: Book, since: float) -> Book:
    kept = tuple(chapter for chapter in book.chapters if chapter.end >= since)
    earlier = [chapter for chapter in book.chapters if chapter.end < since]
    before = [
        Sentence(
            f"Before that came {names([one.title for one in earlier], 6)}.",
            tuple(one.opening.ids[0] for one in earlier),
        )
    ]
    before += [arc.sentence for chapter in earlier for arc in chapter.arcs][-_MOST_ARCS:]
    return replace(
        book, chapters=kept, begin=kept[0].begin if kept else since, previously=tuple(before) if earlier else (),
        marks=tuple(one for one in book.marks if one.at >= (kept[0].begin if kept else since)),
        subtitle=book.subtitle if kept else "Nothing has happened.",
    )  # fmt: skip


class _Binder:
    def __init__(self, events: Sequence[Event], title: str, progress: Callable[[int], None] | None) -> None:
        self._events = events
        self._title = title
        self._progress = progress
        self._records = WorldRecords()
        self._edited = {e.body.event: e for e in events if isinstance(e.body, NarrationEdited)}
        self._facts: dict[str, dict[str, str]] = {}
        self._seen: dict[str, list[str]] = {}
        self._moments: list[Mark] = []

    def book(self) -> Book:
        sifter = Sifter((*arcs("played"), *arcs("stream")))
        scenes: list[tuple[Event, list[Event]]] = []
        found: dict[int, list[Told]] = {}
        records: list[Record] = []
        for number, event in enumerate(self._events, 1):
            self._learn(event)
            if isinstance(event.body, SceneOpened | SessionOpened) or not scenes:
                scenes.append((event, []))
            scenes[-1][1].append(event)
            for record in self._records.of(event):
                records.append(record)
                done = [change.told for change in sifter.push(record) if change.told is not None]
                found.setdefault(len(scenes) - 1, []).extend(done)
            if self._progress is not None and number % 1000 == 0:
                self._progress(number)
        chapters = [
            chapter
            for index, (opened, inside) in enumerate(scenes)
            if (
                chapter := self._chapter(
                    len(scenes), opened, inside, sifter.rank(_MOST_ARCS, among=found.get(index, ()))
                )
            )
        ]
        begin = self._events[0].at if self._events else 0.0
        end = max((event.at for event in self._events), default=0.0)
        persons = self._persons(records)
        company = names([person.name for person in persons], 4)
        scenes_told = f"{len(chapters)} scene{'s' * (len(chapters) != 1)}"
        return Book(
            title=self._title,
            subtitle=f"{scenes_told} with {company}, {dates.span(begin, end)}"
            if chapters
            else "Nothing has been told yet.",
            begin=begin,
            end=end,
            chapters=tuple(chapters),
            persons=tuple(persons),
            marks=tuple(sorted([*self._moments, *map(mark, records)], key=lambda one: one.at)),
        )

    def _learn(self, event: Event) -> None:
        body = event.body
        claims: tuple[Claim, ...] = ()
        if isinstance(body, ProposalDecided) and body.decision == "accepted":
            claims = body.claims
        elif isinstance(body, OutcomeResolved):
            claims = body.consequences
        for claim in claims:
            if claim.pred in ("name", "role", "about") and not claim.retract:
                self._facts.setdefault(claim.subj, {})[claim.pred] = str(claim.obj)
        for who in _present(body):
            self._seen.setdefault(who, []).append(event.id)
            self._moments.append(Mark(event.id, event.at, body.kind, self._name(who), ""))

    def _chapter(self, of: int, opened: Event, events: Sequence[Event], told: Sequence[Told]) -> Chapter | None:
        paragraphs = [paragraph for event in events for paragraph in self._paragraphs(event)]
        if not paragraphs:
            return None
        title = ""
        people: tuple[str, ...] = ()
        if isinstance(opened.body, SceneOpened):
            title, people = opened.body.title or self._name(opened.body.place), opened.body.participants
        elif isinstance(opened.body, SessionOpened):
            title = opened.body.name or dates.day(opened.at)
        present = [self._name(who) for who in people if who.startswith("person/")]
        words = f"With {names(present, 5)}." if present else f"{dates.day(opened.at)}, {dates.clock(opened.at)}."
        return Chapter(
            title=title or ("The beginning" if of == 1 else dates.day(opened.at)),
            begin=events[0].at,
            end=events[-1].at,
            opening=Sentence(words, (opened.id,)),
            paragraphs=tuple(paragraphs),
            arcs=tuple(arc_told(one) for one in told),
        )

    def _paragraphs(self, event: Event) -> list[tuple[Sentence, ...]]:
        body = event.body
        ids: tuple[str, ...] = (event.id,)
        if isinstance(body, NarrationTold):
            text, edit = body.text, self._edited.get(event.id)
            if edit is not None and isinstance(edit.body, NarrationEdited):
                text, ids = edit.body.text, (event.id, edit.id)
            blocks = [_EMPHASIS.sub(r"\1", block.strip()) for block in text.split("\n\n")]
            return [(Sentence(" ".join(block.split()), ids),) for block in blocks if block]
        if isinstance(body, ActionTaken):
            return (
                [(Sentence(f"— {self._name(body.actor)}: {' '.join(body.text.split())}", ids),)]
                if body.text.strip()
                else []
            )
        if isinstance(body, LineSpoken):
            return [(Sentence(f"“{' '.join(body.text.split())}”, said {self._name(body.speaker)}.", ids),)]
        if isinstance(body, DeedDone):
            name, text = self._name(body.actor), " ".join(body.text.split())
            named = text.startswith((*name.split()[:1], "You ", "They "))
            return [(Sentence(text if named else f"{name}: {text}", ids),)]
        if isinstance(body, ChatSaid) and body.text.strip():
            return [(Sentence(f"{body.name}: {' '.join(body.text.split())}", ids),)]
        return []

    def _name(self, entity: str) -> str:
        return self._facts.get(entity, {}).get("name") or self._records.name(entity)

    def _persons(self, records: Sequence[Record]) -> list[Person]:
        """Whoever spoke, acted or stood in a scene, the most present first."""
        by_name: dict[str, list[Record]] = {}
        for record in records:
            by_name.setdefault(str(record.get("person") or ""), []).append(record)
        found = []
        for who, ids in sorted(self._seen.items(), key=lambda item: (-len(item[1]), item[0]))[:MOST_PERSONS]:
            name, facts = self._name(who), self._facts.get(who, {})
            role = f", {facts['role']}" if facts.get("role") else ""
            text = f"{name}{role}; in {len(ids)} moment{'s' * (len(ids) != 1)} of this tale."
            found.append(
                Person(name, Sentence(text, tuple(ids)), len(ids), curve(by_name.get(name, [])), facts.get("about", ""))
            )
        return found


def _present(body: object) -> tuple[str, ...]:
    if isinstance(body, SceneOpened):
        return tuple(who for who in body.participants if who.startswith("person/"))
    if isinstance(body, LineSpoken):
        return (body.speaker,)
    if isinstance(body, ActionTaken | DeedDone):
        return (body.actor,)
    return (body.name,) if isinstance(body, ChatSaid) else ()
