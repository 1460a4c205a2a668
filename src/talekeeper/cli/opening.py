"""How a command reaches the store: settings read, the database opened at the right schema, and closed again."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, TextIO, cast

import structlog
import typer
from sqlalchemy import Connection

from talekeeper.agents.storyteller import Storyteller
from talekeeper.app.engine import Engine, open_store
from talekeeper.app.settings import Settings, load
from talekeeper.cli.console import aside
from talekeeper.errors import BadInput, NotFound
from talekeeper.timeline.lineage import Path, get_timeline, path
from talekeeper.timeline.store import Store
from talekeeper.timeline.turns import last_turn, turn_on_path
from talekeeper.timeline.worlds import World, get_world, list_worlds

LAST_PLAYED = "The world's name; the last one played by default."
MAY_BE_LEFT_OUT = "The world's name; left out, it is the last one played."

WorldArgument = Annotated[str | None, typer.Argument(metavar="WORLD", help=LAST_PLAYED, show_default=False)]
WorldOption = Annotated[
    str | None, typer.Option("--world", "-w", metavar="WORLD", help=LAST_PLAYED, show_default=False)
]
TimelineOption = Annotated[
    str | None,
    typer.Option("--timeline", "-t", metavar="ID", help="Another timeline than the active one.", show_default=False),
]
JsonOption = Annotated[bool, typer.Option("--json", help="For scripts: JSON on stdout.")]


def settings_now() -> Settings:
    loaded = load()
    for warning in loaded.warnings:
        aside(warning)
    return loaded.settings


@contextmanager
def opened_store() -> Iterator[Store]:
    store = open_store(settings_now())
    try:
        yield store
    finally:
        store.close()


@contextmanager
def opened_engine() -> Iterator[Engine]:
    """For what changes a world without telling anything: no model is asked, so none is loaded."""
    structlog.configure(logger_factory=structlog.WriteLoggerFactory(cast(TextIO, _Stderr())))
    engine = Engine.open(settings_now(), teller=Storyteller())
    try:
        yield engine
    finally:
        asyncio.run(engine.close())


class _Stderr(io.TextIOBase):
    """Whatever stderr is at the moment: what a command prints on stdout is its answer alone."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


def chosen_world(conn: Connection, name: str | None) -> World:
    if name is not None:
        return get_world(conn, name)
    worlds = list_worlds(conn)
    if not worlds:
        raise NotFound("There is no world yet.", "Make one with `talekeeper world new`, or just `talekeeper play`.")
    return worlds[0]


def chosen_path(conn: Connection, world: World, timeline: str | None = None, as_of: int | None = None) -> Path:
    """The active timeline or another, up to the end of a turn if one is named (0 is the opening)."""
    past = path(conn, world.slug, get_timeline(conn, world.slug, timeline or world.active).id)
    if as_of is None:
        return past
    last = last_turn(conn, past)
    newest = last.number if last else 0
    if not 0 <= as_of <= newest:
        raise BadInput(f"There is no turn {as_of} on {past.timeline}.", f"Choose one from 0 to {newest}.")
    if as_of == 0:
        first = turn_on_path(conn, past, 1)
        return past.until(first.base_seq) if first else past
    turn = turn_on_path(conn, past, as_of)
    return past.until(turn.last_seq if turn else None)
