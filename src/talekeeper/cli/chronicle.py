"""`talekeeper chronicle`: what happened, told - from a repository, a log, or a world."""

from __future__ import annotations

import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from talekeeper.chronicle import ChronicleWriter
from talekeeper.chronicle.book import dates
from talekeeper.chronicle.book.compose import compose
from talekeeper.chronicle.book.formats import format_for
from talekeeper.chronicle.book.open_ends import open_ends
from talekeeper.chronicle.book.world_book import book_of
from talekeeper.chronicle.fleet_records import FleetRecords
from talekeeper.chronicle.sifter import Sifter, Told
from talekeeper.chronicle.sources import git_log, read_file
from talekeeper.chronicle.world_drafts import batches
from talekeeper.cli.chronicle_ingest import heard
from talekeeper.cli.chronicle_input import (
    FileArgument,
    GitOption,
    PatternsOption,
    WorldOption,
    chosen_input,
    chosen_patterns,
    name_of,
)
from talekeeper.cli.chronicle_output import (
    FormatOption,
    NewOption,
    OutOption,
    PeriodOption,
    SinceOption,
    TitleOption,
    beginning,
    chosen_period,
    deliver,
    last_looks,
    only_done,
)
from talekeeper.cli.chronicle_polish import PolishOption, polished
from talekeeper.cli.chronicle_watch import LogSource, Source, WorldSource
from talekeeper.cli.console import (
    EMBER,
    FAINT,
    aside,
    command_group,
    progress,
    say,
    show_json,
    show_json_line,
)
from talekeeper.cli.opening import (
    JsonOption,
    WorldArgument,
    chosen_path,
    chosen_world,
    opened_engine,
    opened_store,
)
from talekeeper.errors import BadInput
from talekeeper.observe.clock import system_clock
from talekeeper.timeline.events import read_events

app = command_group("Tell what happened: in a repository, a fleet, a world.")

_POLL_SECONDS = 0.5


@app.command("git")
def git(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A git repository.")] = Path(),
    since: SinceOption = None,
    new: NewOption = False,
    out: OutOption = None,
    form: FormatOption = None,
    by: PeriodOption = None,
    title: TitleOption = None,
    patterns: PatternsOption = None,
    polish: PolishOption = False,
) -> None:
    """Tell the history of a repository.

    Who worked on what, which arcs there were, and what is still open; every sentence knows its commits.

    Example: talekeeper chronicle git . --since 2026-10-01 --out history.html
    """
    period = chosen_period(by)
    form_chosen = format_for(out, form)
    looks, look = last_looks(), f"git:{path.expanduser().resolve()}"
    begin = beginning(since, new, looks, look)
    with progress("Reading the history") as tell:
        records = FleetRecords(one_place=True).records(git_log.read(path.expanduser()))
        book = compose(
            records,
            title=title or f"The chronicle of {name_of(path)}",
            period=period,
            since=begin,
            patterns=chosen_patterns(patterns),
            progress=only_done(tell),
        )
    deliver(polished(book) if polish else book, form_chosen, out)
    if new:
        looks.looked(look, book.end)


@app.command("ingest")
def ingest(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A log, an agent's session, spans, saved webhooks.")],
    world: Annotated[str, typer.Option("--world", "-w", metavar="WORLD", help="The world; made if it is not there.")],
    as_json: JsonOption = False,
) -> None:
    """Copy a log into a world.

    Each event comes in once, however often the file is read.

    Example: talekeeper chronicle ingest fleet.jsonl --world my-project
    """
    events = read_file(file.expanduser())
    read = added = 0
    with opened_engine() as engine, progress("Copying events") as tell:
        for drafts in batches(events):
            added += engine.store.write_now(partial(heard, services=engine.services, world=world, drafts=drafts))
            read += len(drafts)
            tell(read, 0)
    if as_json:
        show_json({"world": world, "read": read, "added": added})
    else:
        say(f"{added:,} of {read:,} events are new in {world}.")


