"""`talekeeper world`: make, list, look at, export, import, check and delete worlds."""

from __future__ import annotations

import asyncio
import random
import sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from sqlalchemy import Connection

from talekeeper.app.engine import calendar_of
from talekeeper.canon.replay import differences
from talekeeper.canon.view import CanonView
from talekeeper.cli.console import (
    FOUND_TROUBLE,
    GOOD,
    aside,
    command_group,
    confirmed,
    progress,
    say,
    show_json,
    show_table,
    tell_error,
)
from talekeeper.cli.opening import JsonOption, WorldArgument, chosen_world, opened_engine, opened_store, settings_now
from talekeeper.errors import CorruptWorld, TurnInProgress
from talekeeper.loops.creation import create_from_preset, free_slug
from talekeeper.loops.world_file import Footer, export_world, import_world, open_world_file, writing
from talekeeper.observe.clock import system_clock
from talekeeper.presets.calendar import time_name
from talekeeper.presets.library import list_presets, load_preset
from talekeeper.timeline.lineage import list_timelines, path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.turns import last_turn, running_turn
from talekeeper.timeline.worlds import World, delete_world, list_worlds

app = command_group("Make, list, look at, export, import, check and delete worlds.")

_SEEDS = 2**31
_STDIO = "-"
NameArgument = Annotated[str, typer.Argument(metavar="WORLD", help="The world's name.", show_default=False)]


