"""What kind of thing a memory is: enough to refer back to it without putting words in anybody's mouth."""

from __future__ import annotations

import re

_KINDS = (
    ("harm", r"\b(?:attack|hit|strike|struck|punch|kick|stab|shove|fight|fought)\w*\b"),
    ("threat", r"\b(?:threaten|menace|warn|intimidate)\w*\b"),
    ("lie", r"\b(?:lie|lied|deceive|pretend|bluff|trick)\w*\b"),
    ("gift", r"\b(?:give|gave|hand|offer|present)\w*\b"),
    ("plea", r"\b(?:persuade|convince|beg|plead|promise)\w*\b"),
    ("question", r"\b(?:ask|question|wonder|enquire|inquire)\w*\b|\?"),
)
_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _KINDS)


def kind_of_memory(memory: str, *names: str) -> str:
    """Only what the player's character did counts, told in the first person or by name; otherwise nothing."""
    theirs = re.search(r"\b(?:i|you|my)\b", memory, re.IGNORECASE) or any(name and name in memory for name in names)
    if not theirs or len(memory) > 200:
        return ""
    return next((kind for kind, pattern in _PATTERNS if pattern.search(memory)), "")
