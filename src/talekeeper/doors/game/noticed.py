"""What an agent has noticed since its last turn: each stays for so many prompts, and what matters least is dropped first."""

from __future__ import annotations

import msgspec


class _Notice(msgspec.Struct):
    text: str
    turns: int
    salience: float


class Noticed:
    def __init__(self, most: int) -> None:
        self._most = most
        self._notices: list[_Notice] = []

    def __len__(self) -> int:
        return len(self._notices)

    def add(self, text: str, turns: int = 1, salience: float = 0.0) -> None:
        self._notices.append(_Notice(text, turns, salience))
        if len(self._notices) > self._most:
            self._notices.remove(min(self._notices, key=lambda notice: notice.salience))

    def take(self) -> tuple[str, ...]:
        """For one prompt."""
        texts = tuple(notice.text for notice in self._notices)
        for notice in self._notices:
            notice.turns -= 1
        self._notices = [notice for notice in self._notices if notice.turns > 0]
        return texts
