"""Reads lines one by one, and remembers a little of each author, for pitches that come in pieces."""

from __future__ import annotations

from collections import OrderedDict

import msgspec

from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.warden.flag import Flag, Severity
from talekeeper.agents.companion.warden.reading import Reading, weigh

THRESHOLD = 1.0
MEDIUM, HIGH = 1.5, 2.2
WARM = 0.3
"""A line with this much in it is remembered for a while."""
PIECES = 4
WITHIN = 120.0
AUTHORS = 2_000
IN_PIECES = 0.2
"""Several lines put together must weigh this much more than one."""


class Piece(msgspec.Struct, frozen=True):
    id: str
    text: str
    at: float


class Warden:
    """Keeps the last pieces of a bounded number of authors; what nobody goes on with is forgotten."""

    def __init__(self, threshold: float = THRESHOLD) -> None:
        self._threshold = threshold
        self._warm: OrderedDict[str, list[Piece]] = OrderedDict()

    def read(self, line: ChatLine) -> Flag | None:
        if line.trusted:
            return None
        reading = weigh(line.text)
        if reading.score >= self._threshold:
            self._warm.pop(line.name, None)
            return _flag(reading)
        earlier = self._earlier(line)
        if earlier:
            together = weigh(" ".join([*(piece.text for piece in earlier), line.text]))
            if together.score >= self._threshold + IN_PIECES and together.score > reading.score + WARM:
                del self._warm[line.name]
                return _flag(together, tuple(piece.id for piece in earlier))
        if earlier or reading.score >= WARM:
            self._remember(line, earlier)
        return None

    def _earlier(self, line: ChatLine) -> list[Piece]:
        pieces = self._warm.get(line.name, ())
        return [piece for piece in pieces if abs(line.at - piece.at) <= WITHIN]

    def _remember(self, line: ChatLine, earlier: list[Piece]) -> None:
        self._warm[line.name] = [*earlier, Piece(line.id, line.text[:500], line.at)][-PIECES:]
        self._warm.move_to_end(line.name)
        if len(self._warm) > AUTHORS:
            self._warm.popitem(last=False)


def _flag(reading: Reading, lines: tuple[str, ...] = ()) -> Flag:
    severity: Severity = "high" if reading.score >= HIGH else "medium" if reading.score >= MEDIUM else "low"
    pieces = f", in {len(lines) + 1} lines" if lines else ""
    return Flag(severity, f"It {_listed(reading.reasons[:4])}{pieces}.", reading.score, lines)


def _listed(reasons: tuple[str, ...]) -> str:
    return ", ".join(reasons[:-1]) + " and " + reasons[-1] if len(reasons) > 1 else "".join(reasons)
