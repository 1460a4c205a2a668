"""Answers to a player's questions: recap, why, canon, memories, timelines, proposals, help."""

from __future__ import annotations

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text
from sqlalchemy import Connection

from talekeeper.agents.context import Manifest
from talekeeper.canon.pages import page, resolve_name
from talekeeper.canon.proposals import proposals
from talekeeper.canon.view import CanonView
from talekeeper.cli.engine_thread import EngineThread
from talekeeper.errors import BadInput
from talekeeper.loops.command_line import HELP, Ask
from talekeeper.memory.recall import recall
from talekeeper.memory.recaps import recaps
from talekeeper.timeline.ids import entity_kind
from talekeeper.timeline.lineage import Path, list_timelines, path
from talekeeper.timeline.turns import last_turn
from talekeeper.timeline.worlds import World, get_world

FAINT = "#a09073"


class Answers:
    def __init__(self, thread: EngineThread, console: Console) -> None:
        self._thread = thread
        self._console = console

    def answer(self, world: str, ask: Ask) -> None:
        store = self._thread.engine.store
        if ask.what == "help":
            self._table([(command, about) for command, about in HELP])
            return
        if ask.what == "recap":
            self._thread.run(self._thread.engine.effects.drain())
        lines = store.read_now(lambda conn: self._look(conn, get_world(conn, world), ask))
        if lines:
            self._table(lines)
        else:
            self._console.print(Text(f"\n  {_EMPTY[ask.what]}", style=FAINT))

    def _look(self, conn: Connection, world: World, ask: Ask) -> list[tuple[str, str]]:
        past = path(conn, world.slug, world.active)
        match ask.what:
            case "recap":
                return [("", recap.text) for recap in recaps(conn, past, limit=20)]
            case "why":
                return _why(conn, past)
            case "canon":
                return _canon(conn, past, ask.about)
            case "memories":
                return _memories(conn, past, ask.about)
            case "timelines":
                return _timelines(conn, world)
            case "proposals":
                return _proposals(conn, past)
        return []

    def _table(self, rows: list[tuple[str, str]]) -> None:
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
        table.add_column(style="bold" if any(left for left, _ in rows) else "", no_wrap=True)
        table.add_column()
        for left, right in rows:
            table.add_row(Text(left), Text(right))
        self._console.print()
        self._console.print(table)


_EMPTY = {
    "recap": "Nothing has happened yet.",
    "why": "No turn has been told yet.",
    "canon": "Canon is empty.",
    "memories": "Nothing comes to mind.",
    "timelines": "There is one timeline.",
    "proposals": "No claim waits for a decision.",
}


def _why(conn: Connection, past: Path) -> list[tuple[str, str]]:
    turn = last_turn(conn, past)
    if turn is None or turn.manifest is None:
        return []
    manifest = msgspec.json.decode(turn.manifest, type=Manifest)
    rows = [("turn", f"{turn.id}: {manifest.used} of {manifest.budget} tokens, read at event {manifest.base_seq}")]
    for item in manifest.items:
        score = f"  score {item.score} {item.parts}" if item.score is not None else ""
        mark = "" if item.included else "left out, "
        rows.append((item.section, f"{_short(item.text)}\n[{item.ref}] {mark}{item.why}; {item.tokens} tokens{score}"))
    return rows


def _canon(conn: Connection, past: Path, about: str) -> list[tuple[str, str]]:
    view = CanonView(conn, past)
    if not about:
        return [(entity_kind(e), f"{view.name(e)}  ({e})") for e in view.entities()]
    shown = page(conn, past, about)
    rows = [("", f"{shown.name}  ({shown.id})")]
    rows += [(line.pred, f"{line.says}  [{line.since}]") for line in (*shown.facts, *shown.relations)]
    return rows + [("here", view.name(e)) for e in shown.held]


def _memories(conn: Connection, past: Path, about: str) -> list[tuple[str, str]]:
    if not about:
        raise BadInput("Whose memories?", "For example: /memories followed by a name, and perhaps `about` and a word.")
    who, _, cue = about.partition(" about ")
    view = CanonView(conn, past)
    person = resolve_name(view, who)
    found = recall(conn, past, person, cue or " ".join([view.name(person), view.name(_player(conn, past))]), limit=10)
    return [(m.event, f"{view.name(m.speaker)}: {_short(m.text)}" if m.speaker else _short(m.text)) for m in found]


def _player(conn: Connection, past: Path) -> str:
    return get_world(conn, past.world).player


def _timelines(conn: Connection, world: World) -> list[tuple[str, str]]:
    rows = []
    for line in list_timelines(conn, world.slug):
        last = last_turn(conn, path(conn, world.slug, line.id))
        origin = f"from {line.parent} at event {line.fork_seq}, {line.reason}" if line.parent else "the first"
        here = "  ← you are here" if line.id == world.active else ""
        rows.append(
            (line.id, f"{line.name + ': ' if line.name else ''}{origin}; turn {last.number if last else 0}{here}")
        )
    return rows


def _proposals(conn: Connection, past: Path) -> list[tuple[str, str]]:
    view = CanonView(conn, past)
    return [
        (
            p.id,
            f"{p.status}: "
            + "; ".join(f"{view.name(c.subj)} {c.pred} {c.obj}" for c in p.claims)
            + f" ({p.reason or p.why})",
        )
        for p in proposals(conn, past)
        if p.open
    ]


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 160 else flat[:159] + "…"
