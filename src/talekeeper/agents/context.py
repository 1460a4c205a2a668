"""Context assembly: everything a teller may read for this turn, under a token budget, with the reason for each item.

Deterministic in order and content; the stable part comes first, so that a provider's prompt cache hits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec
from sqlalchemy import Connection

from talekeeper.agents.situation import Person, Situation
from talekeeper.canon.predicates import PREDICATES
from talekeeper.canon.proposals import open_proposals
from talekeeper.canon.view import CanonView
from talekeeper.llm.tokens import estimate_tokens
from talekeeper.memory.recall import recall
from talekeeper.memory.recaps import recaps
from talekeeper.timeline.directives import directives
from talekeeper.timeline.ids import WORLD_ENTITY
from talekeeper.timeline.transcript import ToldTurn, transcript

DEFAULT_BUDGET = 6000
RECENT_TURNS = 6
_KEPT_TURNS = 2
_SHOWN_PREDICATES = (
    "about",
    "role",
    "look",
    "voice",
    "trait",
    "mood",
    "condition",
    "status",
    "state",
    "note",
    "member_of",
)


class ContextItem(msgspec.Struct, frozen=True, kw_only=True):
    section: str
    ref: str
    """The entity, fact or event it came from."""
    text: str
    tokens: int
    score: float | None = None
    parts: dict[str, float] = msgspec.field(default_factory=dict)
    included: bool = True
    why: str = ""


class Section(msgspec.Struct, frozen=True):
    name: str
    texts: tuple[str, ...]


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What the narrator was given, and what was left out: shown by /why."""

    budget: int
    used: int
    base_seq: int
    items: tuple[ContextItem, ...]

    def sections(self) -> tuple[Section, ...]:
        """The included items as the narrator reads them, stable part first."""
        grouped: dict[str, list[str]] = {}
        for item in self.items:
            if item.included:
                grouped.setdefault(item.section, []).append(item.text)
        return tuple(Section(name, tuple(texts)) for name, texts in grouped.items())

    def of(self, section: str) -> tuple[str, ...]:
        return tuple(i.text for i in self.items if i.included and i.section == section)


def assemble(
    conn: Connection,
    view: CanonView,
    situation: Situation,
    action: str,
    *,
    scene_seq: int,
    budget: int = DEFAULT_BUDGET,
) -> Manifest:
    items = [
        *_stable(view, situation),
        *_here(view, situation),
        *_stakes(situation),
        *_rulings(conn, view, situation, scene_seq),
        *_past(conn, view, situation, action),
    ]
    return _fit(items, budget, situation.head)


# Most of what a turn is given was in the one before.
_tokens = lru_cache(maxsize=4096)(estimate_tokens)


def _item(
    section: str, ref: str, text: str, why: str, score: float | None = None, parts: dict[str, float] | None = None
) -> ContextItem:
    return ContextItem(
        section=section, ref=ref, text=text, tokens=_tokens(text), why=why, score=score, parts=parts or {}
    )


def _stable(view: CanonView, s: Situation) -> Iterable[ContextItem]:
    about = view.text(WORLD_ENTITY, "about")
    yield _item("World", WORLD_ENTITY, f"{s.title}. {about}".strip(), "always: the world")
    for axiom in view.many(WORLD_ENTITY, "axiom"):
        yield _item("World", axiom.event, f"- {axiom.obj}", "always: an axiom of the world")
    yield _item("Player character", s.actor.id, _portrait(view, s.actor, private=True), "always: who acts")


def _portrait(view: CanonView, who: Person, *, private: bool = False) -> str:
    """What can be seen and is commonly known of someone; their own mind only for themselves."""
    shown = [f for f in view.facts_of(who.id) if f.pred in _SHOWN_PREDICATES or (private and f.pred == "goal")]
    order = {pred: n for n, pred in enumerate((*_SHOWN_PREDICATES, "goal"))}
    facts = "; ".join(view.say(f).rstrip(".") for f in sorted(shown, key=lambda f: (order[f.pred], f.slot)))
    holds = f" Carries: {', '.join(t.name for t in who.holds)}." if who.holds else ""
    return f"- {who.name} ({who.id}): {facts}.{holds}"


