"""What the session logs of coding agents have in common: an errand, tools that fail or not, and shell commands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..event import AgentEvent, EventKind
from .payload import first_line, known
from .recoveries import CHECK, Recoveries
from .shell import deeds_of

_LONGEST = 160


class SessionLog:
    """Collects one session. A shell command counts once its result is known not to have failed."""

    def __init__(self, source: str, agent: str) -> None:
        self.source = source
        self.agent = agent
        self.session = ""
        self.repo = ""
        self.branch = ""
        self._count = 0
        self._asked = False
        self._pending: dict[str, tuple[str, str]] = {}
        self._recoveries = Recoveries()

    def asked(self, words: str, at: float) -> Iterator[AgentEvent]:
        """A person spoke: the first time it is the errand."""
        detail = _short(words)
        if detail:
            kind = EventKind.COLLABORATION if self._asked else EventKind.DISPATCH
            self._asked = True
            yield self._event(kind, detail, at)

    def called(self, call: str, tool: str, command: str) -> None:
        if call:
            self._pending[call] = (tool, command)

    def answered(self, call: str, failed: bool, output: str, at: float) -> Iterator[AgentEvent]:
        tool, command = self._pending.pop(call, ("", ""))
        if not tool:
            return
        check = f"{self.session}/{tool}"
        if failed:
            yield self._event(EventKind.ERROR, f"{tool}: {_short(output) or 'failed'}", at, check)
            return
        outcome = self._event(EventKind.HEARTBEAT, f"{tool} worked again", at, check)
        if outcome.kind is EventKind.RECOVERY:
            yield outcome
        for kind, detail in deeds_of(command):
            yield self._event(kind, detail, at)

    def failed(self, why: str, at: float) -> Iterator[AgentEvent]:
        yield self._event(EventKind.ERROR, _short(why) or "failed", at)

    def ended(self, kind: EventKind, why: str, at: float) -> Iterator[AgentEvent]:
        yield self._event(kind, _short(why), at)

    def _event(self, kind: EventKind, detail: str, at: float, check: str = "") -> AgentEvent:
        self._count += 1
        about: dict[str, Any] = known(
            id=f"{self.agent}:{self.session[:8]}.{self._count}", source=self.source, session=self.session,
            place=self.repo, branch=self.branch, task=f"session {self.session[:8]}" if self.session else "",
        )  # fmt: skip
        if check:
            about[CHECK] = check
        return self._recoveries.see(AgentEvent(kind, self.agent, detail, at, about))


def _short(words: str) -> str:
    line = first_line(words)
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"
