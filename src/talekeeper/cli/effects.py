"""`talekeeper effects`: work after turns that still waits, or was given up, and trying it again."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
import typer
from sqlalchemy import Connection

from talekeeper.cli.console import (
    FOUND_TROUBLE,
    aside,
    command_group,
    progress,
    say,
    short,
    show_json,
    show_table,
)
from talekeeper.cli.opening import JsonOption, opened_engine, opened_store
from talekeeper.observe.clock import system_clock
from talekeeper.timeline.outbox import Job, list_jobs, retry_parked

app = command_group("Work after turns (recaps and the like) that still waits, or was given up.")

_MOST = 10_000


@app.command("list")
def list_(
    done: Annotated[bool, typer.Option("--all", help="Also what has been done.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List effects that wait or were parked, with the reason.

    Example: talekeeper effects list
    """
    states = ("pending", "parked", "done") if done else ("pending", "parked")
    with opened_store() as store:
        jobs = store.read_now(lambda conn: list_jobs(conn, states))
    if as_json:
        show_json([{"id": job.id, **msgspec.structs.asdict(job)} for job in jobs])
    elif jobs:
        show_table(("effect", "state", "attempts", "reason"), [_row(job) for job in jobs])
    else:
        aside("Nothing waits and nothing was parked.")


def _row(job: Job) -> tuple[str, str, str, str]:
    return job.id, job.state, str(job.attempts), short(job.error or "", 200)


@app.command("retry")
def retry(
    id_: Annotated[
        str | None,
        typer.Argument(metavar="ID", help="One parked effect, as `effects list` names it.", show_default="all parked"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Try parked effects again, now.

    Exit code 1 if any is still left undone.

    Example: talekeeper effects retry recap:old-harbour/t1@57
    """
    with opened_engine() as engine:

        def again(conn: Connection) -> set[str]:
            parked = {job.id for job in list_jobs(conn, ("parked",), _MOST) if id_ in (None, job.id)}
            retry_parked(conn, system_clock(), id_)
            return parked

        tried = engine.store.write_now(again)
        with progress("Working"):
            asyncio.run(engine.effects.drain())
        left = [job for job in engine.store.read_now(lambda conn: list_jobs(conn, limit=_MOST)) if job.id in tried]
    if as_json:
        show_json({"tried": len(tried), "left": [{"id": job.id, **msgspec.structs.asdict(job)} for job in left]})
    else:
        say(f"Tried {len(tried)} again; {f'{len(left)} still undone.' if left else 'all done.'}")
        if left:
            show_table(("effect", "state", "attempts", "reason"), [_row(job) for job in left])
    if left:
        raise typer.Exit(FOUND_TROUBLE)
