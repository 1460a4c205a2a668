"""A book as JSON, every sentence with all its event ids."""

from __future__ import annotations

import json
from typing import Any

from ..valence import Curve
from . import dates
from .model import ArcTold, Book, Chapter, Person, Sentence


def to_json(book: Book) -> str:
    document = {
        "title": book.title,
        "subtitle": book.subtitle,
        "begin": dates.iso(book.begin),
        "end": dates.iso(book.end),
        "previously": [_sentence(one) for one in book.previously],
        "people": [_person(one) for one in book.persons],
        "chapters": [_chapter(one) for one in book.chapters],
        "open": [_sentence(one) for one in book.closing],
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _sentence(sentence: Sentence) -> dict[str, Any]:
    return {"text": sentence.text, "ids": list(sentence.ids)}


def _person(person: Person) -> dict[str, Any]:
    return {"name": person.name, "events": person.events, "fortune": _curve(person.curve), **_sentence(person.sentence)}


def _chapter(chapter: Chapter) -> dict[str, Any]:
    return {
        "title": chapter.title,
        "begin": dates.iso(chapter.begin),
        "end": dates.iso(chapter.end),
        "opening": _sentence(chapter.opening),
        "paragraphs": [[_sentence(one) for one in paragraph] for paragraph in chapter.paragraphs],
        "arcs": [_arc(one) for one in chapter.arcs],
    }


def _arc(arc: ArcTold) -> dict[str, Any]:
    return {
        "arc": arc.name,
        "title": arc.title,
        "agents": list(arc.agents),
        "begin": dates.iso(arc.begin),
        "end": dates.iso(arc.end),
        "fortune": _curve(arc.curve),
        "fingerprint": arc.fingerprint,
        **_sentence(arc.sentence),
    }


def _curve(curve: Curve | None) -> dict[str, Any] | None:
    if curve is None:
        return None
    return {"shape": str(curve.shape), "points": [[dates.iso(at), round(fortune, 3)] for at, fortune in curve.points]}
