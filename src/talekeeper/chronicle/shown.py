"""An event of the window; its words are made once."""

from __future__ import annotations

from .escape import escape_markdown
from .event import AgentEvent
from .line import decode
from .sentence import sentence
from .task import task_of


class Shown:
    """A line until it is shown; `ready` reads it. `turn` is the turn of its kind among the phrasings."""

    __slots__ = ("_line", "_markdown", "_turn", "event", "plain", "task")

    event: AgentEvent
    task: str | None
    """What the event itself says it is about."""
    plain: str

    def __init__(self, line: bytes, turn: int) -> None:
        self._line = line
        self._turn = turn
        self._markdown = ""

    def ready(self) -> None:
        if self._line:
            self.event = decode(self._line)[0]
            self.task = task_of(self.event.detail, self.event.metadata)
            self.plain = sentence(self.event, self._turn)
            self._line = b""

    @property
    def markdown(self) -> str:
        if not self._markdown:
            clock = time_of_day(self.event.timestamp)
            self._markdown = f"**{clock}** — {sentence(self.event, self._turn, escape_markdown)}"
        return self._markdown


def time_of_day(timestamp: float) -> str:
    minutes, seconds = divmod(int(timestamp // 1) % 86400, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
