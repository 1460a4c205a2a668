"""The turns of phrase that the style gate knows, from the files in `phrases`: one pattern a line, `{name}` for a shared piece."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_ADVERBS = "really truly just always still also do so too honestly personally deeply even myself can could".split()
PIECES = {
    "{start}": r"(?:^|[.!?;:,—-]\s*|\b(?:and|so|please|now|then|just)\s+)",
    "{channel}": r"(?:channel|stream|page|streamer|discord|twitter|youtube|instagram|tiktok|socials?)",
    "{i}": rf"\bi(?:'m| am|'ve been| have been| was)?(?: (?:{'|'.join(_ADVERBS)}))*",
}


@cache
def phrases(name: str) -> re.Pattern[str]:
    """Any of the phrases in the file of that name."""
    lines = files(__package__).joinpath("phrases", f"{name}.txt").read_text(encoding="utf-8").splitlines()
    pattern = "|".join(f"(?:{line})" for line in lines if line and not line.startswith("#"))
    for piece, meaning in PIECES.items():
        pattern = pattern.replace(piece, meaning)
    return re.compile(pattern, re.IGNORECASE)
