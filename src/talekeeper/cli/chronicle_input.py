"""What a chronicle command reads: a log or a session, the history of a repository, or a world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from talekeeper.chronicle import ChronicleWriter
from talekeeper.chronicle.fleet_records import FleetRecords
from talekeeper.chronicle.sifter import Pattern, Record, all_arcs, read_patterns
from talekeeper.chronicle.sources import git_log, read_file
from talekeeper.chronicle.world_records import WorldRecords
from talekeeper.cli.opening import chosen_path, chosen_world, opened_store
from talekeeper.errors import BadInput
from talekeeper.timeline.events import read_events

FileArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE", help="A log, a session, saved webhooks; by default today's log.", show_default=False
    ),
]
GitOption = Annotated[
    Path | None,
    typer.Option("--git", metavar="PATH", help="The history of this repository instead.", show_default=False),
]
WorldOption = Annotated[
    str | None,
    typer.Option("--world", "-w", metavar="WORLD", help="The events of this world instead.", show_default=False),
]
PatternsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--patterns", metavar="FILE", help="Arcs of your own, in TOML; may be given several times.", show_default=False
    ),
]


class Input(NamedTuple):
    name: str
    records: Iterator[Record]


def chosen_input(file: Path | None, git: Path | None, world: str | None) -> Input:
    if sum(one is not None for one in (file, git, world)) > 1:
        raise BadInput("Choose one: a file, --git or --world.")
    if git is not None:
        return Input(name_of(git), FleetRecords(one_place=True).records(git_log.read(git)))
    if world is not None:
        with opened_store() as store:
            chosen = store.read_now(lambda conn: chosen_world(conn, world))
            events = store.read_now(lambda conn: list(read_events(conn, chosen_path(conn, chosen))))
        return Input(chosen.title, WorldRecords().records(events))
    path = file or ChronicleWriter().log_path
    return Input(path.stem, FleetRecords().records(read_file(path)))


def chosen_patterns(files: Sequence[Path] | None) -> tuple[Pattern, ...]:
    """The house's arcs and those given; one of the same name takes the house's place."""
    own = {pattern.name: pattern for path in files or () for pattern in read_patterns(path)}
    return (*(pattern for pattern in all_arcs() if pattern.name not in own), *own.values())


def name_of(repository: Path) -> str:
    return repository.expanduser().resolve().name.removesuffix(".git") or "repository"
