"""Draws docs/pictures/play.svg from a real session: `python docs/pictures/make.py`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

HERE = Path(__file__).parent
ACTIONS = ("ask Nan about the forty-first grave", "go out to the Row")
WIDTH = 84
EMBERS = TerminalTheme(
    (23, 19, 15),
    (236, 225, 207),
    [(58, 48, 38), (214, 120, 130), (148, 168, 119), (217, 137, 74), (160, 144, 115), (183, 168, 143), (148, 168, 119),
     (236, 225, 207)],
)  # fmt: skip


def session() -> str:
    with tempfile.TemporaryDirectory() as home:
        env = {
            **os.environ,
            "TALEKEEPER_HOME": home,
            "LLM_PROVIDER": "storyteller",
            "FORCE_COLOR": "1",
            "COLORTERM": "truecolor",
            "COLUMNS": str(WIDTH),
        }
        command = [sys.executable, "-m", "talekeeper.cli.main", "play", "--seed", "3"]
        told = subprocess.run(
            command,
            input="\n".join(ACTIONS) + "\n",
            env=env,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
    return told.stdout


def main() -> None:
    told = session()
    lines = told.splitlines()
    first = next(n for n, line in enumerate(lines) if "▎" in line)
    shown = "\n".join([*lines[:3], "", "  …", "", *lines[first:]])
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        console = Console(record=True, width=WIDTH, file=nowhere, force_terminal=True, color_system="truecolor")
        console.print(Text.from_ansi(shown.strip()))
    svg = console.export_svg(title="talekeeper play", theme=EMBERS)
    # Fonts from elsewhere do not belong in a picture: the reader's own monospace serves.
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL).replace("Fira Code", "ui-monospace")
    (HERE / "play.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
