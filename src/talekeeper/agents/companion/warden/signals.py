"""The signals of a pitch, from `signals.toml`: patterns with a weight and a reason, and the words that call for them."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

import msgspec

ONLY_WITH_OTHERS = frozenset(
    """
    love loved enjoyed enjoy nice great amazing good awesome cool like liked watching watched saw well use need needs better
    i we our my im id know knows tell let wait miss help low try open ready stream chat content streamer came found
    followed action visit
    """.split()
)
"""Words of ordinary talk: they count beside another signal, and call for nothing by themselves."""


class Signal(msgspec.Struct, frozen=True):
    weight: float
    needs: frozenset[str]
    patterns: tuple[re.Pattern[str], ...] = ()
    """Each begins at the beginning of a word. None, where a word alone is the signal."""
    reason: str = ""
    """Completes the sentence: it ... Nothing for what speaks against a pitch."""

    def found(self, text: str, words: frozenset[str]) -> bool:
        if self.needs.isdisjoint(words):
            return False
        return not self.patterns or any(_begins_a_word(pattern, text) for pattern in self.patterns)


def _begins_a_word(pattern: re.Pattern[str], text: str) -> bool:
    """Asked afterwards and not by the pattern: one that begins with letters is found many times faster."""
    match = pattern.search(text)
    while match:
        start = match.start()
        if start == 0 or not (text[start - 1].isalnum() and text[start].isalnum()):
            return True
        match = pattern.search(text, start + 1)
    return False


class _Written(msgspec.Struct, forbid_unknown_fields=True):
    weight: float
    needs: str
    patterns: list[str] = []
    reason: str = ""


class _File(msgspec.Struct, forbid_unknown_fields=True):
    lists: dict[str, str]
    pieces: dict[str, str]
    signals: list[_Written]


def _read() -> tuple[Signal, ...]:
    text = files(__package__).joinpath("signals.toml").read_text(encoding="utf-8")
    written = msgspec.convert(tomllib.loads(text), _File)
    pieces = {name: rf"(?:{'|'.join(words.split())})\b" for name, words in written.lists.items()} | written.pieces
    return tuple(
        Signal(
            signal.weight,
            frozenset(_filled(signal.needs, written.lists).split()),
            tuple(re.compile(_filled(pattern, pieces).removeprefix(r"\b")) for pattern in signal.patterns),
            signal.reason,
        )
        for signal in written.signals
    )


def _filled(text: str, values: dict[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"<{name}>", value)
    return text


SIGNALS = tuple(sorted(_read(), key=lambda signal: (signal.weight > 0, -signal.weight)))
"""What speaks against a pitch comes first, then the weightiest, so that reading may stop once enough speaks for it."""
AGAINST = sum(signal.weight < 0 for signal in SIGNALS)
HOT = frozenset().union(*(signal.needs for signal in SIGNALS if signal.weight >= 0.3)) - ONLY_WITH_OTHERS
"""Words without which a line is not looked at any closer."""
