"""The command line: `talekeeper` and its commands."""

from __future__ import annotations

import sys

import typer
from rich.console import Console

from talekeeper import __version__
from talekeeper.cli import play as playing
from talekeeper.cli import serve as serving
from talekeeper.errors import TalekeeperError

app = typer.Typer(
    name="talekeeper",
    help="Keeps living worlds: play them, look into them, and read what became of them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(playing.play)
app.command()(serving.serve)


def _version(wanted: bool) -> None:
    if wanted:
        Console().print(f"talekeeper {__version__}", highlight=False)
        raise typer.Exit


@app.callback()
def main_options(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Say which version this is."
    ),
) -> None:
    del version


def main() -> None:
    try:
        app()
    except TalekeeperError as error:
        said = Console(stderr=True, highlight=False)
        said.print(f"[bold]{error.message}[/bold]")
        if error.hint:
            said.print(error.hint)
        sys.exit(2 if error.status in (404, 409, 422) else 1)


if __name__ == "__main__":
    main()
