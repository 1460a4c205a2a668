"""Proposals and where they stand: a fold over the path, never a column, so backtracking stages them again."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from sqlalchemy import Connection

from talekeeper.canon.validators import Update
from talekeeper.errors import NotFound
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import Path
from talekeeper.timeline.vocabulary import Claim, Event, ProposalDecided, ProposalStaged

KINDS = (ProposalStaged.kind, ProposalDecided.kind)


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    seq: int
    role: str
    claims: tuple[Claim, ...]
    why: str
    evidence: tuple[str, ...]
    scene: str | None
    turn: str | None
    status: str = "staged"
    reason: str = ""
    contradicts: str = ""
    note: str = ""
    decided_by: str = ""
    decided_at: str = ""

    @property
    def update(self) -> Update:
        return Update(self.claims, self.why, self.evidence, staged_seq=self.seq)

    @property
    def open(self) -> bool:
        return self.status in ("staged", "needs_review")


def fold(events: Iterable[Event], *, instant: bool = False) -> dict[str, Proposal]:
    """Staged proposals with their latest decision; with `instant`, also those that were decided at once."""
    found: dict[str, Proposal] = {}
    for event in events:
        body = event.body
        if isinstance(body, ProposalStaged):
            found[event.id] = Proposal(
                id=event.id, seq=event.seq, role=body.role, claims=body.claims, why=body.why, evidence=body.evidence,
                scene=event.scene, turn=event.turn,
            )  # fmt: skip
        elif isinstance(body, ProposalDecided):
            staged = found.get(body.proposal)
            if staged is None and (body.proposal or not (instant or body.decision == "rejected")):
                continue
            if staged is None:
                staged = Proposal(
                    id=event.id, seq=event.seq, role=body.role, claims=body.claims, why="", evidence=body.evidence,
                    scene=event.scene, turn=event.turn,
                )  # fmt: skip
            found[staged.id] = msgspec.structs.replace(
                staged, status=body.decision, claims=body.claims or staged.claims, reason=body.reason,
                contradicts=body.contradicts, note=body.note, decided_by=body.role, decided_at=event.id,
            )  # fmt: skip
    return found


def proposals(conn: Connection, past: Path, *, after: int = 0, instant: bool = False) -> list[Proposal]:
    return list(fold(read_events(conn, past, after=after, kinds=KINDS), instant=instant).values())


def open_proposals(conn: Connection, past: Path, *, after: int = 0) -> list[Proposal]:
    """Those that still wait. Most turns stage nothing, so decisions are read only from the first staging on."""
    first = next(read_events(conn, past, after=after, kinds=[ProposalStaged.kind], limit=1), None)
    return [] if first is None else [p for p in proposals(conn, past, after=first.seq - 1) if p.open]


def get_proposal(conn: Connection, past: Path, proposal_id: str) -> Proposal:
    found = fold(read_events(conn, past, kinds=KINDS)).get(proposal_id)
    if found is None:
        raise NotFound(f"No proposal {proposal_id[:40]!r} is on this timeline.", "See `talekeeper canon proposals`.")
    return found
