"""Reads lines one by one, and remembers a little of each author, for pitches that come in pieces."""

from __future__ import annotations

from collections import OrderedDict

import msgspec

from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.warden.flag import Flag, Severity
from talekeeper.agents.companion.warden.reading import Reading, weigh

THRESHOLD = 0.9
MEDIUM, HIGH = 1.4, 2.1
WARM = 0.25
"""Lines are put together when one of them has this much in it."""
PIECES = 4
WITHIN = 120.0
AUTHORS = 2_000
IN_PIECES = 0.3
"""Several lines put together must weigh this much more than one."""
DECISIVE = 0.6
"""And one signal in them must be no mere word: whoever talks long enough uses all of those."""
_LONGEST_PIECE = 300


class Piece(msgspec.Struct, frozen=True):
    id: str
    text: str
    at: float
    score: float


class Warden:
    """Keeps the last lines of a bounded number of authors, those who spoke last."""

    def __init__(self, threshold: float = THRESHOLD) -> None:
        self._threshold = threshold
        self._said: OrderedDict[str, list[Piece]] = OrderedDict()

    def read(self, line: ChatLine) -> Flag | None:
        if line.trusted:
            return None
        reading = weigh(line.text)
        if reading.score >= self._threshold:
            self._said.pop(line.name, None)
            return _flag(reading)
        earlier = [piece for piece in self._said.get(line.name, ()) if abs(line.at - piece.at) <= WITHIN]
        if earlier and max(reading.score, *(piece.score for piece in earlier)) >= WARM:
            together = weigh(" ".join([*(piece.text for piece in earlier), line.text]))
            if together.score >= self._threshold + IN_PIECES and together.strongest >= DECISIVE:
                del self._said[line.name]
                return _flag(together, tuple(piece.id for piece in earlier))
        self._remember(line, reading.score, earlier)
        return None

    def _remember(self, line: ChatLine, score: float, earlier: list[Piece]) -> None:
        piece = Piece(line.id, line.text[:_LONGEST_PIECE], line.at, score)
        self._said[line.name] = [*earlier, piece][-PIECES:]
        self._said.move_to_end(line.name)
        if len(self._said) > AUTHORS:
            self._said.popitem(last=False)


def _flag(reading: Reading, lines: tuple[str, ...] = ()) -> Flag:
    severity: Severity = "high" if reading.score >= HIGH else "medium" if reading.score >= MEDIUM else "low"
    pieces = f", in {len(lines) + 1} lines" if lines else ""
    return Flag(severity, f"It {_listed(reading.reasons[:4])}{pieces}.", reading.score, lines)


def _listed(reasons: tuple[str, ...]) -> str:
    return ", ".join(reasons[:-1]) + " and " + reasons[-1] if len(reasons) > 1 else "".join(reasons)
