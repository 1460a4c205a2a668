"""What rules and canon state in the present, told in the past tense of the tale."""

from __future__ import annotations

import re

_PAST = {
    "is": "was", "are": "were", "has": "had", "have": "had", "cannot": "could not", "can": "could", "carries": "carried",
    "does not": "did not", "do not": "did not", "lies": "lay", "keeps": "kept", "leads": "led", "reaches": "reached",
    "see": "saw", "think": "thought", "mean": "meant", "know": "knew", "holds": "held", "stands": "stood", "will": "would",
    "takes": "took", "makes": "made", "goes": "went", "brings": "brought", "draws": "drew", "drains": "drained",
    "turns": "turned", "notices": "noticed", "learns": "learned", "hears": "heard", "breaks": "broke",
    "you take": "you took", "you give": "you gave", "you wake": "you woke", "you find": "you found", "you owe": "you owed",
    "you come": "you came",
}  # fmt: skip
_PRESENT = re.compile(
    r"\b(?:(do(?:es)? not|can(?:not)?) (\w+)|(?:to|could|would|should|might|must) \w+"
    r"|you (?:take|give|wake|find|owe|come)|[A-Za-z]+)\b"
)
_MID_THE = re.compile(r"(?<=[a-z,] )The ")


def in_past(text: str) -> str:
    """What rules and canon state in the present, as narration tells it: only words that can hardly be anything else."""

    def told(match: re.Match[str]) -> str:
        # What follows a helping verb stays as it is: `did not have`, `could see`, `to know`.
        return f"{_PAST[match[1]]} {match[2]}" if match[1] else _PAST.get(match[0], match[0])

    return _MID_THE.sub("the ", _PRESENT.sub(told, text))
