"""`talekeeper play`: a scene in the terminal, resumed where it was left."""

from __future__ import annotations

import random
import sys
from typing import Annotated, Any

import typer
from rich.console import Console
from sqlalchemy import Connection

from talekeeper.app.engine import Engine
from talekeeper.app.settings import load
from talekeeper.canon.view import CanonView
from talekeeper.cli.answers import Answers
from talekeeper.cli.engine_thread import EngineThread
from talekeeper.cli.stage import Stage
from talekeeper.errors import TalekeeperError
from talekeeper.loops.command_line import Ask, read_line
from talekeeper.loops.creation import create_from_preset, free_slug
from talekeeper.loops.intents import (
    Act,
    AnyIntent,
    Backtrack,
    Bound,
    Direct,
    EndScene,
    Fork,
    Retry,
    Roll,
    Switch,
    XCard,
)
from talekeeper.loops.scene import commands, travel
from talekeeper.observe.logs import configure_logs
from talekeeper.presets.library import list_presets, load_preset
from talekeeper.timeline.lineage import path
from talekeeper.timeline.transcript import transcript
from talekeeper.timeline.worlds import World, get_world, list_worlds

_SEEDS = 2**31


def play(
    world: Annotated[str | None, typer.Option(help="The world to play; the last one played by default.")] = None,
    preset: Annotated[str | None, typer.Option(help="Start a new world from this story template.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of a new world: the same seed, the same dice.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="No colours and no prompt: one action a line.")] = False,
) -> None:
    """Play a scene in the terminal.

    Say what you do in your own words; /help lists the commands. Ctrl-C stops the telling, /quit leaves.
    Everything is kept, and the next `talekeeper play` goes on where you were.

    Example: talekeeper play --preset low-water --seed 7
    """
    interactive = sys.stdin.isatty() and not plain
    console = Console(highlight=False, no_color=plain or None, force_terminal=False if plain else None, soft_wrap=True)
    loaded = load()
    opened = Engine.open(loaded.settings)
    configure_logs(loaded.settings.server_log_level, loaded.settings.logs / "play.jsonl")
    with EngineThread(opened) as engine:
        Table(engine, console, interactive=interactive).sit_down(world, preset, seed)


class Table:
    """One player at the terminal."""

    def __init__(self, thread: EngineThread, console: Console, *, interactive: bool) -> None:
        self._thread = thread
        self._engine = thread.engine
        self._console = console
        self._interactive = interactive
        self._stage = Stage(console, self._name_of)
        self._answers = Answers(thread, console)
        self._world = ""

    def sit_down(self, world: str | None, preset: str | None, seed: int | None) -> None:
        self._console.print(f"[bold]Talekeeper[/bold]  [#a09073]told by {self._engine.services.teller.name}[/]")
        chosen, new = self._choose(world, preset, seed)
        self._world = chosen.slug
        self._show_where_we_are(chosen, new=new)
        resumed = self._thread.run(self._engine.start())
        self._thread.begin(self._engine.scenes.warm())
        for turn in (t for t in resumed if t.world == self._world):
            self._stage.aside("(going on where it was cut off)")

            async def ready(turn: Any = turn) -> Any:
                return turn

            self._stage.play(self._thread.watch(ready))
        while (line := self._read()) is not None:
            if line.strip() and not self._take(line):
                return

    def _choose(self, world: str | None, preset: str | None, seed: int | None) -> tuple[World, bool]:
        engine = self._engine

        def choose(conn: Connection) -> tuple[World, bool]:
            if world is not None and preset is None:
                return get_world(conn, world), False
            known = list_worlds(conn)
            playable = [w for w in known if w.player]
            if preset is None and playable:
                return playable[0], False
            words = load_preset(preset or list_presets()[0].id)
            slug = world or free_slug(conn, words.id)
            dice = seed if seed is not None else random.SystemRandom().randrange(_SEEDS)
            return create_from_preset(conn, engine.services, words, slug, dice), True

        return engine.store.write_now(choose)

    def _show_where_we_are(self, world: World, *, new: bool) -> None:
        self._console.print(f"\n[bold #d9894a]{world.title}[/]  [#a09073]{world.slug} · {world.active}[/]")
        told = self._engine.store.read_now(
            lambda conn: transcript(conn, path(conn, world.slug, world.active), last_turns=1 if new else 2)
        )
        if not new:
            self._stage.aside("Previously:")
        for turn in told:
            self._stage.told(turn)
        if new:
            self._suggest(world)

    def _suggest(self, world: World) -> None:
        card = next((c for c in list_presets() if c.id == world.preset), None)
        if card and card.suggestions:
            self._stage.aside("You could: " + " · ".join(card.suggestions[:4]))
        self._stage.aside("Say what you do. /help lists the commands; Ctrl-C stops the telling, /quit leaves.")

    def _read(self) -> str | None:
        try:
            if self._interactive:
                self._console.print()
                return input("› ")
            line = sys.stdin.readline()
            return line.rstrip("\n") if line else None
        except UnicodeDecodeError:
            self._stage.problem({"message": "That line is not text.", "hint": "Type it again."})
            return ""
        except (EOFError, KeyboardInterrupt):
            self._console.print()
            return None

    def _take(self, line: str) -> bool:
        """Carry out a line; False to leave the table."""
        try:
            wish = read_line(self._world, line)
            if isinstance(wish, Ask):
                if wish.what == "quit":
                    return False
                self._answers.answer(self._world, wish)
            else:
                self._carry_out(wish)
        except TalekeeperError as error:
            self._stage.problem({"message": error.message, "hint": error.hint})
        return True

    def _carry_out(self, wish: AnyIntent) -> None:
        engine = self._engine
        match wish:
            case Act():
                if not self._interactive:
                    self._stage.action(wish.text.strip())
                self._stage.play(self._thread.watch(lambda: engine.scenes.act(wish)))
            case Retry():
                self._stage.play(self._thread.watch(lambda: engine.scenes.retry(wish)))
            case Backtrack():
                self._arrive(self._thread.run(engine.command(travel.backtrack, wish)))
            case Fork():
                self._arrive(self._thread.run(engine.command(travel.fork_timeline, wish)))
            case Switch():
                self._arrive(self._thread.run(engine.command(travel.switch, wish)))
            case Roll():
                made = self._thread.run(engine.command(commands.roll_dice, wish))
                self._stage.aside(f"⚄ {made.detail} = {made.total}")
            case Direct():
                self._thread.run(engine.command(commands.give_directive, wish))
                self._stage.aside("The narrator has been told.")
            case Bound():
                self._thread.run(engine.command(commands.draw_boundary, wish))
                self._stage.aside(commands.BOUND)
            case XCard():
                self._x_card(wish)
            case EndScene():
                scene = self._thread.run(engine.command(commands.close_scene, wish))
                self._stage.aside(f"The scene has ended. {scene} begins. /proposals shows what still waits for you.")

    def _x_card(self, wish: XCard) -> None:
        self._thread.run(self._engine.command(commands.play_x_card, wish))
        self._stage.aside("The X-card is on the table. The story will leave this alone.")
        if wish.rewind:
            self._arrive(self._engine.store.read_now(lambda conn: travel.whereabouts(conn, self._world)))

    def _arrive(self, arrival: travel.Arrival) -> None:
        self._stage.aside(f"You are at turn {arrival.turn_number}, on {arrival.timeline}. The other future is kept.")
        told = self._engine.store.read_now(
            lambda conn: transcript(conn, path(conn, self._world, arrival.timeline), last_turns=1)
        )
        for turn in told:
            self._stage.told(turn)

    def _name_of(self, entity: str) -> str:
        def name(conn: Connection) -> str:
            world = get_world(conn, self._world)
            return CanonView(conn, path(conn, world.slug, world.active)).name(entity)

        return self._engine.store.read_now(name)
