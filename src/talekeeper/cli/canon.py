"""`talekeeper canon`: what is true in a world, why we believe it, and what still waits for a decision."""

from __future__ import annotations

from pathlib import Path as FilePath
from typing import Annotated, Literal

import msgspec
import typer
from rich.text import Text
from sqlalchemy import Connection

from talekeeper.canon.graph import canon_graph, to_cypher, to_graphml
from talekeeper.canon.pages import Line, Page, page, resolve_name, why
from talekeeper.canon.predicates import PREDICATES
from talekeeper.canon.view import CanonView
from talekeeper.cli.console import (
    FAINT,
    clean,
    command_group,
    say,
    short,
    show,
    show_json,
    show_table,
    write_bytes,
)
from talekeeper.cli.opening import (
    MAY_BE_LEFT_OUT,
    JsonOption,
    TimelineOption,
    WorldArgument,
    chosen_path,
    chosen_world,
    opened_store,
)
from talekeeper.cli.proposals import accept, proposals_, reject
from talekeeper.errors import NotFound
from talekeeper.loops.world_file import writing
from talekeeper.timeline.ids import ENTITY_KINDS, entity_kind
from talekeeper.timeline.lineage import Path
from talekeeper.timeline.worlds import find_world

app = command_group("What is true in a world, why we believe it, and what waits for a decision.")

AsOfOption = Annotated[
    int | None,
    typer.Option("--as-of", metavar="TURN", help="As it was after this turn; 0 is the opening.", show_default="now"),
]
HiddenOption = Annotated[bool, typer.Option("--hidden", help="Also what only the game master may see.")]


