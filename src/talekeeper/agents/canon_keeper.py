"""The canon keeper: judges what was claimed in a scene when the scene ends."""

from __future__ import annotations

from collections.abc import Sequence

from talekeeper.canon.proposals import Proposal
from talekeeper.canon.updater import decide, judge
from talekeeper.canon.view import CanonView
from talekeeper.errors import NotAllowed
from talekeeper.timeline.vocabulary import ProposalDecided

ROLE = "canon_keeper"
_GRAVE = frozenset({"status", "name", "thread"})
"""What a person should look at before it becomes true."""


def judge_scene(view: CanonView, proposals: Sequence[Proposal]) -> list[ProposalDecided]:
    """A verdict for each open proposal, in order; an accepted one counts for those after it."""
    return [_verdict(view, proposal) for proposal in proposals if proposal.status == "staged"]


def _verdict(view: CanonView, proposal: Proposal) -> ProposalDecided:
    objection = judge(view, proposal.update)
    if objection is None and any(claim.pred in _GRAVE for claim in proposal.claims):
        return decide(
            view, ROLE, proposal.id, proposal.update, "needs_review", reason="It weighs too much to decide alone."
        )
    try:
        return decide(
            view, ROLE, proposal.id, proposal.update, "accepted", reason=proposal.why or "Nothing speaks against it."
        )
    except NotAllowed as error:
        return decide(view, ROLE, proposal.id, proposal.update, "needs_review", reason=error.message)
