"""Where people go as the day goes on: by their schedule, when they can get there and nothing holds them."""

from __future__ import annotations

from talekeeper.canon.validators import reachable
from talekeeper.canon.view import CanonView
from talekeeper.timeline.vocabulary import Claim


def scheduled_moves(view: CanonView, daypart: str, *, busy: frozenset[str]) -> list[Claim]:
    """Moves for the part of the day that has begun. `busy` are those in the middle of a scene."""
    moves = []
    for plan in view.with_predicate("schedule"):
        if plan.slot != daypart or plan.subj in busy:
            continue
        here, there = view.text(plan.subj, "at"), str(plan.obj)
        alive = view.text(plan.subj, "status") != "dead"
        if here and here != there and alive and reachable(view, here, there):
            moves.append(Claim(plan.subj, "at", there))
    return moves