@app.command("show")
def show_(
    world: WorldArgument = None,
    entity: Annotated[
        str | None,
        typer.Argument(
            metavar="ENTITY", help="A name, an alias or an id; all are listed by default.", show_default=False
        ),
    ] = None,
    as_of: AsOfOption = None,
    hidden: HiddenOption = False,
    timeline: TimelineOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show everybody and everything, or the page of one.

    A single word that is no world's name is an entity of the last one played.

    Example: talekeeper canon show old-harbour mara --as-of 4
    """
    with opened_store() as store:

        def read(conn: Connection) -> tuple[Page | None, list[tuple[str, str, str]]]:
            name, about = _world_or_entity(conn, world, entity)
            past = chosen_path(conn, chosen_world(conn, name), timeline, as_of)
            return (page(conn, past, about, hidden=hidden), []) if about else (None, _list(CanonView(conn, past)))

        found, listed = store.read_now(read)
    if found is not None:
        show_json(found) if as_json else _show_page(found)
    elif as_json:
        show_json([{"id": id_, "name": name, "about": about} for id_, name, about in listed])
    else:
        for kind in dict.fromkeys(entity_kind(row[0]) for row in listed):
            rows = [row for row in listed if entity_kind(row[0]) == kind]
            show_table((kind, "", ""), [(id_, name, short(about, 80)) for id_, name, about in rows])
            say("")


def _world_or_entity(conn: Connection, world: str | None, entity: str | None) -> tuple[str | None, str | None]:
    if world is not None and entity is None and find_world(conn, world) is None:
        return None, world
    return world, entity


def _list(view: CanonView) -> list[tuple[str, str, str]]:
    order = {kind: n for n, kind in enumerate(ENTITY_KINDS)}
    entities = sorted(view.entities(), key=lambda e: (order.get(entity_kind(e), len(order)), e))
    view.load(entities)
    return [(e, view.name(e), view.text(e, "role") or view.text(e, "about")) for e in entities]


def _show_page(found: Page) -> None:
    title = Text(clean(found.name), style="bold")
    title.append(f"  {found.id}", style=f"not bold {FAINT}")
    show(title)
    if found.aliases:
        say(f"also {', '.join(found.aliases)}", FAINT)
    _show_lines(found.facts)
    _show_lines(found.relations)
    if found.held:
        say(f"\nhere: {', '.join(found.held)}")


def _show_lines(lines: tuple[Line, ...]) -> None:
    if lines:
        say("")
        show_table(("says", "", "since", "by"), [(line.pred, line.says, line.since, line.role) for line in lines])


@app.command("why")
def why_(
    first: Annotated[str, typer.Argument(metavar="WORLD", help=MAY_BE_LEFT_OUT, show_default=False)],
    second: Annotated[str, typer.Argument(metavar="ENTITY", help="A name, an alias or an id.", show_default=False)],
    third: Annotated[
        str | None,
        typer.Argument(metavar="PREDICATE", help="Which fact, as `canon show` names it.", show_default=False),
    ] = None,
    slot: Annotated[
        str, typer.Option(help="Which one, where there are several: trust towards whom.", show_default=False)
    ] = "",
    as_of: AsOfOption = None,
    timeline: TimelineOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say why we believe a fact.

    Every decision about it along the timeline: who took it, and on what evidence.

    Example: talekeeper canon why old-harbour mara at
    """
    world, entity, predicate = (None, first, second) if third is None else (first, second, third)
    with opened_store() as store:

        def read(conn: Connection) -> tuple[str, list[tuple[str, object]]]:
            past = chosen_path(conn, chosen_world(conn, world), timeline, as_of)
            return _reasons(conn, past, entity, predicate, slot)

        name, reasons = store.read_now(read)
    if as_json:
        show_json([{"slot": which, **msgspec.to_builtins(reason)} for which, reason in reasons])
        return
    rows = []
    for which, reason in reasons:
        told = msgspec.to_builtins(reason)
        said = f"{'' if told['asserted'] else 'no longer '}{which + ': ' if which else ''}{told['obj']}"
        because = "; ".join(filter(None, (told["reason"], told["note"], " ".join(told["evidence"]))))
        rows.append((told["event"], said, told["role"], because))
    say(f"{name}: {predicate}")
    show_table(("event", "says", "by", "because"), rows)


def _reasons(conn: Connection, past: Path, entity: str, pred: str, slot: str) -> tuple[str, list[tuple[str, object]]]:
    view = CanonView(conn, past)
    subj = resolve_name(view, entity)
    if pred not in PREDICATES:
        raise NotFound(f"Canon knows no predicate {pred[:60]!r}.", f"It knows {', '.join(sorted(PREDICATES))}.")
    slots = [slot] if slot else sorted({"", *(fact.slot for fact in view.facts_of(subj) if fact.pred == pred)})
    found: list[tuple[str, object]] = [(s, reason) for s in slots for reason in why(conn, past, subj, pred, s)]
    if not found:
        raise NotFound(f"Nothing was ever decided about `{pred}` of {view.name(subj)}.", "See `talekeeper canon show`.")
    return view.name(subj), found


app.command("proposals")(proposals_)
app.command("accept")(accept)
app.command("reject")(reject)


@app.command("export")
def export(
    world: WorldArgument = None,
    notation: Annotated[
        Literal["graphml", "cypher"],
        typer.Option("--format", help="GraphML for graph viewers, Cypher for graph databases."),
    ] = "graphml",
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="Where to; .gz packs it; - is stdout.")] = "-",
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")] = False,
    as_of: AsOfOption = None,
    hidden: HiddenOption = False,
    timeline: TimelineOption = None,
) -> None:
    """Write canon as a graph.

    Entities are nodes, facts between them edges, the rest properties.

    Example: talekeeper canon export old-harbour --format cypher --out harbour.cypher
    """
    with opened_store() as store:
        graph = store.read_now(
            lambda conn: canon_graph(
                CanonView(conn, chosen_path(conn, chosen_world(conn, world), timeline, as_of)), hidden=hidden
            )
        )
    written = "".join(to_graphml(graph) if notation == "graphml" else to_cypher(graph)).encode()
    if out == "-":
        write_bytes(written)
        return
    target = FilePath(out).expanduser()
    with writing(target, overwrite=force) as file:
        file.write(written)
    say(f"{len(graph.nodes)} entities and {len(graph.edges)} relations, in {target}")
