"""`talekeeper canon proposals|accept|reject`: what somebody claimed, and what a person decides about it."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer
from sqlalchemy import Connection

from talekeeper.canon.proposals import Proposal, proposals
from talekeeper.canon.view import CanonView
from talekeeper.cli.console import REFUSED, aside, say, short, show_json, show_table, tell_error
from talekeeper.cli.opening import (
    JsonOption,
    TimelineOption,
    WorldArgument,
    WorldOption,
    chosen_path,
    chosen_world,
    opened_engine,
    opened_store,
)
from talekeeper.errors import Conflict
from talekeeper.loops.intents import Decide
from talekeeper.loops.scene.commands import decide_proposal
from talekeeper.timeline.vocabulary import Claim, ProposalDecided

ProposalArgument = Annotated[str, typer.Argument(metavar="ID", help="The proposal, such as t1@57.", show_default=False)]
NoteOption = Annotated[str, typer.Option("--note", help="Why; it is kept with the decision.", show_default=False)]


def proposals_(
    world: WorldArgument = None,
    decided: Annotated[bool, typer.Option("--all", help="Also those that were decided.")] = False,
    timeline: TimelineOption = None,
    as_json: JsonOption = False,
) -> None:
    """List claims that wait for a decision.

    Example: talekeeper canon proposals old-harbour --all
    """
    with opened_store() as store:

        def read(conn: Connection) -> tuple[list[Proposal], list[tuple[str, ...]]]:
            past = chosen_path(conn, chosen_world(conn, world), timeline)
            view = CanonView(conn, past)
            found = [p for p in proposals(conn, past) if decided or p.open]
            return found, [_row(view, p) for p in found]

        found, rows = store.read_now(read)
    if as_json:
        show_json(found)
    elif rows:
        show_table(("proposal", "by", "claims", "status", "because"), rows)
    else:
        aside("No claim waits for a decision.")


def _row(view: CanonView, proposal: Proposal) -> tuple[str, ...]:
    claims = "; ".join(_said(view, claim) for claim in proposal.claims)
    because = " ".join(filter(None, (proposal.reason or proposal.why, proposal.contradicts)))
    return proposal.id, proposal.role, short(claims, 160), proposal.status, short(because, 160)


def _said(view: CanonView, claim: Claim) -> str:
    which = f" ({claim.slot})" if claim.slot else ""
    return f"{view.name(claim.subj)} {'no longer ' if claim.retract else ''}{claim.pred}{which}: {claim.obj}"


def accept(
    id_: ProposalArgument,
    world: WorldOption = None,
    note: NoteOption = "",
    overrule: Annotated[
        bool, typer.Option("--overrule", help="In spite of what the validators say; needs a note.")
    ] = False,
    timeline: TimelineOption = None,
    as_json: JsonOption = False,
) -> None:
    """Accept a proposal.

    Its claims become facts, unless canon stands against them: then it is rejected, with the reason (exit code 3).

    Example: talekeeper canon accept t1@57 --note "she did say so"
    """
    with opened_engine() as engine:

        def decide(conn: Connection) -> ProposalDecided:
            slug = chosen_world(conn, world).slug
            wish = Decide(
                world=slug, timeline=timeline, proposal=id_, decision="accepted", note=note, overrule=overrule
            )
            return decide_proposal(conn, engine.services, wish)

        decided = engine.store.write_now(decide)
    _tell(id_, decided, as_json=as_json)
    if decided.decision != "accepted":
        hint = "Overrule it with --overrule and a --note if you must."
        tell_error(Conflict(f"Canon stands against it: {decided.reason} {decided.contradicts}".strip(), hint))
        raise typer.Exit(REFUSED)


def reject(
    id_: ProposalArgument,
    world: WorldOption = None,
    note: NoteOption = "",
    timeline: TimelineOption = None,
    as_json: JsonOption = False,
) -> None:
    """Reject a proposal; it is kept with the reason.

    Example: talekeeper canon reject t1@57 --note "he was lying"
    """
    with opened_engine() as engine:

        def decide(conn: Connection) -> ProposalDecided:
            slug = chosen_world(conn, world).slug
            wish = Decide(world=slug, timeline=timeline, proposal=id_, decision="rejected", note=note)
            return decide_proposal(conn, engine.services, wish)

        decided = engine.store.write_now(decide)
    _tell(id_, decided, as_json=as_json)


def _tell(proposal: str, decided: ProposalDecided, *, as_json: bool) -> None:
    if as_json:
        show_json({"proposal": proposal, **msgspec.to_builtins(decided)})
    else:
        say(f"{proposal} is {decided.decision}.")
