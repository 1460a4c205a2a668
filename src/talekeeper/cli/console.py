"""What the commands print and how they end: text for people, JSON for scripts, and every error as words and an exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import typer
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text
from typer.core import TyperGroup

from talekeeper.errors import BadInput, Damaged, NotFound, TalekeeperError, TooLarge, Unavailable

FOUND_TROUBLE, BAD_INPUT, REFUSED, CANNOT, BROKE, INTERRUPTED = 1, 2, 3, 4, 70, 130
"""The exit codes, explained in docs/cli.md."""

FAINT, EMBER, GOOD, BAD = "#a09073", "#d9894a", "#94a877", "#d67882"

_UNWRAPPED = 4096
_UNSAFE = dict.fromkeys(
    (*(c for c in range(32) if chr(c) not in "\n\t"), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A)),
    "\N{REPLACEMENT CHARACTER}",
)


class Commands(TyperGroup):
    """A group of commands whose errors end in words and an exit code, never in a traceback."""

    def invoke(self, ctx: Any) -> Any:
        with errors_told():
            return super().invoke(ctx)


def command_group(summary: str) -> typer.Typer:
    return typer.Typer(cls=Commands, help=summary, no_args_is_help=True, pretty_exceptions_enable=False)


@contextmanager
def errors_told() -> Iterator[None]:
    """The one place where an error becomes a message on stderr and an exit code."""
    try:
        yield
    except TalekeeperError as error:
        tell_error(error)
        raise typer.Exit(exit_code(error)) from error
    except BrokenPipeError:
        raise
    except KeyboardInterrupt as error:
        raise typer.Exit(INTERRUPTED) from error
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        tell_error(
            Unavailable(f"{error.strerror or error}{where}.", "Check the path, its permissions and the free space.")
        )
        raise typer.Exit(CANNOT) from error
    except (typer.Exit, typer.Abort, typer.TyperException):
        raise
    except Exception as error:
        if os.environ.get("TALEKEEPER_SERVER_DEBUG"):
            raise
        tell_error(Damaged(f"Something broke: {error!r}.", "TALEKEEPER_SERVER_DEBUG=1 shows where; please report it."))
        raise typer.Exit(BROKE) from error


def exit_code(error: TalekeeperError) -> int:
    match error:
        case BadInput() | NotFound() | TooLarge():
            return BAD_INPUT
        case Unavailable() | Damaged():
            return CANNOT
    return REFUSED


def tell_error(error: TalekeeperError) -> None:
    said = Text(clean(error.message), style=f"bold {BAD}")
    console = for_people(stderr=True)
    console.print(said, soft_wrap=True)
    if error.hint:
        console.print(Text(clean(error.hint)), soft_wrap=True)


def for_people(*, stderr: bool = False) -> Console:
    """A console on what the stream is now; nothing is wrapped or coloured where no terminal is (or NO_COLOR is set)."""
    stream = sys.stderr if stderr else sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")  # a locale without our letters is no reason to fail
    width = None if stream.isatty() else _UNWRAPPED
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=width)


def say(text: str, style: str = "") -> None:
    for_people().print(Text(clean(text), style=style), soft_wrap=True)


def aside(text: str) -> None:
    """Said beside the output, so that a script which reads stdout does not meet it."""
    for_people(stderr=True).print(Text(clean(text), style=FAINT), soft_wrap=True)


def show(thing: RenderableType) -> None:
    for_people().print(thing)


def show_table(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style=FAINT, pad_edge=False, show_header=any(headers))
    for n, header in enumerate(headers):
        table.add_column(header, no_wrap=n == 0, overflow="fold")
    for row in rows:
        table.add_row(*(Text(clean(cell)) for cell in row))
    show(table)


def show_json(value: object) -> None:
    """One indented document."""
    write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def show_json_line(value: object) -> None:
    write_bytes(msgspec.json.encode(value) + b"\n")


def write_bytes(data: bytes) -> None:
    """UTF-8 whatever the locale is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def clean(text: str) -> str:
    """Without control characters: a world may come from a stranger, and a terminal obeys what it is sent."""
    return text.translate(_UNSAFE)


def short(text: str, most: int = 100) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def confirmed(question: str, *, yes: bool) -> bool:
    """Asked on a terminal; elsewhere nobody is there to answer."""
    if yes:
        return True
    if not sys.stdin.isatty():
        raise BadInput("Nobody is here to confirm that.", "Add --yes if you mean it.")
    return typer.confirm(question, err=True)


def _unseen(done: int, of: int) -> None:
    del done, of


@contextmanager
def progress(doing: str) -> Iterator[Callable[[int, int], None]]:
    """Hands over a function that is told how much of how much is done; shown on a terminal only."""
    console = for_people(stderr=True)
    if not console.is_terminal:
        yield _unseen
        return
    from rich.progress import Progress  # noqa: PLC0415 - slow to import, and only long work on a terminal needs it

    with Progress(console=console, transient=True) as bars:
        bar = bars.add_task(doing, total=None)
        yield lambda done, of: bars.update(bar, completed=done, total=of)