@app.command("watch")
def watch(
    file: FileArgument = None,
    world: WorldOption = None,
    patterns: PatternsOption = None,
    once: Annotated[bool, typer.Option("--once", help="Say what is there and stop.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Follow a log or a world: each event as a sentence, each arc when complete.

    Ctrl-C ends it.

    Example: talekeeper chronicle watch fleet.jsonl
    """
    if file is not None and world is not None:
        raise BadInput("Choose one: a file or --world.")
    with ExitStack() as opened:
        source: Source
        if world is not None:
            store = opened.enter_context(opened_store())
            source = WorldSource(store, store.read_now(lambda conn: chosen_world(conn, world)))
        else:
            source = LogSource(file.expanduser() if file else ChronicleWriter().log_path)
        _follow(source, Sifter(chosen_patterns(patterns)), once=once, as_json=as_json)


def _follow(source: Source, sifter: Sifter, *, once: bool, as_json: bool) -> None:
    anything = False
    try:
        while True:
            for happened in source.new():
                anything = True
                if as_json:
                    show_json_line(happened.document)
                elif happened.text:
                    say(happened.text, FAINT if happened.faint else "")
                for change in (change for record in happened.records for change in sifter.push(record)):
                    if change.told is not None:
                        _tell_arc(change.told, as_json=as_json)
            if once:
                break
            time.sleep(_POLL_SECONDS)
    except KeyboardInterrupt:
        if not anything:
            raise
    for one in open_ends(sifter, system_clock()):
        aside(one.text)


def _tell_arc(told: Told, *, as_json: bool) -> None:
    if as_json:
        show_json_line(told.to_dict())
    else:
        say(f"       {told.pattern.title}: {told.sentence()}", EMBER)


@app.command("arcs")
def arcs_(
    file: FileArgument = None,
    git_path: GitOption = None,
    world: WorldOption = None,
    top: Annotated[int, typer.Option("--top", "-n", min=1, max=1000, help="How many.")] = 10,
    patterns: PatternsOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the arcs most worth telling, and what is still open.

    Example: talekeeper chronicle arcs --git . --top 5
    """
    sifter, found, last = _sifted(file, git_path, world, patterns)
    best = sifter.rank(top, among=found)
    if as_json:
        show_json({"arcs": [told.to_dict() for told in best], "found": len(found), "open": len(sifter.open())})
        return
    for told in best:
        say(f"{dates.day(told.records[-1].happened)}  {told.pattern.title}", EMBER)
        say(f"    {told.sentence()}")
    if not best:
        aside("No arc is complete yet.")
    for one in open_ends(sifter, last):
        aside(one.text)


@app.command("why-not")
def why_not(
    arc: Annotated[str, typer.Argument(metavar="ARC", help="The arc's name, such as handoff.")],
    key: Annotated[str, typer.Argument(metavar="KEY", help="The agent or task, such as '#42'.")],
    file: FileArgument = None,
    git_path: GitOption = None,
    world: WorldOption = None,
    patterns: PatternsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say why an arc was not told: what it has, what it waits for, or what broke it.

    Example: talekeeper chronicle why-not handoff '#42' fleet.jsonl
    """
    sifter, _, _ = _sifted(file, git_path, world, patterns)
    answer = sifter.why_not(arc, key)
    if as_json:
        show_json(answer._asdict())
    else:
        say(answer.text)
        if answer.ids:
            aside(" ".join(answer.ids))


@app.command("book")
def book(
    world: WorldArgument = None,
    since: SinceOption = None,
    new: NewOption = False,
    out: OutOption = None,
    form: FormatOption = None,
    by: PeriodOption = None,
    title: TitleOption = None,
    polish: PolishOption = False,
) -> None:
    """Make a book of a world: chapters, arcs, dramatis personae.

    Example: talekeeper chronicle book old-harbour --out harbour.epub
    """
    period, form_chosen = chosen_period(by), format_for(out, form)
    with opened_store() as store, progress("Reading the world") as tell:
        chosen = store.read_now(lambda conn: chosen_world(conn, world))
        looks, look = last_looks(), f"world:{chosen.slug}"
        begin = beginning(since, new, looks, look)
        events = store.read_now(lambda conn: list(read_events(conn, chosen_path(conn, chosen))))
        made = book_of(events, title or chosen.title, since=begin, period=period, progress=only_done(tell))
    deliver(polished(made) if polish else made, form_chosen, out)
    if new:
        looks.looked(look, made.end)


def _sifted(
    file: Path | None, git_path: Path | None, world: str | None, patterns: list[Path] | None
) -> tuple[Sifter, list[Told], float]:
    sifter, found, last = Sifter(chosen_patterns(patterns)), [], 0.0
    with progress("Sifting events") as tell:
        for number, record in enumerate(chosen_input(file, git_path, world).records, 1):
            found += [change.told for change in sifter.push(record) if change.told is not None]
            last = max(last, record.happened)
            if number % 1000 == 0:
                tell(number, 0)
    return sifter, found, last