@app.command("new")
def new(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="Small letters, digits and hyphens; by default the preset's.", show_default=False
        ),
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(metavar="ID", help="The story template to begin from; see `preset list`.", show_default=False),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**63 - 1, help="The same seed gives the same dice.", show_default=False)
    ] = None,
    title: Annotated[
        str, typer.Option(help="What it is called; by default the preset's title.", show_default=False)
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Make a world from a preset.

    Example: talekeeper world new old-harbour --preset low-water --seed 7
    """
    words = load_preset(preset or list_presets()[0].id)
    dice = random.SystemRandom().randrange(_SEEDS) if seed is None else seed
    with opened_engine() as engine:
        world = engine.store.write_now(
            lambda conn: create_from_preset(
                conn, engine.services, words, free_slug(conn, words.id) if name is None else name, dice, title
            )
        )
    if as_json:
        show_json(world)
    else:
        say(f"{world.title} is ready as {world.slug}, seed {world.seed}.")
        aside(f"Play it: talekeeper play --world {world.slug}")


@app.command("list")
def list_(as_json: JsonOption = False) -> None:
    """List the worlds, the last played first.

    Example: talekeeper world list --json
    """
    with opened_store() as store:
        rows = store.read_now(lambda conn: [(world, *_size(conn, world)) for world in list_worlds(conn)])
    if as_json:
        show_json([{**msgspec.structs.asdict(w), "turn": turn, "timelines": lines} for w, turn, lines in rows])
    elif rows:
        show_table(
            ("world", "title", "turn", "timelines", "played"),
            [(w.slug, w.title, str(turn), str(lines), _when(w.played_at)) for w, turn, lines in rows],
        )
    else:
        aside("There is no world yet. Make one with `talekeeper world new`, or just `talekeeper play`.")


def _size(conn: Connection, world: World) -> tuple[int, int]:
    last = last_turn(conn, path(conn, world.slug, world.active))
    return last.number if last else 0, len(list_timelines(conn, world.slug))


def _when(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).astimezone().strftime("%Y-%m-%d %H:%M")


@app.command("show")
def show_(name: WorldArgument = None, as_json: JsonOption = False) -> None:
    """Show one world: where and when it stands.

    Example: talekeeper world show old-harbour
    """
    with opened_store() as store:
        facts = store.read_now(lambda conn: _portrait(conn, chosen_world(conn, name)))
    if as_json:
        show_json(facts)
    else:
        shown = {**facts, "created_at": _when(facts["created_at"]), "played_at": _when(facts["played_at"])}
        show_table(("", ""), [(key.replace("_", " "), str(value)) for key, value in shown.items() if value != ""])


def _portrait(conn: Connection, world: World) -> dict[str, Any]:
    past = path(conn, world.slug, world.active)
    view, snapshot = CanonView(conn, past), latest_snapshot(conn, past)
    timelines = list_timelines(conn, world.slug)
    turn, _ = _size(conn, world)
    return {
        "world": world.slug, "title": world.title, "preset": world.preset, "rules": world.rules, "seed": world.seed,
        "player": view.name(world.player) if world.player else "", "active": world.active, "turn": turn,
        "place": view.name(snapshot.place) if snapshot and snapshot.place else "",
        "time": time_name(calendar_of(world), snapshot.now) if snapshot and world.player else "",
        "weather": snapshot.weather if snapshot else "", "timelines": len(timelines),
        "events": sum(t.head - t.fork_seq for t in timelines), "created_at": world.created_at,
        "played_at": world.played_at,
    }  # fmt: skip


@app.command("export")
def export(
    name: WorldArgument = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="Where to; .gz packs it; - is stdout.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write a whole world into one file.

    All its timelines; by default into the folder `exports` of the home. It can be read while somebody plays.

    Example: talekeeper world export old-harbour --out harbour.jsonl.gz
    """
    now = system_clock()
    with opened_store() as store, progress("Writing events") as tell:
        world = store.read_now(lambda conn: chosen_world(conn, name))
        if out == _STDIO:
            store.read_now(lambda conn: export_world(conn, world.slug, sys.stdout.buffer, now=now, progress=tell))
            sys.stdout.buffer.flush()
            return
        target = _default_file(world.slug, now) if out is None else Path(out).expanduser()
        with writing(target, overwrite=force) as file:
            counts = store.read_now(lambda conn: export_world(conn, world.slug, file, now=now, progress=tell))
    if as_json:
        show_json({"file": str(target), **msgspec.structs.asdict(counts)})
    else:
        say(f"{world.slug}: {_counted(counts)}, in {target}")


def _default_file(slug: str, now: float) -> Path:
    folder = settings_now().exports
    folder.mkdir(parents=True, exist_ok=True)
    stamp = datetime.fromtimestamp(now, UTC).astimezone().strftime("%Y%m%d-%H%M%S")
    return folder / f"{slug}-{stamp}.jsonl.gz"


def _counted(counts: Footer) -> str:
    return f"{counts.events:,} events, {counts.turns:,} turns, {counts.timelines:,} timelines"


@app.command("import")
def import_(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A world file, packed or not; - is stdin.", show_default=False)
    ],
    name: Annotated[
        str | None, typer.Option(metavar="NEW", help="Under another name than the file's.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Take a world in from a file.

    Everything in it is checked; a file that does not add up changes nothing.

    Example: talekeeper world import harbour.jsonl.gz --name harbour-copy
    """
    with opened_engine() as engine:
        with progress("Reading events") as tell:

            def take(source: Any) -> World:
                return engine.store.write_now(
                    lambda conn: import_world(conn, engine.services, source, name=name, progress=tell)
                )

            if file == _STDIO:
                world = take(sys.stdin.buffer)
            else:
                with open_world_file(Path(file).expanduser()) as source:
                    world = take(source)
        if as_json:
            show_json(world)
        else:
            say(f"{world.title} is here as {world.slug}.")
            aside(f"Play it: talekeeper play --world {world.slug}")
        with progress("Deriving recaps (Ctrl-C leaves them for later)"):
            asyncio.run(engine.effects.drain())


@app.command("delete")
def delete(
    name: NameArgument,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a world with all its timelines.

    It asks first; an export is the only way back.

    Example: talekeeper world delete old-harbour --yes
    """
    with opened_store() as store:
        world, turn = store.read_now(lambda conn: ((w := chosen_world(conn, name)), _size(conn, w)[0]))
        if not confirmed(f"Delete {world.slug} ({world.title}, turn {turn}) for good?", yes=yes):
            aside("Nothing was deleted.")
            return
        store.write_now(lambda conn: _delete(conn, world.slug))
    say(f"{world.slug} is gone.")


def _delete(conn: Connection, slug: str) -> None:
    world = chosen_world(conn, slug)
    running = running_turn(conn, slug, world.active)
    if running is not None and (running.lease_until or 0) > system_clock():
        raise TurnInProgress(f"Turn {running.number} of {slug} is being told.", "Wait for it to end, or stop it first.")
    delete_world(conn, slug)


@app.command("check")
def check(name: WorldArgument = None, as_json: JsonOption = False) -> None:
    """Check that what is stored about a world is what its events say.

    Exit code 1 if it is not.

    Example: talekeeper world check old-harbour
    """
    with opened_store() as store, progress("Replaying timelines") as tell:
        world = store.read_now(lambda conn: chosen_world(conn, name))
        timelines = [t.id for t in store.read_now(lambda conn: list_timelines(conn, world.slug))]
        found: dict[str, list[str]] = {}
        for done, timeline in enumerate(timelines):
            tell(done, len(timelines))
            found[timeline] = store.read_now(partial(_differences, world=world.slug, timeline=timeline))
    wrong = {timeline: lines for timeline, lines in found.items() if lines}
    if as_json:
        show_json({"world": world.slug, "timelines": len(timelines), "differences": wrong})
    elif not wrong:
        say(f"{world.slug} is sound: canon on {len(timelines)} timelines is what its events say.", GOOD)
    else:
        for timeline, lines in wrong.items():
            for line in lines:
                say(f"{timeline}: {line}")
        tell_error(
            CorruptWorld(
                f"{world.slug} does not agree with its events.", "Export and import it: derived rows are made anew."
            )
        )
    if wrong:
        raise typer.Exit(FOUND_TROUBLE)


def _differences(conn: Connection, world: str, timeline: str) -> list[str]:
    return differences(conn, path(conn, world, timeline))
