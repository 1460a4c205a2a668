"""`talekeeper timeline`: the tree of a world's timelines, and moving between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer
from rich.text import Text
from rich.tree import Tree
from sqlalchemy import Connection

from talekeeper.canon.compare import Comparison, compare
from talekeeper.canon.predicates import Sight
from talekeeper.cli.console import EMBER, FAINT, aside, clean, command_group, say, show, show_json, show_table
from talekeeper.cli.opening import (
    MAY_BE_LEFT_OUT,
    JsonOption,
    TimelineOption,
    WorldArgument,
    WorldOption,
    chosen_world,
    opened_engine,
    opened_store,
)
from talekeeper.loops.intents import Fork, Switch
from talekeeper.loops.scene.travel import Arrival, fork_timeline, switch
from talekeeper.timeline.lineage import Timeline, list_timelines, path
from talekeeper.timeline.turns import last_turn
from talekeeper.timeline.worlds import World

app = command_group("The tree of a world's timelines, and moving between them.")


class Branch(msgspec.Struct, frozen=True):
    """A timeline as a person thinks of it: by turns, not by events."""

    id: str
    name: str
    parent: str | None
    from_turn: int
    """The last turn it shares with its parent."""
    turn: int
    """The last turn that has happened on it."""
    reason: str
    active: bool
    folded: bool
    """Another telling of a turn that nobody went on from."""


@app.command("list")
def list_(
    world: WorldArgument = None,
    unfold: Annotated[bool, typer.Option("--all", help="Also show tellings that nobody went on from.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show the timelines of a world as a tree.

    Each one with where it left its parent, how far it has come, and which is active.

    Example: talekeeper timeline list old-harbour
    """
    with opened_store() as store:
        chosen, branches = store.read_now(lambda conn: _read(conn, world))
    if as_json:
        show_json(branches)
    else:
        show(_tree(chosen, branches, unfold=unfold))


def _read(conn: Connection, name: str | None) -> tuple[World, list[Branch]]:
    world = chosen_world(conn, name)
    timelines = list_timelines(conn, world.slug)
    parents = {t.parent for t in timelines}
    return world, [_branch(conn, world, t, left=t.id not in parents) for t in timelines]


def _branch(conn: Connection, world: World, timeline: Timeline, *, left: bool) -> Branch:
    past = path(conn, world.slug, timeline.id)
    shared = last_turn(conn, past.until(timeline.fork_seq)) if timeline.parent else None
    last = last_turn(conn, past)
    from_turn, turn = shared.number if shared else 0, last.number if last else 0
    active = timeline.id == world.active
    folded = left and not active and timeline.reason == "swipe" and turn <= from_turn + 1
    return Branch(timeline.id, timeline.name, timeline.parent, from_turn, turn, timeline.reason, active, folded)


def _tree(world: World, branches: Sequence[Branch], *, unfold: bool) -> Tree:
    tree = Tree(Text(f"{clean(world.title)} ({world.slug})", style="bold"), guide_style=FAINT)
    nodes: dict[str | None, Tree] = {None: tree}
    for branch in branches:
        if unfold or not branch.folded:
            nodes[branch.id] = nodes[branch.parent].add(_label(branch))
    if not unfold:
        for parent, count in _folded(branches).items():
            nodes[parent].add(
                Text(f"and {count} other telling{'s' if count > 1 else ''} (--all shows them)", style=FAINT)
            )
    return tree


def _folded(branches: Sequence[Branch]) -> dict[str | None, int]:
    counts: dict[str | None, int] = {}
    for branch in branches:
        if branch.folded:
            counts[branch.parent] = counts.get(branch.parent, 0) + 1
    return counts


def _label(branch: Branch) -> Text:
    label = Text(branch.id, style="bold")
    if branch.name:
        label.append(f" “{clean(branch.name)}”", style="not bold")
    if branch.parent:
        label.append(f"  {branch.reason or 'fork'} after turn {branch.from_turn}", style=f"not bold {FAINT}")
    label.append(f"  turn {branch.turn}", style="not bold")
    if branch.active:
        label.append("  ← active", style=EMBER)
    return label


@app.command("fork")
def fork(
    world: WorldArgument = None,
    at: Annotated[
        int | None, typer.Option(metavar="TURN", help="Leave after this turn; 0 is the opening.", show_default="now")
    ] = None,
    name: Annotated[str, typer.Option(help="What to call it.", show_default=False)] = "",
    timeline: TimelineOption = None,
    as_json: JsonOption = False,
) -> None:
    """Begin a new timeline and make it the active one.

    What happened on the old one stays there.

    Example: talekeeper timeline fork old-harbour --at 4 --name "what if she had said no"
    """
    with opened_engine() as engine:

        def leave(conn: Connection) -> Arrival:
            wish = Fork(world=chosen_world(conn, world).slug, timeline=timeline, at=at, name=name)
            return fork_timeline(conn, engine.services, wish)

        arrival = engine.store.write_now(leave)
    _tell(arrival, as_json=as_json)


@app.command("switch")
def switch_(
    first: Annotated[str, typer.Argument(metavar="WORLD", help=MAY_BE_LEFT_OUT, show_default=False)],
    second: Annotated[
        str | None, typer.Argument(metavar="TIMELINE", help="The timeline to go to, such as t2.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make another timeline the active one.

    Example: talekeeper timeline switch old-harbour t1
    """
    world, timeline = (None, first) if second is None else (first, second)
    with opened_engine() as engine:

        def go(conn: Connection) -> Arrival:
            return switch(conn, engine.services, Switch(world=chosen_world(conn, world).slug, timeline=timeline))

        arrival = engine.store.write_now(go)
    _tell(arrival, as_json=as_json)


@app.command("compare")
def compare_(
    a: Annotated[str, typer.Argument(metavar="A", help="A timeline, such as t1.", show_default=False)],
    b: Annotated[
        str | None, typer.Argument(metavar="[B]", help="Another; the active one by default.", show_default=False)
    ] = None,
    world: WorldOption = None,
    hidden: Annotated[bool, typer.Option("--hidden", help="Also what only the game master may see.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show what is true on one timeline and not on another.

    Example: talekeeper timeline compare t1 t2
    """
    sights: tuple[Sight, ...] = ("open", "subject", "hidden") if hidden else ("open", "subject")

    def look(conn: Connection) -> Comparison:
        chosen = chosen_world(conn, world)
        return compare(
            conn, path(conn, chosen.slug, a), path(conn, chosen.slug, b or chosen.active), sights=sights
        )  # fmt: skip

    with opened_store() as store:
        found = store.read_now(look)
    if as_json:
        show_json(found)
        return
    aside(f"{found.a} and {found.b} share everything up to event {found.shared_seq}.")
    rows = [(d.name, d.a or "-", d.b or "-") for d in found.differences]
    if rows:
        show_table(("", found.a, found.b), rows)
    else:
        say("The same is true on both.")


def _tell(arrival: Arrival, *, as_json: bool) -> None:
    if as_json:
        show_json(arrival)
    else:
        say(f"{arrival.timeline} is active, at turn {arrival.turn_number}.")
