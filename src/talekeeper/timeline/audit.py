"""The audit of turns: every model call, decision, refusal and act of a guard, turn by turn along a path."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, select

from talekeeper.timeline.events import events_of_turn
from talekeeper.timeline.lineage import Path
from talekeeper.timeline.model_calls import CallRecord, calls_of_turn
from talekeeper.timeline.turns import turn_table
from talekeeper.timeline.vocabulary import Event, GuardActed, ProposalDecided, ProposalStaged


class Ruling(msgspec.Struct, frozen=True, kw_only=True):
    """Something staged, decided, refused or stopped, and why."""

    event: str
    by: str
    what: str
    """staged, accepted, rejected, needs_review; or what a guard did: allow, redact, regenerate, stop."""
    about: str
    reason: str


class TurnAudit(msgspec.Struct, frozen=True, kw_only=True):
    turn: str
    number: int
    state: str
    error: str
    calls: tuple[CallRecord, ...]
    rulings: tuple[Ruling, ...]


def audit(conn: Connection, past: Path, number: int | None = None) -> list[TurnAudit]:
    """Every turn along a path, failed ones too, or the one of that number; oldest first."""
    return [_audit(conn, past.world, turn) for turn in _turns(conn, past, number)]


def _turns(conn: Connection, past: Path, number: int | None) -> list[tuple[str, int, str, str | None]]:
    t = turn_table.c
    found: list[tuple[str, int, str, str | None]] = []
    for segment in past.segments:
        query = (
            select(t.id, t.number, t.state, t.error)
            .where(t.world == past.world, t.timeline == segment.timeline)
            .where(t.base_seq >= segment.after, t.base_seq < segment.upto)
            .order_by(t.number)
        )
        if number is not None:
            query = query.where(t.number == number)
        found += [tuple(row) for row in conn.execute(query)]
    return found


def _audit(conn: Connection, world: str, turn: tuple[str, int, str, str | None]) -> TurnAudit:
    id_, number, state, error = turn
    events = events_of_turn(conn, world, id_)
    return TurnAudit(
        turn=id_,
        number=number,
        state=state,
        error=error or "",
        calls=tuple(calls_of_turn(conn, world, id_)),
        rulings=tuple(ruling for event in events if (ruling := _ruling(event)) is not None),
    )


def _ruling(event: Event) -> Ruling | None:
    match event.body:
        case ProposalStaged(role=role, claims=claims, why=why):
            what, about, reason = "staged", claims, why
        case ProposalDecided(role=role, claims=claims, decision=decision, reason=why):
            what, about, reason = decision, claims, why
        case GuardActed(guard=guard, action=action, reason=why):
            return Ruling(event=event.id, by="guard", what=action, about=guard, reason=why)
        case _:
            return None
    named = ", ".join(dict.fromkeys(f"{claim.subj} {claim.pred}" for claim in about))
    return Ruling(event=event.id, by=role, what=what, about=named, reason=reason)
