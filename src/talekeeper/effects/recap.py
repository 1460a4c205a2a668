"""The effect `recap`: one line for each turn, from its events alone, for /recap and for the narrator's long memory."""

from __future__ import annotations

from sqlalchemy import Connection

from talekeeper.canon.view import CanonView
from talekeeper.effects.effect import Effect
from talekeeper.memory.recaps import Recap, keep_recap
from talekeeper.timeline.events import events_of_turn, get_event
from talekeeper.timeline.ids import event_id, parse_turn_id
from talekeeper.timeline.lineage import path
from talekeeper.timeline.outbox import Job
from talekeeper.timeline.store import Store
from talekeeper.timeline.vocabulary import PUBLIC, ActionTaken, Event, LineSpoken, OutcomeResolved, SecretTold

_WENT = {
    "triumph": "and it went better than hoped",
    "success": "and it worked",
    "cost": "and it worked, at a price",
    "failure": "and it failed",
    "disaster": "and it went badly wrong",
    "blocked": "but could not",
}
_MOST_WORDS = 24
_RETOLD = (ActionTaken, OutcomeResolved, SecretTold, LineSpoken)


async def run(store: Store, job: Job) -> None:
    await store.write(lambda conn: _keep(conn, job))


def _keep(conn: Connection, job: Job) -> None:
    recap = _recap(conn, job)
    if recap is not None:
        keep_recap(conn, job.world, job.timeline, recap)


def _recap(conn: Connection, job: Job) -> Recap | None:
    last = get_event(conn, job.world, event_id(job.timeline, job.seq))
    if last.turn is None:
        return None
    view = CanonView(conn, path(conn, job.world, job.timeline).until(job.seq))
    events = [e for e in events_of_turn(conn, job.world, last.turn) if isinstance(e.body, _RETOLD)]
    line = _line(view, events, parse_turn_id(last.turn)[1])
    return Recap(job.seq, last.scene or "", last.turn, line, _saw_all(events)) if line else None


def _saw_all(events: list[Event]) -> tuple[str, ...]:
    """A secret told in the turn keeps its recap to those who heard it."""
    seen = [set(e.witnesses) for e in events if e.witnesses and e.witnesses != PUBLIC]
    return tuple(sorted(set.intersection(*seen))) if seen else PUBLIC


def _line(view: CanonView, events: list[Event], number: int) -> str:
    said, went, told = "", "", []
    for event in events:
        match event.body:
            case ActionTaken(actor=actor, text=text):
                said = f"{view.name(actor)}: {_short(text)}"
            case OutcomeResolved(tier=tier):
                went = _WENT.get(tier, "")
            case SecretTold(teller=teller, text=text):
                told.append(f"{view.name(teller)} let out that {_short(text)}")
            case LineSpoken(speaker=speaker, text=text):
                told.append(f"{view.name(speaker)} said “{_short(text)}”")
    parts = [f"{said} ({went})" if went else said, *told[:2]]
    return f"Turn {number}. " + "; ".join(p.rstrip(".") for p in parts if p) + "." if said else ""


def _short(text: str) -> str:
    words = text.split()
    return " ".join(words) if len(words) <= _MOST_WORDS else " ".join(words[:_MOST_WORDS]) + "…"


RECAP = Effect("recap", 1, run)
