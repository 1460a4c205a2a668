"""The command line: `talekeeper` and its commands."""

from __future__ import annotations

import typer
from rich.console import Console

from talekeeper import __version__
from talekeeper.cli import (
    canon,
    chronicle,
    effects,
    events,
    fleet,
    game,
    presets,
    prompt,
    settings,
    stream,
    timelines,
    worlds,
)
from talekeeper.cli import play as playing
from talekeeper.cli import serve as serving
from talekeeper.cli.audit import audit
from talekeeper.cli.console import Commands
from talekeeper.cli.doctor import doctor

app = typer.Typer(
    name="talekeeper",
    cls=Commands,
    help="Keeps living worlds: play them, look into them, and read what became of them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(playing.play)
app.command()(serving.serve)
app.add_typer(worlds.app, name="world")
app.add_typer(timelines.app, name="timeline")
app.add_typer(canon.app, name="canon")
app.add_typer(events.app, name="events")
app.add_typer(effects.app, name="effects")
app.add_typer(presets.app, name="preset")
app.add_typer(game.app, name="game")
app.add_typer(chronicle.app, name="chronicle")
app.add_typer(fleet.app, name="fleet")
app.add_typer(stream.app, name="stream")
app.add_typer(prompt.app, name="prompt")
app.add_typer(settings.app, name="settings")
app.command()(audit)
app.command()(doctor)


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
    app()


if __name__ == "__main__":
    main()
