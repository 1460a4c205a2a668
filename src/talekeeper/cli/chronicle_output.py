"""Where a book of `talekeeper chronicle` goes, in which form, and from when on it tells."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from talekeeper.chronicle.book import dates
from talekeeper.chronicle.book.formats import FORMATS, as_text, format_for, write
from talekeeper.chronicle.book.model import Book
from talekeeper.chronicle.last_look import LastLook
from talekeeper.cli.console import say, write_bytes
from talekeeper.cli.opening import settings_now
from talekeeper.errors import BadInput

_PERIODS: tuple[dates.Period, ...] = ("hour", "part", "day", "week", "month", "year")

OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="Where to; its ending chooses the form. Else it is printed.",
        show_default=False,
    ),
]
FormatOption = Annotated[
    str | None,
    typer.Option("--format", "-f", metavar="FORM", help=f"One of: {', '.join(FORMATS)}.", show_default=False),
]
PeriodOption = Annotated[
    str | None,
    typer.Option(
        "--by", metavar="PERIOD", help=f"A chapter for each: {', '.join(_PERIODS)}; else what fits.", show_default=False
    ),
]
TitleOption = Annotated[str | None, typer.Option(help="The title of the book.", show_default=False)]
SinceOption = Annotated[
    str | None,
    typer.Option(metavar="DATE", help="Begin here; what came before is told as `previously`.", show_default=False),
]
NewOption = Annotated[bool, typer.Option("--new", help="Only what is new since you last asked with --new.")]


def deliver(book: Book, form: str, out: Path | None) -> None:
    chosen = format_for(None, form)
    if out is None:
        write_bytes(as_text(book, chosen).encode(errors="replace"))
        return
    target = out.expanduser()
    write(book, chosen, target)
    chapters = f"{len(book.chapters)} chapter{'s' * (len(book.chapters) != 1)}"
    say(f"{book.title}: {chapters}, {len(book.arcs)} arcs, in {target}")


def chosen_period(asked: str | None) -> dates.Period | None:
    for period in _PERIODS:
        if asked == period:
            return period
    if asked is not None:
        raise BadInput(f"{asked!r} is no length of chapter.", f"There are: {', '.join(_PERIODS)}.")
    return None


def beginning(since: str | None, new: bool, looks: LastLook, look: str) -> float | None:
    if new:
        last = looks.at(look)
        return None if last is None else last + 1
    return dates.parse_day(since) if since is not None else None


def last_looks() -> LastLook:
    return LastLook(settings_now().home / "last-looks.json")


def only_done(tell: Callable[[int, int], None]) -> Callable[[int], None]:
    return lambda done: tell(done, 0)
