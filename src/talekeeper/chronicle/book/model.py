"""A chronicle before it is a file: chapters, arcs, people, and sentences that know their events. Text is plain."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ..valence import Curve


class Sentence(NamedTuple):
    text: str
    ids: tuple[str, ...]


class Mark(NamedTuple):
    """One event as the pictures see it."""

    id: str
    at: float
    kind: str
    agent: str
    text: str


@dataclass(frozen=True, slots=True)
class ArcTold:
    name: str
    title: str
    sentence: Sentence
    marks: tuple[Mark, ...]
    agents: tuple[str, ...]
    curve: Curve | None
    fingerprint: str
    score: float = 0.0

    @property
    def begin(self) -> float:
        return self.marks[0].at

    @property
    def end(self) -> float:
        return self.marks[-1].at


@dataclass(frozen=True, slots=True)
class Chapter:
    title: str
    begin: float
    end: float
    opening: Sentence
    paragraphs: tuple[tuple[Sentence, ...], ...]
    arcs: tuple[ArcTold, ...] = ()


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    sentence: Sentence
    events: int
    curve: Curve | None = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class Book:
    title: str
    subtitle: str
    begin: float
    end: float
    chapters: tuple[Chapter, ...]
    persons: tuple[Person, ...] = ()
    previously: tuple[Sentence, ...] = ()
    closing: tuple[Sentence, ...] = ()
    marks: tuple[Mark, ...] = field(default=(), repr=False)
    lanes_of: str = "people"
    """What a lane of the picture stands for."""

    @property
    def arcs(self) -> list[ArcTold]:
        return [arc for chapter in self.chapters for arc in chapter.arcs]

    @property
    def sentences(self) -> list[Sentence]:
        inside = [
            sentence
            for chapter in self.chapters
            for sentence in (
                chapter.opening,
                *(one for paragraph in chapter.paragraphs for one in paragraph),
                *(arc.sentence for arc in chapter.arcs),
            )
        ]
        return [*self.previously, *(person.sentence for person in self.persons), *inside, *self.closing]
