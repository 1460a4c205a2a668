"""A book as an Obsidian vault: a note for each chapter, person and arc, linked to one another."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from ..escape import escape_markdown
from . import dates, svg
from .markdown import said
from .model import ArcTold, Book, Chapter, Person
from .palette import LIGHT

_UNSAFE = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f\ud800-\udfff]+')


def write_vault(book: Book, folder: Path) -> list[Path]:
    """Writes into `folder`, replacing notes of the same names; gives the files written."""
    people = {person.name: f"People/{_file(person.name)}" for person in book.persons}
    arcs = {
        arc.fingerprint: f"Arcs/{_file(f'{dates.iso_day(arc.end)} {arc.title} {arc.fingerprint}')}" for arc in book.arcs
    }
    chapters = {chapter.title: f"Chapters/{_file(chapter.title)}" for chapter in book.chapters}
    notes = {f"{_file(book.title)}.md": _index(book, chapters, people)}
    for chapter in book.chapters:
        notes[f"{chapters[chapter.title]}.md"] = _chapter(chapter, arcs, people)
        for arc in chapter.arcs:
            notes[f"{arcs[arc.fingerprint]}.md"] = _arc(arc, chapters[chapter.title], arcs[arc.fingerprint], people)
            notes[f"{arcs[arc.fingerprint]}.svg"] = svg.standalone(svg.arc_picture(arc, LIGHT))
    for person in book.persons:
        theirs = [arc for arc in book.arcs if person.name in arc.agents]
        notes[f"{people[person.name]}.md"] = _person(person, theirs, arcs)
    written = []
    for name, content in notes.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8", errors="replace")
        written.append(path)
    return written


def _index(book: Book, chapters: dict[str, str], people: dict[str, str]) -> str:
    lines = [
        "---",
        "tags: [chronicle]",
        f"from: {dates.iso_day(book.begin)}",
        f"to: {dates.iso_day(book.end)}",
        "---",
        "",
    ]
    lines += [f"# {escape_markdown(book.title)}", "", escape_markdown(book.subtitle), ""]
    lines += [said(one) for one in book.previously] + [""] * bool(book.previously)
    lines += ["## Chapters", "", *(f"- {_link(target, title)}" for title, target in chapters.items()), ""]
    lines += ["## People", "", *(f"- {_link(target, name)}" for name, target in people.items()), ""]
    return "\n".join([*lines, *(said(one) for one in book.closing)]).rstrip() + "\n"


def _chapter(chapter: Chapter, arcs: dict[str, str], people: dict[str, str]) -> str:
    inside = {agent for arc in chapter.arcs for agent in arc.agents}
    lines = [
        "---",
        "tags: [chronicle/chapter]",
        f"from: {dates.iso_day(chapter.begin)}",
        f"to: {dates.iso_day(chapter.end)}",
        "---",
        "",
    ]
    lines += [f"# {escape_markdown(chapter.title)}", "", said(chapter.opening), ""]
    lines += [f"> {_link(arcs[arc.fingerprint], arc.title)} {said(arc.sentence)}\n" for arc in chapter.arcs]
    for paragraph in chapter.paragraphs:
        text = " ".join(map(said, paragraph))
        name = next((name for name in people if escape_markdown(name) in text), "")
        if name:
            inside.add(name)
            text = text.replace(escape_markdown(name), _link(people[name], name), 1)
        lines += [text, ""]
    return "\n".join(lines).rstrip() + "\n"


def _arc(arc: ArcTold, chapter: str, own: str, people: dict[str, str]) -> str:
    who = ", ".join(_link(people[agent], agent) if agent in people else escape_markdown(agent) for agent in arc.agents)
    lines = ["---", f"tags: [chronicle/arc, chronicle/arc/{arc.name}]", f"date: {dates.iso_day(arc.end)}", "---", ""]
    lines += [
        f"# {escape_markdown(arc.title)}",
        "",
        said(arc.sentence),
        "",
        f"![[{own}.svg]]",
        "",
        f"With {who}, in [[{chapter}]].",
        "",
    ]
    lines += [
        f"- {dates.iso_day(one.at)} {dates.clock(one.at)} {escape_markdown(f'{one.agent}, {one.kind}: {one.text}')}"
        for one in arc.marks
    ]
    return "\n".join(lines) + "\n"


def _person(person: Person, theirs: list[ArcTold], arcs: dict[str, str]) -> str:
    lines = [
        "---",
        "tags: [chronicle/person]",
        f"events: {person.events}",
        "---",
        "",
        f"# {escape_markdown(person.name)}",
        "",
    ]
    lines += [said(person.sentence), escape_markdown(person.about), ""]
    lines += [f"- {_link(arcs[arc.fingerprint], arc.title)} {dates.day(arc.end)}" for arc in theirs]
    return "\n".join(lines).rstrip() + "\n"


def _mark(arc: ArcTold) -> str:
    return hashlib.sha256(arc.fingerprint.encode(errors="replace")).hexdigest()[:8]


def _link(target: str, shown: str) -> str:
    return f"[[{target}|{_UNSAFE.sub(' ', shown).strip()}]]"


def _file(name: str) -> str:
    """A name every file system takes."""
    return (_UNSAFE.sub(" ", name).strip(" .")[:90].strip(" .") or "unnamed").replace("  ", " ")
