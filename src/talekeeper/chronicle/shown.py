"""An event of the window; its words are made once."""

from __future__ import annotations

from .escape import escape_markdown
from .event import AgentEvent
from .line import decode
from .sentence import sentence
from .task import task_of


class Shown:
    """`turn` is the turn of its kind among the phrasings."""

    __slots__ = ("_about", "_event", "_line", "_markdown", "_plain", "_turn")

    def __init__(self, line: bytes, turn: int) -> None:
        self._line = line
        self._turn = turn
        self._event: AgentEvent | None = None
        self._about: tuple[str | None] | None = None
        self._plain = ""
        self._markdown = ""

    @property
    def event(self) -> AgentEvent:
        if self._event is None:
            self._event = decode(self._line)[0]
        return self._event

    @property
    def task(self) -> str | None:
        """What the event itself says it is about."""
        if self._about is None:
            self._about = (task_of(self.event.detail, self.event.metadata),)
        return self._about[0]

    @property
    def plain(self) -> str:
        if not self._plain:
            self._plain = sentence(self.event, self._turn)
        return self._plain

    @property
    def markdown(self) -> str:
        if not self._markdown:
            clock = time_of_day(self.event.timestamp)
            self._markdown = f"**{clock}** — {sentence(self.event, self._turn, escape_markdown)}"
        return self._markdown


def time_of_day(timestamp: float) -> str:
    minutes, seconds = divmod(int(timestamp // 1) % 86400, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
