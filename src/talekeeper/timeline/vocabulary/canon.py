"""Events of canon: what was claimed, and what became of the claim."""

from __future__ import annotations

from typing import Literal

import msgspec

from talekeeper.timeline.vocabulary.body import Body

Value = str | int | float | bool
Decision = Literal["accepted", "rejected", "needs_review"]


class Claim(msgspec.Struct, frozen=True, omit_defaults=True):
    """One fact asserted or retracted: subject, predicate, slot ('' for single-valued), object."""

    subj: str
    pred: str
    obj: Value = ""
    slot: str = ""
    retract: bool = False
    valid_from: int | None = None
    valid_to: int | None = None


class ProposalStaged(Body, frozen=True):
    kind = "proposal.staged"
    role: str
    claims: tuple[Claim, ...]
    why: str = ""
    evidence: tuple[str, ...] = ()


class ProposalDecided(Body, frozen=True):
    """`proposal` is the staging event; instant kinds were never staged and leave it empty."""

    kind = "proposal.decided"
    decision: Decision
    role: str
    claims: tuple[Claim, ...] = ()
    proposal: str = ""
    reason: str = ""
    contradicts: str = ""
    """The fact in the way, readable, with the event it came from."""
    note: str = ""
    evidence: tuple[str, ...] = ()
