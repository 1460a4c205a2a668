"""Answers to a player's questions on the terminal: recap, why, canon, memories, timelines, proposals, help."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from talekeeper.cli.engine_thread import EngineThread
from talekeeper.loops.answers import NOTHING, answer
from talekeeper.loops.command_line import Ask
from talekeeper.timeline.worlds import get_world

FAINT = "#a09073"


class Answers:
    def __init__(self, thread: EngineThread, console: Console) -> None:
        self._thread = thread
        self._console = console

    def answer(self, world: str, ask: Ask) -> None:
        if ask.what == "recap":
            self._thread.run(self._thread.engine.effects.drain())
        rows = self._thread.engine.store.read_now(lambda conn: answer(conn, get_world(conn, world), ask))
        if rows:
            self._table(rows)
        else:
            self._console.print(Text(f"\n  {NOTHING[ask.what]}", style=FAINT))

    def _table(self, rows: list[tuple[str, str]]) -> None:
        table = Table(box=None, show_header=False, padding=(0, 2, 0, 2))
        table.add_column(style="bold" if any(left for left, _ in rows) else "", no_wrap=True)
        table.add_column()
        for left, right in rows:
            table.add_row(Text(left), Text(right))
        self._console.print()
        self._console.print(table)
