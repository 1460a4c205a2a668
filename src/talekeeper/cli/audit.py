"""`talekeeper audit`: who asked which model, what it cost, and what was decided, refused or stopped, by turn."""

from __future__ import annotations

from typing import Annotated

import typer
from sqlalchemy import Connection

from talekeeper.cli.console import EMBER, say, short, show_json, show_table
from talekeeper.cli.opening import JsonOption, TimelineOption, WorldArgument, chosen_path, chosen_world, opened_store
from talekeeper.errors import NotFound
from talekeeper.timeline.audit import Ruling, TurnAudit
from talekeeper.timeline.audit import audit as audit_turns
from talekeeper.timeline.model_calls import CallRecord

CALLS = ("role", "model", "context", "in", "out", "first word", "seconds", "error")
RULINGS = ("event", "by", "what", "about", "reason")


def audit(
    world: WorldArgument = None,
    turn: Annotated[int | None, typer.Option(help="Only this turn.", show_default="all")] = None,
    timeline: TimelineOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show every model call, decision, refusal and act of a guard, by turn.

    A context is a hash of all that was sent: the same context, the same hash. A ~ before tokens means the service did
    not count them and they are estimated.

    Example: talekeeper audit low-water --turn 3
    """

    def look(conn: Connection) -> list[TurnAudit]:
        return audit_turns(conn, chosen_path(conn, chosen_world(conn, world), timeline), turn)

    with opened_store() as store:
        found = store.read_now(look)
    if turn is not None and not found:
        raise NotFound(f"There is no turn {turn} here.", "Leave --turn away to see them all.")
    if as_json:
        show_json(found)
        return
    for audited in found:
        _show(audited)
    if not found:
        say("No turn has been played yet.")


def _show(audited: TurnAudit) -> None:
    calls = audited.calls
    spent = f", {sum(c.tokens_in for c in calls)} tokens in, {sum(c.tokens_out for c in calls)} out" if calls else ""
    say(f"Turn {audited.number} ({audited.turn}), {audited.state}: {len(calls)} model calls{spent}", EMBER)
    if calls:
        show_table(CALLS, [_call_row(call) for call in calls])
    if audited.rulings:
        show_table(RULINGS, [_ruling_row(ruling) for ruling in audited.rulings])
    say("")


def _call_row(call: CallRecord) -> tuple[str, ...]:
    about = "~" if call.estimated else ""
    first = f"{call.first_token:.2f}" if call.first_token is not None else "none"
    tokens = (f"{about}{call.tokens_in}", f"{about}{call.tokens_out}")
    return (call.role, call.model, call.context, *tokens, first, f"{call.seconds:.2f}", short(call.error))


def _ruling_row(ruling: Ruling) -> tuple[str, ...]:
    return (ruling.event, ruling.by, ruling.what, short(ruling.about, 60), short(ruling.reason))