def _here(view: CanonView, s: Situation) -> Iterable[ContextItem]:
    ways = "; ".join(f"{e.name}, {e.way}{f' (barred: {e.barred})' if e.barred else ''}" for e in s.place.exits)
    yield _item(
        "Place", s.place.id, f"{s.place.name}. {s.place.about} Ways: {ways or 'none'}.", "always: where it happens"
    )
    for thing in s.place.things:
        state = f" ({thing.state})" if thing.state else ""
        yield _item("Place", thing.id, f"- {thing.name}{state}: {thing.look or thing.about}", "it lies here")
    for person in s.present:
        text = f"{_portrait(view, person)} Towards {s.actor.name}: {person.attitude}."
        yield _item("Present", person.id, text, "present in the scene")


def _stakes(s: Situation) -> Iterable[ContextItem]:
    for thread in s.threads:
        if thread.status == "open":
            idle = f" Untouched for {thread.idle_turns} turns." if thread.idle_turns > 8 else ""
            yield _item("Open threads", thread.id, f"- {thread.name}: {thread.about}{idle}", "an open thread")
    for clock in s.clocks:
        yield _item("Clocks", clock.id, f"- {clock.name}: {clock.filled} of {clock.size}", "a running clock")


def _rulings(conn: Connection, view: CanonView, s: Situation, scene_seq: int) -> Iterable[ContextItem]:
    for proposal in open_proposals(conn, view.path, after=scene_seq - 1):
        claims = "; ".join(f"{view.name(c.subj)}: {c.pred} {c.obj}" for c in proposal.claims)
        yield _item("Claimed this scene", proposal.id, f"- {claims}", "staged in this scene, not yet decided")
    for directive in directives(conn, view.path, s.scene, s.turn_number):
        yield _item("Directives", directive.event, f"- {directive.text}", f"a directive ({directive.source})")


def _past(conn: Connection, view: CanonView, s: Situation, action: str) -> Iterable[ContextItem]:
    told = transcript(conn, view.path, last_turns=RECENT_TURNS, witness=s.actor.id)
    shown = {p.event for turn in told for p in turn.passages}
    for line in recaps(conn, view.path, witness=s.actor.id):
        if line.turn not in {turn.turn for turn in told}:
            yield _item("Earlier", line.turn or line.scene, f"- {line.text}", "recap")
    for memory in recall(conn, view.path, s.actor.id, action, leave_out=shown):
        speaker = f"{view.name(memory.speaker)}: " if memory.speaker else ""
        yield _item(
            "Remembered", memory.event, f"- {speaker}{memory.text}", "recalled by the words of the action",
            score=memory.score, parts=memory.parts,
        )  # fmt: skip
    for turn in told:
        yield _item("Recent turns", turn.turn or "opening", told_text(view, turn), "one of the last turns")


def told_text(view: CanonView, turn: ToldTurn) -> str:
    lines = []
    for passage in turn.passages:
        if passage.kind == "line.spoken":
            lines.append(f"{view.name(passage.who)}: “{passage.text}”")
        elif passage.kind == "action.taken":
            lines.append(f"> {passage.text}")
        elif passage.kind != "roll.made":
            lines.append(passage.text)
    return "\n".join(lines)


_DROP_FIRST = (
    "Earlier",
    "Remembered",
    "Recent turns",
    "Claimed this scene",
    "Clocks",
    "Open threads",
    "Present",
    "Place",
)


def _fit(items: Sequence[ContextItem], budget: int, base_seq: int) -> Manifest:
    """Cut the least needed until it fits: old recaps, weak memories, older turns. The last two turns always stay."""
    kept = list(items)
    used = sum(i.tokens for i in kept)
    for section in _DROP_FIRST:
        if used <= budget:
            break
        mine = [n for n, item in enumerate(kept) if item.section == section]
        if section == "Remembered":
            mine = sorted(mine, key=lambda n: (kept[n].score or 0.0, n))
        elif section == "Recent turns":
            mine = mine[:-_KEPT_TURNS]
        for n in mine:
            if used <= budget:
                break
            used -= kept[n].tokens
            kept[n] = msgspec.structs.replace(kept[n], included=False, why=f"cut: over the budget of {budget} tokens")
    return Manifest(budget=budget, used=used, base_seq=base_seq, items=tuple(kept))


def knowledge(view: CanonView, person: str, around: Iterable[str]) -> tuple[str, ...]:
    """What a character may know without having been told: open facts about those around, and their own mind."""
    known: list[str] = []
    for entity in dict.fromkeys([person, *around]):
        for fact in view.facts_of(entity):
            sight = PREDICATES[fact.pred].sight
            if fact.pred in ("name", "alias", "exit", "fixed", "stat", "time"):
                continue
            if sight == "open" or (sight == "subject" and entity == person):
                known.append(view.say(fact))
    return tuple(known)
