"""Streamed prose in a terminal: wrapped at words as they come, *emphasis* in italics."""

from __future__ import annotations

from rich.console import Console
from rich.style import Style
from rich.text import Text

WIDTH = 78


class ProseWriter:
    """A word is written when the next begins, so nothing is ever broken in two."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._width = min(WIDTH, max(20, console.width - 2))
        self._column = 0
        self._word = ""
        self._style = Style()
        self._emphasis = False
        self._fresh = True

    def paragraph(self, style: str = "", lead: str = "", lead_style: str = "") -> None:
        """Begin a paragraph, perhaps with a name before it."""
        self.end()
        self._console.print()
        self._style = Style.parse(style) if style else Style()
        self._emphasis = False
        if lead:
            self._console.print(Text(lead, style=lead_style), end="", soft_wrap=True)
            self._column = len(lead)

    def write(self, text: str) -> None:
        for char in text:
            if char == "\n":
                self._flush()
                self._newline()
            elif char.isspace():
                self._flush()
            elif char == "*":
                self._flush_part()
                self._emphasis = not self._emphasis
            else:
                self._word += char

    def end(self) -> None:
        """Close the paragraph."""
        self._flush()
        if self._column:
            self._newline()

    def _flush(self) -> None:
        self._flush_part()
        self._fresh = True

    def _flush_part(self) -> None:
        if not self._word:
            return
        if self._fresh and self._column:
            if self._column + 1 + len(self._word) > self._width:
                self._newline()
            else:
                self._put(" ")
        self._put(self._word)
        self._word = ""
        self._fresh = False

    def _put(self, text: str) -> None:
        style = self._style + Style(italic=True) if self._emphasis else self._style
        self._console.print(Text(text, style=style), end="", soft_wrap=True)
        self._column += len(text)

    def _newline(self) -> None:
        self._console.print()
        self._column = 0
        self._fresh = True
