"""Answers to a player's questions: recap, why, canon, memories, timelines, proposals, help. Rows of two columns, for any client."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from talekeeper.agents.context import Manifest
from talekeeper.canon.pages import page, resolve_name
from talekeeper.canon.predicates import PREDICATES
from talekeeper.canon.proposals import open_proposals
from talekeeper.canon.view import CanonView
from talekeeper.errors import BadInput
from talekeeper.loops.command_line import HELP, Ask
from talekeeper.memory.recall import recall
from talekeeper.memory.recaps import recaps
from talekeeper.timeline.ids import entity_kind
from talekeeper.timeline.lineage import Path, list_timelines, path
from talekeeper.timeline.turns import last_turn
from talekeeper.timeline.worlds import World

Rows = list[tuple[str, str]]

NOTHING = {
    "recap": "Nothing has happened yet.",
    "why": "No turn has been told yet.",
    "canon": "Canon is empty.",
    "memories": "Nothing comes to mind.",
    "timelines": "There is one timeline.",
    "proposals": "No claim waits for a decision.",
}
"""What to say where there is no row."""


def answer(conn: Connection, world: World, ask: Ask, *, mind: str | None = None) -> Rows:
    """`mind` is the one character whose own thoughts may be shown; without it, everybody's are."""
    past = path(conn, world.slug, world.active)
    match ask.what:
        case "help":
            return list(HELP)
        case "recap":
            return [("", recap.text) for recap in recaps(conn, past, limit=20)]
        case "why":
            return _why(conn, past)
        case "canon":
            return _canon(conn, past, ask.about, mind)
        case "memories":
            return _memories(conn, world, past, ask.about)
        case "timelines":
            return _timelines(conn, world)
        case "proposals":
            return _proposals(conn, past)
    return []


def whose_memories(conn: Connection, past: Path, about: str) -> str:
    """The character a question after memories is about."""
    if not about:
        raise BadInput("Whose memories?", "For example: /memories followed by a name, and perhaps `about` and a word.")
    return resolve_name(CanonView(conn, past), about.partition(" about ")[0])


def _why(conn: Connection, past: Path) -> Rows:
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


def _canon(conn: Connection, past: Path, about: str, mind: str | None) -> Rows:
    view = CanonView(conn, past)
    if not about:
        return [(entity_kind(e), f"{view.name(e)}  ({e})") for e in view.entities()]
    shown = page(conn, past, about)
    rows = [("", f"{shown.name}  ({shown.id})")]
    own = mind is None or mind == shown.id
    lines = [line for line in (*shown.facts, *shown.relations) if own or PREDICATES[line.pred].sight == "open"]
    rows += [(line.pred, f"{line.says}  [{line.since}]") for line in lines]
    return rows + [("here", view.name(e)) for e in shown.held]


def _memories(conn: Connection, world: World, past: Path, about: str) -> Rows:
    view = CanonView(conn, past)
    person = whose_memories(conn, past, about)
    cue = about.partition(" about ")[2] or f"{view.name(person)} {view.name(world.player)}"
    found = recall(conn, past, person, cue, limit=10)
    return [(m.event, f"{view.name(m.speaker)}: {_short(m.text)}" if m.speaker else _short(m.text)) for m in found]


def _timelines(conn: Connection, world: World) -> Rows:
    rows = []
    for line in list_timelines(conn, world.slug):
        last = last_turn(conn, path(conn, world.slug, line.id))
        origin = f"from {line.parent} at event {line.fork_seq}, {line.reason}" if line.parent else "the first"
        here = "  ← you are here" if line.id == world.active else ""
        rows.append(
            (line.id, f"{line.name + ': ' if line.name else ''}{origin}; turn {last.number if last else 0}{here}")
        )
    return rows


def _proposals(conn: Connection, past: Path) -> Rows:
    view = CanonView(conn, past)
    return [
        (
            p.id,
            f"{p.status}: "
            + "; ".join(f"{view.name(c.subj)} {c.pred} {c.obj}" for c in p.claims)
            + f" ({p.reason or p.why})",
        )
        for p in open_proposals(conn, past)
    ]


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 160 else flat[:159] + "…"
