"""What kind of thing a memory is: enough to refer back to it without putting words in anybody's mouth."""

from __future__ import annotations

import re

from talekeeper.agents.situation import Person

_KINDS = (
    ("harm", r"\b(?:attack|hit|strike|struck|punch|kick|stab|shove|fight|fought)\w*\b"),
    ("threat", r"\b(?:threaten|menace|warn|intimidate)\w*\b"),
    ("lie", r"\b(?:lie|lied|deceive|pretend|bluff|trick)\w*\b"),
    ("gift", r"\b(?:give|gave|hand|offer|present)\w*\b"),
    ("plea", r"\b(?:persuade|convince|beg|plead|promise)\w*\b"),
    ("question", r"\b(?:ask|question|wonder|enquire|inquire)\w*\b|\?"),
)
_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _KINDS)


def kind_of_memory(memory: str, doer: Person, done_to: Person) -> str:
    """`Merrit Sloane: I threaten Bray` is a threat, to Bray. What was done by or to somebody else is no kind at all."""
    named, colon, deed = memory.partition(":")
    if not colon or named not in (doer.id, doer.name, *doer.aliases) or len(deed) > 200:
        return ""
    names = (done_to.name, *done_to.aliases, *done_to.name.split())
    if not any(re.search(rf"\b{re.escape(name)}\b", deed, re.IGNORECASE) for name in names if name):
        return ""
    return next((kind for kind, pattern in _PATTERNS if pattern.search(deed)), "")
