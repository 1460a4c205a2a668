"""The universal updater: every change to canon, whoever wants it, becomes a proposal here. There is no other write path."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import msgspec

from talekeeper.canon.authority import check_decision, check_staging
from talekeeper.canon.predicates import PREDICATES
from talekeeper.canon.validators import Objection, Update, validate, well_formed
from talekeeper.canon.view import CanonView
from talekeeper.errors import NotAllowed
from talekeeper.timeline.vocabulary import Claim, Decision, ProposalDecided, ProposalStaged

Proposed = ProposalStaged | ProposalDecided


def propose(view: CanonView, role: str, updates: Sequence[Update], *, decide: bool = False) -> list[Proposed]:
    """Turn updates into the events to append, in order; what is accepted is visible to the updates after it.

    Instant claims of a role that may decide them are decided here; so is everything when `decide` is set (a preset,
    an import). The rest is staged. What a validator or the authority table refuses is kept, rejected, with the reason.
    """
    return [_propose(view, role, update, decide=decide) for update in updates]


def propose_together(view: CanonView, role: str, claims: Sequence[Claim], why: str) -> list[ProposalDecided]:
    """Many instant claims of one cause as one decision; those that do not stand are each rejected on their own."""
    accepted: dict[tuple[str, str, str], Claim] = {}
    rejected: list[ProposalDecided] = []
    for claim in claims:
        update = Update((claim,), why)
        proposed = _propose(view, role, update, decide=False)
        if isinstance(proposed, ProposalStaged):
            proposed = _decided(
                update, role, "rejected", Objection(f"`{claim.pred}` cannot be decided in the turn itself.")
            )
        if proposed.decision == "accepted":
            # Said twice, the later word stands: one decision holds one claim about one thing.
            accepted[claim.subj, claim.pred, claim.slot] = claim
        else:
            rejected.append(proposed)
    whole = [_decided(Update(tuple(accepted.values()), why), role, "accepted")] if accepted else []
    return [*whole, *rejected]


def _propose(view: CanonView, role: str, update: Update, *, decide: bool) -> Proposed:
    update = _storable(update)
    objection = _not_allowed(role, update) or validate(view, update)
    if objection is not None:
        return _decided(update, role, "rejected", objection)
    if decide or _instant(role, update):
        view.apply(update.claims, role)
        return _decided(update, role, "accepted")
    return ProposalStaged(role=role, claims=update.claims, why=update.why, evidence=update.evidence)


def _storable(update: Update) -> Update:
    """Even a refused claim is kept, and JSON has no word for what is no number."""
    if all(not isinstance(c.obj, float) or isfinite(c.obj) for c in update.claims):
        return update
    claims = (
        msgspec.structs.replace(c, obj=str(c.obj)) if isinstance(c.obj, float) and not isfinite(c.obj) else c
        for c in update.claims
    )
    return msgspec.structs.replace(update, claims=tuple(claims))


def _not_allowed(role: str, update: Update) -> Objection | None:
    try:
        check_staging(role, update.claims)
    except NotAllowed as error:
        return Objection(error.message)
    return None


def _instant(role: str, update: Update) -> bool:
    if not all(PREDICATES[claim.pred].instant for claim in update.claims):
        return False
    try:
        check_decision(role, update.claims)
    except NotAllowed:
        return False
    return True


def judge(view: CanonView, update: Update) -> Objection | None:
    """What stands against a staged proposal now."""
    return validate(view, update)


def decide(
    view: CanonView,
    role: str,
    proposal: str,
    update: Update,
    decision: Decision,
    *,
    reason: str = "",
    note: str = "",
    overrule: bool = False,
) -> ProposalDecided:
    """Decide a staged proposal. Accepting what the validators refuse needs `overrule`, and the objection is kept.

    A verdict either way needs authority over every claim; leaving it to somebody else (`needs_review`) does not.
    """
    update = _storable(update)
    objection: Objection | None = None
    if decision != "needs_review":
        check_decision(role, update.claims)
    if decision == "accepted":
        objection = validate(view, update)
        if objection is not None and (not overrule or not well_formed(view, update)):
            return _decided(update, role, "rejected", objection, proposal=proposal, note=note)
        view.apply(update.claims, role)
    return _decided(update, role, decision, objection, proposal=proposal, note=note, reason=reason)


def _decided(
    update: Update,
    role: str,
    decision: Decision,
    objection: Objection | None = None,
    *,
    proposal: str = "",
    note: str = "",
    reason: str = "",
) -> ProposalDecided:
    return ProposalDecided(
        decision=decision,
        role=role,
        claims=update.claims,
        proposal=proposal,
        reason=objection.reason if objection else reason or update.why,
        contradicts=objection.contradicts if objection else "",
        note=note,
        evidence=update.evidence,
    )
